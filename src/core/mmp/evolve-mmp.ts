// Folds events into the protection state of an account. Total: recorded events are never refused.
import { money, plus, quantity, ZERO_MONEY, ZERO_QUANTITY } from '../../values/amounts.ts';
import { INSTANT_MAX, type Instant, instant } from '../../values/instant.ts';
import type { MmpConfig } from './mmp-config.ts';
import type { MmpEvent } from './mmp-event.ts';
import {
  EMPTY_MMP,
  groupKey,
  type MmpFreeze,
  type MmpGroup,
  type MmpState,
  type MmpWindow,
} from './mmp-state.ts';

type Of<K extends MmpEvent['kind']> = Extract<MmpEvent, { kind: K }>;

/** The state after one more event. */
export function evolveMmp(state: MmpState, event: MmpEvent): MmpState {
  const groups = new Map(state.groups);
  const key = groupKey(event);
  const changed = changedGroup(state.groups.get(key), event);
  if (changed === undefined) groups.delete(key);
  else groups.set(key, changed);
  return { version: state.version + 1, groups };
}

/** Folds the whole history. */
export const foldMmp = (events: readonly MmpEvent[]): MmpState =>
  events.reduce(evolveMmp, EMPTY_MMP);

function changedGroup(group: MmpGroup | undefined, event: MmpEvent): MmpGroup | undefined {
  switch (event.kind) {
    case 'configured':
      return configured(group, event);
    case 'removed':
      return undefined;
    case 'counted':
      return group && { ...group, window: counted(event.opens ? undefined : group.window, event) };
    case 'tripped':
      return group && tripped(group, event);
    case 'exceeded':
      return group?.freeze && { ...group, freeze: exceeded(group.freeze, event) };
    case 'reset':
      return (
        group && { ...group, window: undefined, freeze: undefined, countsFrom: instant(event.at) }
      );
  }
}

const exceeded = (freeze: MmpFreeze, event: Of<'exceeded'>): MmpFreeze => ({
  ...freeze,
  overshoot: plus(freeze.overshoot, quantity(event.quantity)),
});

function tripped(group: MmpGroup, { at, frozenUntil, limit, reachedAt }: Of<'tripped'>): MmpGroup {
  const until = frozenUntil === undefined ? undefined : instant(frozenUntil);
  return {
    ...group,
    window: undefined,
    freeze: {
      at: instant(at),
      until,
      limit,
      reachedAt: instant(reachedAt ?? at),
      overshoot: ZERO_QUANTITY,
    },
    countsFrom: until ?? INSTANT_MAX,
    trips: group.trips + 1,
  };
}

const configured = (group: MmpGroup | undefined, event: Of<'configured'>): MmpGroup => ({
  config: configOf(event),
  countsFrom: instant(event.at),
  trips: group?.trips ?? 0,
});

const configOf = (event: Of<'configured'>): MmpConfig => ({
  index: event.index,
  group: event.group,
  intervalMs: event.intervalMs,
  frozenMs: event.frozenMs,
  quantityLimit: event.quantityLimit === undefined ? undefined : quantity(event.quantityLimit),
  deltaLimit: event.deltaLimit === undefined ? undefined : quantity(event.deltaLimit),
  vegaLimit: event.vegaLimit === undefined ? undefined : money(event.vegaLimit),
  tradeCountLimit: event.tradeCountLimit,
  maxQuoteQuantity:
    event.maxQuoteQuantity === undefined ? undefined : quantity(event.maxQuoteQuantity),
});

const emptyWindow = (openedAt: Instant): MmpWindow => ({
  openedAt,
  quantity: ZERO_QUANTITY,
  delta: ZERO_QUANTITY,
  vega: ZERO_MONEY,
  trades: 0,
});

function counted(window: MmpWindow | undefined, event: Of<'counted'>): MmpWindow {
  const before = window ?? emptyWindow(instant(event.tradedAt));
  return {
    openedAt: before.openedAt,
    quantity: plus(before.quantity, quantity(event.quantity)),
    delta: plus(before.delta, quantity(event.delta)),
    vega: plus(before.vega, money(event.vega)),
    trades: before.trades + 1,
  };
}
