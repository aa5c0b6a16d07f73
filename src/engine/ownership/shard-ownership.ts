// Owns this daemon's share of the shards by leases. It reviews the leases twice a second, takes what nobody owns up
// to its share, and gives up what is beyond it; a shard that it gives up is handed over once nothing of it is under
// way. The leases are advice: while they cannot be read, it continues with those that it knows.

import type { Lease, LeaseView } from '../../core/ownership/lease.ts';
import { shardOf } from '../../core/ownership/shards.ts';
import { shareOf } from '../../core/ownership/share-shards.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { ShardLeases } from '../../ports/deployment/shard-leases.ts';
import type { HeldLease } from '../../ports/ledger.ts';
import type { Nudges } from '../../ports/nudges.ts';
import type { Observer } from '../../ports/observer.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Absences } from './absences.ts';
import type { HandOverListener, Ownership, ShardListener } from './ownership.ts';

export interface ShardOwnershipOptions {
  readonly clock: Clock;
  readonly leases: ShardLeases;
  readonly observer: Observer;
  /** Drawn for this life of the process. */
  readonly name: string;
  /** Where the other daemons reach this engine. */
  readonly address: string;
  /** The accounts of the deployment. */
  readonly accounts: () => Iterable<AccountId>;
  /** May have seen the leases before, so that a start need not wait to find out who is gone. */
  readonly absences: Absences;
  /** Tells the other daemons at once that leases have changed. */
  readonly nudges: Nudges;
}

/** How often the leases are read. */
const REVIEW_MS = 500;
/** How often the membership is renewed: a third of its duration. */
const RENEW_MS = 2_000;
/** How long the others have to renew their memberships after an outage of the store. */
const RETURN_MS = 2_000;
/** How long a start waits for owners who are going to be found gone. */
const SETTLE_MS_MAX = 1_500;
const SETTLE_REST_MS = 100;

const TOPIC = 'shards';

export class ShardOwnership implements Ownership, Lifetime {
  readonly #options: ShardOwnershipOptions;
  /** Shards, and the epochs of their leases. */
  readonly #owned = new Map<number, number>();
  readonly #gains: ShardListener[] = [];
  readonly #losses: ShardListener[] = [];
  readonly #expectations: ShardListener[] = [];
  readonly #announcements: ShardListener[] = [];
  readonly #handOvers: HandOverListener[] = [];
  /** As of the latest review. */
  readonly #addresses = new Map<number, string>();
  #peers: readonly string[] = [];
  readonly #onPeers: (() => void)[] = [];
  #daemons = 1;
  #hasSeenAnother = false;
  readonly #reviews = new InFlight();
  #renewedMs = Number.NEGATIVE_INFINITY;
  #isReviewing = false;
  /** The latest review failed, which is reported once. */
  #isCutOff = false;
  /** On the monotonic clock. */
  #othersReturnUntilMs = Number.NEGATIVE_INFINITY;
  #mustReviewAgain = false;
  #isEnding = false;
  #stopTimer: StopTimer = () => undefined;
  #stopListening = (): void => undefined;

  constructor(options: ShardOwnershipOptions) {
    this.#options = options;
  }

  owns(shard: number): boolean {
    return this.#owned.has(shard);
  }

  epochOf(shard: number): number | undefined {
    return this.#owned.get(shard);
  }

  superseded({ shard, epoch }: HeldLease): void {
    if (this.#owned.get(shard) !== epoch) return;
    void this.#reviews.track(this.#lost([shard]));
    this.#reviewSoon();
  }

  addressOf(shard: number): string | undefined {
    return this.#owned.has(shard) ? undefined : this.#addresses.get(shard);
  }

  peers(): readonly string[] {
    return this.#peers;
  }

  onPeers(listener: () => void): void {
    this.#onPeers.push(listener);
  }

  daemons(): number {
    return this.#daemons;
  }

  hasAlwaysBeenAlone(): boolean {
    return !this.#hasSeenAnother;
  }

  shards(): readonly number[] {
    return [...this.#owned.keys()];
  }

  onGain(listener: ShardListener): void {
    this.#gains.push(listener);
  }

  onLoss(listener: ShardListener): void {
    this.#losses.push(listener);
  }

  onExpect(listener: ShardListener): void {
    this.#expectations.push(listener);
  }

  onAnnounce(listener: ShardListener): void {
    this.#announcements.push(listener);
  }

  onHandOver(listener: HandOverListener): void {
    this.#handOvers.push(listener);
  }

  /** Takes part from now on; resolves when every shard has an owner who is there, or after a bounded wait. */
  async start(): Promise<void> {
    const { clock, nudges } = this.#options;
    const until = clock.monotonicMs() + SETTLE_MS_MAX;
    for (;;) {
      const isSettled = await this.#reviews.track(this.#review());
      // It may be stopped before it has started.
      if (this.#isEnding) return;
      if (isSettled || clock.monotonicMs() >= until) break;
      await new Promise<void>((done) => clock.at(later(clock.now(), SETTLE_REST_MS), done));
    }
    this.#stopListening = nudges.onNudge(TOPIC, () => this.#reviewSoon());
    this.#again();
  }

  /** Lets the others prepare for every shard of this daemon, which still works them. To be followed by {@link drain}. */
  async announceLeave(): Promise<void> {
    await this.#announce([...this.#owned.keys()]);
  }

  /** Takes nothing more; completes the review in progress. */
  async drain(): Promise<void> {
    this.stop();
    await this.#reviews.idle();
  }

  stop(): void {
    this.#isEnding = true;
    this.#stopTimer();
    this.#stopListening();
  }

  /** Gives up every shard: called once nothing more is done for them. */
  async leave(): Promise<void> {
    await this.drain();
    const { leases, name, nudges, observer } = this.#options;
    const shards = [...this.#owned.keys()];
    const held = this.#heldOf(shards);
    this.#owned.clear();
    await this.#handOver(held);
    try {
      await leases.leave(name);
    } catch (error) {
      // The others see that the connection is gone.
      observer.observe({ event: 'failed', where: 'leases', error });
    }
    observer.observe({ event: 'shards_moved', gained: [], lost: shards, owned: 0 });
    nudges.nudge(TOPIC);
  }

  #again(): void {
    const { clock } = this.#options;
    if (this.#isEnding) return;
    this.#stopTimer = clock.at(later(clock.now(), REVIEW_MS), () => {
      void this.#reviews.track(this.#review()).finally(() => this.#again());
    });
  }

  /** One review at a time: a nudge during one is followed by another. */
  #reviewSoon(): void {
    if (this.#isEnding) return;
    if (this.#isReviewing) this.#mustReviewAgain = true;
    else void this.#reviews.track(this.#review());
  }

  /** True if every shard has an owner who is there. Never rejects: without the store it continues with what it knows. */
  async #review(): Promise<boolean> {
    if (this.#isReviewing || this.#isEnding) return false;
    this.#isReviewing = true;
    let isSettled = false;
    try {
      do {
        this.#mustReviewAgain = false;
        await this.#renew();
        const view = await this.#options.leases.view();
        if (this.#isCutOff) this.#awaitOthers();
        isSettled = await this.#adjust(view);
        this.#isCutOff = false;
      } while (this.#mustReviewAgain && !this.#isEnding);
    } catch (error) {
      if (!this.#isCutOff)
        this.#options.observer.observe({ event: 'failed', where: 'leases', error });
      this.#isCutOff = true;
    } finally {
      this.#isReviewing = false;
    }
    return isSettled;
  }

  async #renew({ isDue = false } = {}): Promise<void> {
    const { clock, leases, name, address } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!isDue && nowMs - this.#renewedMs < RENEW_MS) return;
    await leases.renew({ name, address, isLeaving: false });
    this.#renewedMs = nowMs;
  }

  async #adjust(view: LeaseView): Promise<boolean> {
    const { leases, name } = this.#options;
    const held = view.leases.filter(({ owner }) => owner === name);
    const isHeld = new Set(held.map(({ shard }) => shard));
    await this.#lost([...this.#owned.keys()].filter((shard) => !isHeld.has(shard)));
    // A connection that was replaced is known by the next renewal: before the others take this daemon for gone.
    const own = view.members.find((one) => one.name === name);
    if (own?.isConnected !== true) await this.#renew({ isDue: true });
    const gone = this.#goneIn(view);
    this.#noteOthers(view, gone);
    this.#expect(view);
    const share = shareOf({ view, self: name, gone, occupied: this.#occupied() });
    if (share.giveUp.length > 0) {
      // What follows takes a while.
      await this.#renew({ isDue: true });
      await this.#announce(share.giveUp);
      const given = this.#heldOf(share.giveUp);
      await this.#lost(share.giveUp);
      await this.#handOver(given);
      await leases.release(name, share.giveUp);
    }
    const taken = share.take.length > 0 ? await leases.take(name, share.take) : [];
    // A lease that is held without being known is one whose answer was lost.
    const kept = held.filter(({ shard }) => !share.giveUp.includes(shard));
    this.#gained([...kept, ...taken]);
    if (share.giveUp.length + taken.length > 0) this.#options.nudges.nudge(TOPIC);
    // A member without a connection is back, or found gone, in a moment.
    const here = new Set(
      view.members.flatMap((one) =>
        one.name === name || (one.isCurrent && one.isConnected) ? [one.name] : [],
      ),
    );
    const owners = new Map(taken.map(({ shard, owner }) => [shard, owner]));
    return view.leases.every(({ shard, owner }) => here.has(owners.get(shard) ?? owner ?? ''));
  }

  #heldOf(shards: readonly number[]): readonly HeldLease[] {
    return shards.flatMap((shard) => {
      const epoch = this.#owned.get(shard);
      return epoch === undefined ? [] : [{ shard, epoch }];
    });
  }

  /** Shards of members whose connection is missing: in a moment it is back, or they are gone. */
  #expect({ members, leases }: LeaseView): void {
    const here = new Set(members.flatMap((one) => (one.isConnected ? [one.name] : [])));
    const shards = leases.flatMap(({ shard, owner }) =>
      owner === undefined || here.has(owner) ? [] : [shard],
    );
    if (shards.length > 0) for (const listener of this.#expectations) void listener(shards);
  }

  /** What cannot be prepared must not keep the shards from the others. */
  async #announce(shards: readonly number[]): Promise<void> {
    if (shards.length === 0 || this.#peers.length === 0) return;
    for (const listener of this.#announcements) {
      try {
        await listener(shards);
      } catch (error) {
        this.#options.observer.observe({ event: 'failed', where: 'hand_over', error });
      }
    }
  }

  /** What cannot be handed over must not keep the shards from the others. */
  async #handOver(leases: readonly HeldLease[]): Promise<void> {
    if (leases.length === 0 || this.#peers.length === 0) return;
    for (const listener of this.#handOvers) {
      try {
        await listener(leases);
      } catch (error) {
        this.#options.observer.observe({ event: 'failed', where: 'hand_over', error });
      }
    }
  }

  #awaitOthers(): void {
    this.#othersReturnUntilMs = this.#options.clock.monotonicMs() + RETURN_MS;
  }

  #goneIn(view: LeaseView): ReadonlySet<string> {
    const areReturning = this.#options.clock.monotonicMs() < this.#othersReturnUntilMs;
    const gone = new Set(this.#options.absences.note(view, { areReturning }));
    gone.delete(this.#options.name);
    return gone;
  }

  #noteOthers({ members, leases }: LeaseView, gone: ReadonlySet<string>): void {
    const present = members.filter(({ name }) => !gone.has(name));
    const others = present.filter(({ name }) => name !== this.#options.name);
    const before = this.#peers;
    this.#peers = others.flatMap(({ address }) => address ?? []);
    this.#daemons = others.length + 1;
    // A member without a connection died before this one began, or was seen connected earlier.
    this.#hasSeenAnother ||= others.some(({ isConnected }) => isConnected);
    // Not this one: the next owner of a shard that it gives up is not known before the next review.
    const addresses = new Map(others.map(({ name, address }) => [name, address]));
    this.#addresses.clear();
    for (const { shard, owner } of leases) {
      const address = owner === undefined ? undefined : addresses.get(owner);
      if (address !== undefined) this.#addresses.set(shard, address);
    }
    if (before.join() !== this.#peers.join()) for (const listener of this.#onPeers) listener();
  }

  #occupied(): ReadonlySet<number> {
    return new Set([...this.#options.accounts()].map(shardOf));
  }

  #gained(leases: readonly Lease[]): void {
    const gained = leases.filter(({ shard }) => !this.#owned.has(shard));
    for (const { shard, epoch } of leases) this.#owned.set(shard, epoch);
    if (gained.length === 0) return;
    const shards = gained.map(({ shard }) => shard);
    this.#options.observer.observe({
      event: 'shards_moved',
      gained: shards,
      lost: [],
      owned: this.#owned.size,
    });
    // Taking them up continues while the leases are renewed.
    for (const listener of this.#gains) void listener(shards);
  }

  async #lost(shards: readonly number[]): Promise<void> {
    const own = shards.filter((shard) => this.#owned.delete(shard));
    if (own.length === 0) return;
    this.#options.observer.observe({
      event: 'shards_moved',
      gained: [],
      lost: own,
      owned: this.#owned.size,
    });
    for (const listener of this.#losses) await listener(own);
  }
}
