// The turns that have something to tell, in the order in which they became durable: whoever committed
// them, and whether or not that process lived to tell.
import type { AccountId, PortfolioId } from '../values/ids.ts';

export interface LoggedTurn {
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** Its events are those after `fromVersion`, up to and with `version`. */
  readonly fromVersion: number;
  readonly version: number;
  /** Messages it is told in. */
  readonly tells: number;
}

/** Turns that became durable at once. */
export interface TurnGroup {
  /** Rises with every group, by any step; 0 is the beginning. */
  readonly position: bigint;
  readonly turns: readonly LoggedTurn[];
}

export interface TurnLog {
  /** Of the latest group before which no other will appear any more. */
  newestPosition(): Promise<bigint>;
  /**
   * Groups in order, the one at `from` first; at most `limit`. A group is shown when no other can appear
   * before it any more. `undefined` when there is no group at `from`: what came after it may be forgotten.
   */
  groupsFrom(from: bigint, limit: number): Promise<readonly TurnGroup[] | undefined>;
}
