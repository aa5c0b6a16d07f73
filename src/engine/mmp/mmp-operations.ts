// Market-maker protection as gateways see it: configured, asked and reset per account; trips are told.
import type { MmpConfig, MmpKind } from '../../core/mmp/mmp-config.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** One group of one account. */
export interface MmpName {
  readonly account: AccountId;
  readonly kind: MmpKind;
  /** An index, or `all`. */
  readonly index: string;
  /** Empty for the group without a name. */
  readonly group: string;
}

/** What is absent does not filter. */
export interface MmpFilter {
  readonly account: AccountId;
  readonly kind?: MmpKind | undefined;
  readonly index?: string | undefined;
  readonly group?: string | undefined;
}

export interface MmpFrozen extends MmpName {
  /** Absent: until somebody resets it. */
  readonly until?: Instant | undefined;
}

export interface MmpSetting extends MmpConfig {
  readonly kind: MmpKind;
}

export interface MmpOperations {
  /** Begins anew: counters and freeze are gone. A window of 0 removes it. In force when this answers. */
  configure(
    account: AccountId,
    setting: MmpSetting & { readonly by: string },
  ): Promise<Reply<MmpSetting>>;
  configs(filter: MmpFilter): Promise<Reply<readonly MmpSetting[]>>;
  /** Those that are frozen now. */
  frozen(filter: MmpFilter): Promise<Reply<readonly MmpFrozen[]>>;
  /** Ends a freeze and empties the window; nothing to reset is no fault. */
  reset(name: MmpName & { readonly by: string }): Promise<Reply<null>>;
  /** Calls `listener` once for every trip, whichever process counted it. */
  listen(listener: (trip: MmpFrozen) => void): () => void;
}
