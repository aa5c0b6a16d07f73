// Leases of shards in memory, shared by the daemons of one process.
import type { Lease, LeaseView, Member } from '../../../src/core/ownership/lease.ts';
import { ALL_SHARDS } from '../../../src/core/ownership/shards.ts';
import { LEASE_MS, type ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

interface Membership {
  readonly isLeaving: boolean;
  readonly address: string | undefined;
  readonly until: Instant;
  isConnected: boolean;
}

export class MemoryShardLeases implements ShardLeases {
  readonly #now: () => Instant;
  readonly #members = new Map<string, Membership>();
  readonly #requests = new StoreRequests();
  readonly #leases: Lease[] = ALL_SHARDS.map((shard) => ({ shard, owner: undefined, epoch: 0 }));

  /** `now` is the clock of the store. */
  constructor(now: () => Instant) {
    this.#now = now;
  }

  renew({
    name,
    isLeaving,
    address,
  }: Pick<Member, 'name' | 'isLeaving' | 'address'>): Promise<void> {
    return this.#requests.answer(
      () => {
        const until = later(this.#now(), LEASE_MS);
        this.#members.set(name, { isLeaving, address, until, isConnected: true });
      },
      name,
      address,
    );
  }

  view(): Promise<LeaseView> {
    return this.#requests.answer(() => {
      const now = this.#now();
      const members = [...this.#members].sort(([a], [b]) => (a < b ? -1 : 1));
      return {
        members: members.map(([name, { isLeaving, address, until, isConnected }]) => ({
          name,
          isLeaving,
          address,
          isConnected,
          isCurrent: until > now,
        })),
        leases: [...this.#leases],
      };
    });
  }

  take(name: string, leases: readonly Lease[]): Promise<readonly Lease[]> {
    return this.#requests.answer(() => this.#take(name, leases), name);
  }

  release(name: string, shards: readonly number[]): Promise<void> {
    return this.#requests.answer(() => this.#release(name, shards), name);
  }

  leave(name: string): Promise<void> {
    return this.#requests.answer(() => {
      this.#release(name, ALL_SHARDS);
      this.#members.delete(name);
    }, name);
  }

  #take(name: string, leases: readonly Lease[]): readonly Lease[] {
    const taken: Lease[] = [];
    for (const { shard, epoch } of leases) {
      if (this.#leases[shard]?.epoch !== epoch) continue;
      const lease = { shard, owner: name, epoch: epoch + 1 };
      this.#leases[shard] = lease;
      taken.push(lease);
    }
    return taken.sort((a, b) => a.shard - b.shard);
  }

  #release(name: string, shards: readonly number[]): void {
    for (const shard of shards) {
      const lease = this.#leases[shard];
      if (lease?.owner !== name) continue;
      this.#leases[shard] = { shard, owner: undefined, epoch: lease.epoch + 1 };
    }
  }

  /** The epoch of the shard's lease. */
  epochOf(shard: number): number {
    return this.#leases[shard]?.epoch ?? 0;
  }

  /** As if the process of the member were gone: its connection ends, its membership does not. */
  disconnect(name: string): void {
    const member = this.#members.get(name);
    if (member !== undefined) member.isConnected = false;
  }

  /** Others use the same object. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
