// The operations on market maker protection that gateways offer: configure, query and reset groups per account, and
// subscribe to trips.
import type { MmpConfig, MmpKind } from '../../core/mmp/mmp-config.ts';
import type { Reply } from '../../ports/trading-desk.ts';
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

/** Absent members do not filter. */
export interface MmpFilter {
  readonly account: AccountId;
  readonly kind?: MmpKind | undefined;
  readonly index?: string | undefined;
  readonly group?: string | undefined;
}

export interface MmpFrozen extends MmpName {
  /** Absent: frozen until it is reset. */
  readonly until?: Instant | undefined;
}

export interface MmpSetting extends MmpConfig {
  readonly kind: MmpKind;
}

export interface MmpOperations {
  /** Starts afresh: counters and freeze are cleared. A window of 0 removes the group. In force once this resolves. */
  configure(
    account: AccountId,
    setting: MmpSetting & { readonly by: string },
  ): Promise<Reply<MmpSetting>>;
  configs(filter: MmpFilter): Promise<Reply<readonly MmpSetting[]>>;
  /** The groups that are frozen now. */
  frozen(filter: MmpFilter): Promise<Reply<readonly MmpFrozen[]>>;
  /** Ends a freeze and empties the window; succeeds if there is nothing to reset. */
  reset(name: MmpName & { readonly by: string }): Promise<Reply<null>>;
  /** Calls `listener` once for every trip, whichever process counted it. */
  listen(listener: (trip: MmpFrozen) => void): () => void;
}
