// The protection of one account and kind: its groups, each with its window and freeze. The fold of its
// events. Whether something is frozen is a question to an instant: a freeze that is over needs no event.
import type { Money, Quantity } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
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
  /** Absent: until somebody resets it. */
  readonly until?: Instant | undefined;
  /** What was reached; absent where the venue's own protection tripped. */
  readonly limit?: MmpLimit | undefined;
}

export interface MmpGroup {
  readonly config: MmpConfig;
  readonly window?: MmpWindow | undefined;
  /** The last one, also when it is over. */
  readonly freeze?: MmpFreeze | undefined;
  /** Trades of before belong to nothing: to before the configuration, a reset, or the end of a freeze. */
  readonly countsFrom: Instant;
  /** How often it tripped. */
  readonly trips: number;
}

export interface MmpState {
  /** Number of events folded. */
  readonly version: number;
  readonly groups: ReadonlyMap<string, MmpGroup>;
}

export const EMPTY_MMP: MmpState = { version: 0, groups: new Map() };

/** Where an order or a trade belongs. */
export interface MmpPlace {
  readonly index: string;
  readonly group: string;
}

/** An index has no blank, a group may have any character. */
export const groupKey = ({ index, group }: MmpPlace): string => `${index} ${group}`;

export const groupOf = (state: MmpState, place: MmpPlace): MmpGroup | undefined =>
  state.groups.get(groupKey(place));

/** The group without a name of `all` is about every trade and quote there is. */
export function covers({ index, group }: MmpPlace, place: MmpPlace): boolean {
  if (index === ALL_INDEXES) return group === '' || group === place.group;
  return index === place.index && group === place.group;
}

export const isFrozen = ({ freeze }: MmpGroup, now: Instant): boolean =>
  freeze !== undefined && (freeze.until === undefined || now < freeze.until);

/** The group that forbids new orders and quotes of `place` at `now`, if one does. */
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
