// Derives what is reported about a protection: the share of its limits that a window has used, and what changed
// between two states.
import { evolveMmp } from '../../core/mmp/evolve-mmp.ts';
import type { MmpConfig, MmpLimit } from '../../core/mmp/mmp-config.ts';
import type { MmpEvent } from '../../core/mmp/mmp-event.ts';
import {
  groupKey,
  groupOf,
  isFrozen,
  type MmpGroup,
  type MmpState,
  type MmpWindow,
  windowEnd,
} from '../../core/mmp/mmp-state.ts';
import type { ProtectedIndex } from '../../ports/venue.ts';
import {
  absolute,
  fraction,
  plus,
  type Quantity,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';

export type MmpUse = Readonly<Partial<Record<MmpLimit, number>>>;

/** For each counted trade: its group, and the share of each limit used by the window including it. */
export function usesOf(
  before: MmpState,
  events: readonly MmpEvent[],
): readonly { readonly config: MmpConfig; readonly used: MmpUse }[] {
  let state = before;
  return events.flatMap((event) => {
    state = evolveMmp(state, event);
    const group = event.kind === 'counted' ? groupOf(state, event) : undefined;
    if (group?.window === undefined) return [];
    return [{ config: group.config, used: useOf(group.window, group.config) }];
  });
}

const useOf = (window: MmpWindow, config: MmpConfig): MmpUse => ({
  ...(config.quantityLimit && { quantity: fraction(window.quantity, config.quantityLimit) }),
  ...(config.deltaLimit && { delta: fraction(absolute(window.delta), config.deltaLimit) }),
  ...(config.vegaLimit && { vega: fraction(absolute(window.vega), config.vegaLimit) }),
  ...(config.tradeCountLimit && { trades: window.trades / config.tradeCountLimit }),
});

/** For each group with a window open at `now`: the share of each limit it has used. */
export function usesAt(state: MmpState, now: Instant): readonly MmpUse[] {
  return [...state.groups.values()].flatMap((group) => {
    const { window, config } = group;
    const isOpen = window !== undefined && windowEnd(group, now) !== undefined;
    return isOpen ? [useOf(window, config)] : [];
  });
}

/** What the venue holds margin for; groups without a largest size hold nothing. */
export function protectedIndexes({ groups }: MmpState): readonly ProtectedIndex[] {
  const sums = new Map<string, Quantity>();
  for (const { config } of groups.values()) {
    const { index, maxQuoteQuantity = ZERO_QUANTITY } = config;
    sums.set(index, plus(sums.get(index) ?? ZERO_QUANTITY, maxQuoteQuantity));
  }
  return Array.from(sums, ([index, maxQuoteQuantity]) => ({ index, maxQuoteQuantity }));
}

/** Whether the venue has to hold another margin than before. */
export const holdsDifferently = (before: MmpState, after: MmpState): boolean => {
  const [was, is] = [before, after].map((state) =>
    protectedIndexes(state)
      .map(({ index, maxQuoteQuantity }) => `${index} ${text(maxQuoteQuantity)}`)
      .sort()
      .join(),
  );
  return was !== is;
};

/** Groups that tripped between the two states and are still frozen. */
export function trippedBetween(
  before: MmpState,
  after: MmpState,
  now: Instant,
): readonly MmpGroup[] {
  return [...after.groups.values()].filter((group) => {
    const trips = before.groups.get(groupKey(group.config))?.trips ?? 0;
    return group.trips > trips && isFrozen(group, now);
  });
}

/** Groups whose freeze changed or ended, in their state afterwards; removed groups in their last state. */
export function standingChanged(before: MmpState, after: MmpState): readonly MmpGroup[] {
  const changed: MmpGroup[] = [];
  for (const group of after.groups.values()) {
    const { freeze } = before.groups.get(groupKey(group.config)) ?? {};
    if (freeze?.at !== group.freeze?.at || freeze?.until !== group.freeze?.until) {
      changed.push(group);
    }
  }
  for (const [key, group] of before.groups) {
    if (group.freeze && !after.groups.has(key)) changed.push({ ...group, freeze: undefined });
  }
  return changed;
}
