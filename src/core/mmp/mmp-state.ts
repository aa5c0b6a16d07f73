// The protection of one account and kind: its groups, each with its window and freeze. It is the fold of its events.
// Whether a group is frozen depends on the instant: a freeze expires without an event.
import type { Money, Quantity } from '../../values/amounts.ts';
import { type Instant, later } from '../../values/instant.ts';
import { ALL_INDEXES } from './index-names.ts';
import type { MmpConfig, MmpLimit } from './mmp-config.ts';

/** Opened by a trade and never extended: [openedAt, openedAt + interval). */
export interface MmpWindow {
  readonly openedAt: Instant;
  /** Gross, in coins. */
  readonly quantity: Quantity;
  /** Net, in coins. */
  readonly delta: Quantity;
  /** Net, in USD per volatility point. */
  readonly vega: Money;
  readonly trades: number;
}

export interface MmpFreeze {
  readonly at: Instant;
  /** Without it until a manual reset. */
  readonly until?: Instant | undefined;
  /** The limit that was reached; absent if the venue's own protection tripped. */
  readonly limit?: MmpLimit | undefined;
  /** When the trade was made that reached the limit; `at` if the venue's own protection tripped. */
  readonly reachedAt: Instant;
  /**
   * Gross, in coins: what the group has traded from then until the end of the freeze. Orders that wait at the venue for
   * its speed bump when the group trips may still fill, and a cancel takes its time.
   */
  readonly overshoot: Quantity;
}

export interface MmpGroup {
  readonly config: MmpConfig;
  readonly window?: MmpWindow | undefined;
  /** The latest freeze, even if it has expired. */
  readonly freeze?: MmpFreeze | undefined;
  /** Trades before this instant do not count: they precede the configuration, a reset, or the end of a freeze. */
  readonly countsFrom: Instant;
  /** How many times it has tripped. */
  readonly trips: number;
}

export interface MmpState {
  /** Number of events folded. */
  readonly version: number;
  readonly groups: ReadonlyMap<string, MmpGroup>;
}

export const EMPTY_MMP: MmpState = { version: 0, groups: new Map() };

/** The index and group to which an order or a trade belongs. */
export interface MmpPlace {
  readonly index: string;
  readonly group: string;
}

/** An index name contains no space; a group name may contain any character. */
export const groupKey = ({ index, group }: MmpPlace): string => `${index} ${group}`;

export const groupOf = (state: MmpState, place: MmpPlace): MmpGroup | undefined =>
  state.groups.get(groupKey(place));

/** The unnamed group of `all` covers every trade and quote. */
export function covers({ index, group }: MmpPlace, place: MmpPlace): boolean {
  if (index === ALL_INDEXES) return group === '' || group === place.group;
  return index === place.index && group === place.group;
}

export const isFrozen = ({ freeze }: MmpGroup, now: Instant): boolean =>
  freeze !== undefined && (freeze.until === undefined || now < freeze.until);

/** When the window that runs at `now` ends, exclusive; `undefined` if none runs. */
export function windowEnd({ window, config }: MmpGroup, now: Instant): Instant | undefined {
  if (window === undefined) return undefined;
  const end = later(window.openedAt, config.intervalMs);
  return now < end ? end : undefined;
}

/** The group that forbids new orders and quotes of `place` at `now`, if any. */
export const frozenGroup = (
  state: MmpState,
  place: MmpPlace,
  now: Instant,
): MmpGroup | undefined => {
  for (const group of state.groups.values()) {
    if (isFrozen(group, now) && covers(group.config, place)) return group;
  }
  return undefined;
};

/** What a freeze forbids, and until when. */
export interface MmpFreezeInForce extends MmpPlace {
  /** Without it until a manual reset. */
  readonly until?: Instant | undefined;
}

/** The freezes in force at `now`. */
export function freezesAt({ groups }: MmpState, now: Instant): readonly MmpFreezeInForce[] {
  const found: MmpFreezeInForce[] = [];
  for (const group of groups.values()) {
    if (!isFrozen(group, now)) continue;
    const { config, freeze } = group;
    found.push({ index: config.index, group: config.group, until: freeze?.until });
  }
  return found;
}

/** Whether one of the freezes forbids orders of `place` at `now`. */
export const forbids = (
  freezes: readonly MmpFreezeInForce[],
  place: MmpPlace,
  now: Instant,
): boolean =>
  freezes.some((one) => covers(one, place) && (one.until === undefined || now < one.until));
