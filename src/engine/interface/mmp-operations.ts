// The operations on market maker protection that gateways offer: configure, query and reset groups per account, and
// subscribe to trips.
import type { MmpConfig, MmpKind } from '../../core/mmp/mmp-config.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Money, Quantity } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** Identifies one group of one account. */
export interface MmpName {
  readonly account: AccountId;
  readonly kind: MmpKind;
  /** An index, or `all`. */
  readonly index: string;
  /** Empty for the unnamed group. */
  readonly group: string;
}

/** Only given members filter. */
export interface MmpFilter {
  readonly account: AccountId;
  readonly kind?: MmpKind | undefined;
  readonly index?: string | undefined;
  readonly group?: string | undefined;
}

export interface MmpFrozen extends MmpName {
  /** Without it frozen until it is reset. */
  readonly until?: Instant | undefined;
}

/** A freeze in force, with what has been traded in spite of it. */
export interface MmpFreezeStatus extends MmpFrozen {
  /** Gross, in coins: what the group has traded since its limit was reached. */
  readonly overshoot: Quantity;
}

export interface MmpSetting extends MmpConfig {
  readonly kind: MmpKind;
}

/** What the trades of the running window add up to, in the units of the limits. */
export interface MmpCounters {
  /** Gross, in coins. */
  readonly quantity: Quantity;
  /** Net, in coins; the limit holds for its absolute value. */
  readonly delta: Quantity;
  /** Net, in USD per volatility point; the limit holds for its absolute value. */
  readonly vega: Money;
  readonly trades: number;
  /** The window excludes this instant. */
  readonly until: Instant;
}

export interface MmpSettingInForce extends MmpSetting {
  /** Absent if no window runs: nothing was traded since the last one, or the group has tripped. */
  readonly used?: MmpCounters | undefined;
}

export interface MmpOperations {
  /** Starts afresh: counters and freeze are cleared. A window of 0 removes the group. In force once this resolves. */
  configure(
    account: AccountId,
    setting: MmpSetting & { readonly by: string },
  ): Promise<Reply<MmpSetting>>;
  configs(filter: MmpFilter): Promise<Reply<readonly MmpSettingInForce[]>>;
  /** The groups that are frozen now. */
  frozen(filter: MmpFilter): Promise<Reply<readonly MmpFreezeStatus[]>>;
  /** Ends a freeze and empties the window; succeeds if there is nothing to reset. */
  reset(name: MmpName & { readonly by: string }): Promise<Reply<null>>;
  /** Calls `listener` once for every trip, whichever process counted it. */
  listen(listener: (trip: MmpFrozen) => void): () => void;
}
