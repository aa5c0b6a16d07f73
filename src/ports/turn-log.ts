// The turns that publish messages, in the order in which they became durable, regardless of which process committed
// them and whether it survived to publish them.
import { assert } from '../values/assert.ts';
import type { AccountId, PortfolioId } from '../values/ids.ts';

export interface LoggedTurn {
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** Its events are those after `fromVersion` up to and including `version`. */
  readonly fromVersion: number;
  readonly version: number;
  /** Number of messages published for it. */
  readonly tells: number;
}

/** Turns that became durable at once. */
export interface TurnGroup {
  /** Increases with every group, by any step; 0 is the beginning. */
  readonly position: bigint;
  readonly turns: readonly LoggedTurn[];
}

export interface TurnLog {
  /** Position of the latest group before which no other can appear any more. */
  newestPosition(): Promise<bigint>;
  /**
   * Groups in order, starting with the one at `from`; at most `limit`, which is at least 1. A group is returned only once no other can
   * appear before it. `undefined` if `from` has no group: later groups may have been deleted.
   */
  groupsFrom(from: bigint, limit: number): Promise<readonly TurnGroup[] | undefined>;
}

/** Precondition of a read: without the group at `from` it would not tell a position that is known from one that is not. */
export function checkGroupsMax(limit: number): void {
  assert(limit >= 1, () => `a read of ${limit} groups; accepted: at least 1`);
}

/** For a process without others alongside it, which reads no turns of others: it has no group, and stays so. */
export const NO_TURN_LOG: TurnLog = {
  newestPosition: () => Promise.resolve(0n),
  groupsFrom: () => Promise.resolve([]),
};
