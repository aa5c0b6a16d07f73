// The leases of shards. A lease is advice: it keeps two daemons from doing the same work. What keeps them from doing
// it twice is the version check of the ledger, so a wrong lease costs a conflict and never an order.
import type { Lease, LeaseView, Member } from '../../core/ownership/lease.ts';

/** How long a membership lasts that is not renewed. */
export const LEASE_MS = 6_000;

export interface ShardLeases {
  /** Takes part, or renews that; the membership runs out {@link LEASE_MS} later. */
  renew(self: Pick<Member, 'name' | 'isLeaving' | 'address'>): Promise<void>;
  view(): Promise<LeaseView>;
  /**
   * Makes `name` the owner of those leases that are still as given, each with the next epoch.
   * @returns The leases that it got, in order of shard.
   */
  take(name: string, leases: readonly Lease[]): Promise<readonly Lease[]>;
  /** Gives up those of the shards that `name` owns. */
  release(name: string, shards: readonly number[]): Promise<void>;
  /** Gives up everything that `name` owns, and takes part no more. */
  leave(name: string): Promise<void>;
  close(): Promise<void>;
}
