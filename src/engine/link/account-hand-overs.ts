// Hands over what of an account is in memory alone when its shard changes hands by plan: how full its message budget is,
// and its overrides. The owner tells the other daemons before it gives the shard up; the one that begins to own it goes
// on from there. What was not handed over, as by a daemon that was killed, is taken for spent: the budget begins as it
// would be had the former owner sent all it might, and overrides are gone.
import { isInShards, shardOf } from '../../core/ownership/shards.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeldLease } from '../../ports/ledger.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { GONE_MS } from '../ownership/absences.ts';
import type { Connections } from '../ownership/account-connections.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { AccountMemory, Gate } from '../risk/gate.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface AccountHandOversOptions {
  readonly clock: Clock;
  readonly ownership: Pick<
    Ownership,
    'hasAlwaysBeenAlone' | 'epochOf' | 'onGain' | 'onAnnounce' | 'onHandOver'
  >;
  readonly calls: Pick<OwnerCalls, 'everywhere'>;
  readonly venues: VenueDirectory;
  readonly gate: Pick<Gate, 'memoryOf' | 'recall'>;
  readonly connections: Pick<Connections, 'expect'>;
}

/** What the owner of an account leaves to the next one. */
export interface HandedAccount {
  readonly account: AccountId;
  /** Of the lease under which it was owned. */
  readonly epoch: number;
  readonly memory: AccountMemory;
}

export const EXPECT = 'accounts.expect';
export const HAND_OVER = 'accounts.handOver';
/** How long an owner continues with accounts while the others connect them. */
const EXPECT_MS_MAX = 2_000;
/** A daemon that does not answer must not delay the hand-over. */
const TELL_MS_MAX = 100;
/** A lease is given up with the next epoch, and taken with the one after it. */
const EPOCHS = 2;

export class AccountHandOvers {
  readonly #options: AccountHandOversOptions;
  /** The latest that was left of each account, here or by another daemon. */
  readonly #left = new Map<AccountId, HandedAccount>();
  /** The epochs under which shards were owned last. */
  readonly #epochs = new Map<number, number>();

  constructor(options: AccountHandOversOptions) {
    this.#options = options;
    options.ownership.onAnnounce((shards) => this.#announce(shards));
    options.ownership.onHandOver((leases) => this.#give(leases));
    options.ownership.onGain((shards) => this.#take(shards));
  }

  /** Another daemon is about to give these accounts up. */
  receive(handed: readonly HandedAccount[]): void {
    for (const one of handed) this.#left.set(one.account, one);
  }

  /** Another daemon gives these accounts up in a moment. Resolves when they are connected and caught up, or cannot be. */
  async expect(accounts: readonly AccountId[]): Promise<void> {
    await this.#options.connections.expect(accounts);
  }

  async #announce(shards: readonly number[]): Promise<void> {
    const accounts = [...this.#accounts()].map(([account]) => account).filter(isInShards(shards));
    if (accounts.length === 0) return;
    await this.#within(EXPECT_MS_MAX, this.#options.calls.everywhere<null>(EXPECT, [accounts]));
  }

  async #give(leases: readonly HeldLease[]): Promise<void> {
    const { calls, gate } = this.#options;
    const epochs = new Map(leases.map(({ shard, epoch }) => [shard, epoch]));
    const handed: HandedAccount[] = [];
    for (const [account, venue] of this.#accounts()) {
      const epoch = epochs.get(shardOf(account));
      if (epoch === undefined) continue;
      handed.push({ account, epoch, memory: gate.memoryOf({ venue, account }) });
      // It is granted and used by the next owner alone.
      gate.recall({ venue, account }, { overrides: [] });
    }
    if (handed.length === 0) return;
    // Where the shard could not be given up after all, it continues from what it had itself.
    this.receive(handed);
    await this.#within(TELL_MS_MAX, calls.everywhere<null>(HAND_OVER, [handed]));
  }

  async #within(ms: number, told: Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    let stopTimer: () => void = () => undefined;
    const isLate = new Promise<void>((done) => {
      stopTimer = clock.at(later(clock.now(), ms), done);
    });
    await Promise.race([told, isLate]);
    stopTimer();
  }

  #take(shards: readonly number[]): void {
    const { clock, ownership, gate } = this.#options;
    const isAlone = ownership.hasAlwaysBeenAlone();
    const gained = new Set(shards);
    for (const [account, venue] of this.#accounts()) {
      const shard = shardOf(account);
      const epoch = ownership.epochOf(shard);
      if (!gained.has(shard) || epoch === undefined) continue;
      const left = this.#left.get(account);
      const isNews = left?.epoch === epoch - EPOCHS || left?.epoch === epoch;
      const isSame = this.#epochs.get(shard) === epoch;
      this.#epochs.set(shard, epoch);
      this.#left.delete(account);
      if (left !== undefined && isNews) gate.recall({ venue, account }, left.memory);
      else if (!isSame && !isAlone && epoch > 1) {
        const spent = { tokens: 0, at: later(clock.now(), -GONE_MS) };
        gate.recall({ venue, account }, { budget: spent, overrides: [] });
      }
    }
  }

  *#accounts(): Iterable<readonly [AccountId, Venue]> {
    const { venues } = this.#options;
    for (const account of venues.accounts?.() ?? []) {
      const venue = venues.forAccount(account);
      if (venue !== undefined) yield [account, venue];
    }
  }
}
