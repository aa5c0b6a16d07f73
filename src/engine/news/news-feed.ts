// Publishes news in one order, without gaps or duplicates. The ledger's log defines what became durable and in
// which order; the bus signals new entries and usually carries their contents already. Without followers nothing is
// read.

import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import { Semaphore } from '../../lifetime/semaphore.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { TurnGroup, TurnLog } from '../../ports/turn-log.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { AccountId } from '../../values/ids.ts';
import { type Instant, later, latest } from '../../values/instant.ts';
import type { Sequence } from '../../values/sequence.ts';
import type { NewsPage, SequencedNews } from '../interface/news-api.ts';
import { endOfGroup } from './news-sequence.ts';
import { NewsSequencer } from './news-sequencer.ts';

export interface NewsFeedOptions {
  readonly bus: EventBus;
  readonly ledger: Pick<Ledger, 'load'>;
  readonly log: TurnLog;
  readonly clock: Clock;
  readonly observer: Observer;
}

export interface NewsFollower {
  readonly wants: (account: AccountId) => boolean;
  readonly notify: (news: SequencedNews) => void;
  /** News before `from` may be missing, because it can no longer be read. */
  readonly lost: (from: Sequence) => void;
}

export const GROUPS_A_PAGE = 100;
/** Everything that becomes durable within this time is read together. */
const GATHER_MS = 5;
/** The longest delay of news from a process that died between the commit and the publication. */
const IDLE_LOOK_MS = 1_000;
const FAULT_REST_MS = 500;
/**
 * After followers had to resynchronize, the log is not read for this long; the delay doubles with each repetition.
 */
const LOST_REST_MS_MIN = 250;
const LOST_REST_MS_MAX = 30_000;
/** A log that could be read without a gap for this long counts as sound again. */
const SOUND_AFTER_MS = 60_000;
/** The number of readers that catch up at the same time; the others wait. */
const READ_UPS_MAX = 2;

export class NewsFeed implements Lifetime {
  readonly #options: NewsFeedOptions;
  readonly #numbering: NewsSequencer;
  readonly #followers = new Set<NewsFollower>();
  readonly #readUps = new Semaphore(READ_UPS_MAX);
  /** Reads of the log. */
  readonly #reads = new InFlight();
  #isStopped = false;
  #opening: Promise<void> | undefined;
  #leaveBus: () => void = () => undefined;
  /** Everything up to this group has been published. */
  #position = 0n;
  #stopTimer: StopTimer = () => undefined;
  #nextLookAt: Instant | undefined;
  #lookedAt: Instant | undefined;
  #restMs = IDLE_LOOK_MS;
  #isOpen = false;
  #isLooking = false;
  #isPoked = false;
  /** No poll takes place before this instant. */
  #restingUntil: Instant | undefined;
  #lostAt: Instant | undefined;
  #lostRestMs = LOST_REST_MS_MIN;
  /** Incremented with every opening: results of a poll from an earlier opening are discarded. */
  #season = 0;

  constructor(options: NewsFeedOptions) {
    this.#options = options;
    this.#numbering = new NewsSequencer(options.ledger);
  }

  /** Does nothing: the feed reads while it has followers. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return this.#reads.idle();
  }

  /** Followers receive nothing more, and there can be no new ones. */
  stop(): void {
    this.#isStopped = true;
    this.#followers.clear();
    this.#close();
  }

  /** Everything up to and including this number has been sent to the followers. */
  get told(): Sequence {
    return endOfGroup(this.#position);
  }

  /** Resolves when nothing that becomes durable from then on is missed; rejects if the ledger does. */
  async follow(follower: NewsFollower): Promise<void> {
    if (this.#isStopped) throw new Error('the news feed has stopped');
    this.#followers.add(follower);
    this.#opening ??= this.#reads.track(this.#open());
    try {
      await this.#opening;
    } catch (error) {
      this.leave(follower);
      // To followers in other processes only its text is passed.
      if (isProgrammingError(error))
        this.#options.observer.observe({ event: 'failed', where: 'news', error });
      throw error;
    }
  }

  leave(follower: NewsFollower): void {
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#close();
  }

  /** The messages published from the group at `from` onwards, including that group. */
  async pageFrom(
    from: bigint,
    isWanted: (account: AccountId) => boolean,
  ): Promise<NewsPage | undefined> {
    return await this.#reads.track(this.#readUps.run(() => this.#page(from, isWanted)));
  }

  async #page(
    from: bigint,
    isWanted: (account: AccountId) => boolean,
  ): Promise<NewsPage | undefined> {
    const groups = await this.#options.log.groupsFrom(from, GROUPS_A_PAGE);
    if (groups === undefined) return undefined;
    const told = await this.#numbering.number(groups, isWanted);
    return groups.map(({ position }, index) => ({
      end: endOfGroup(position),
      news: told[index] ?? [],
    }));
  }

  async #open(): Promise<void> {
    this.#season += 1;
    const season = this.#season;
    this.#leaveBus = this.#options.bus.subscribe((news) => {
      this.#numbering.receive(news);
      this.#poke();
    });
    const position = await this.#options.log.newestPosition();
    if (season !== this.#season) return;
    this.#position = position;
    this.#isOpen = true;
    this.#poke();
  }

  #close(): void {
    this.#season += 1;
    this.#isOpen = false;
    this.#opening = undefined;
    this.#leaveBus();
    this.#stopTimer();
    this.#nextLookAt = undefined;
    this.#numbering.forget();
  }

  #poke(): void {
    if (!this.#isOpen) return;
    this.#isPoked = true;
    this.#restMs = GATHER_MS;
    this.#arm(GATHER_MS);
  }

  #arm(restMs: number): void {
    if (this.#isLooking) return;
    const { clock } = this.#options;
    const now = clock.now();
    const wantedAt = this.#lookedAt === undefined ? now : later(this.#lookedAt, restMs);
    const dueAt = latest(wantedAt, this.#restingUntil ?? wantedAt);
    if (this.#nextLookAt !== undefined && this.#nextLookAt <= dueAt) return;
    this.#stopTimer();
    this.#nextLookAt = dueAt;
    this.#stopTimer = clock.at(dueAt, () => void this.#reads.track(this.#poll()));
  }

  async #poll(): Promise<void> {
    const { clock, observer } = this.#options;
    const season = this.#season;
    this.#nextLookAt = undefined;
    this.#isLooking = true;
    this.#isPoked = false;
    try {
      await this.#publishNew(season);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'news', error });
      this.#restMs = FAULT_REST_MS;
    }
    this.#isLooking = false;
    this.#lookedAt = clock.now();
    if (this.#isOpen) this.#arm(this.#isPoked ? GATHER_MS : this.#restMs);
  }

  async #publishNew(season: number): Promise<void> {
    const { log } = this.#options;
    for (;;) {
      const groups = await log.groupsFrom(this.#position, GROUPS_A_PAGE);
      if (season !== this.#season) return;
      if (groups === undefined) return await this.#beginAnew(season);
      const fresh = groups.slice(1);
      const told = await this.#numbering.number(fresh, (account) => this.#isWanted(account));
      if (season !== this.#season) return;
      for (const [index, group] of fresh.entries()) this.#publish(group, told[index] ?? []);
      this.#numbering.release(fresh);
      this.#restAfter(fresh.length);
      if (groups.length < GROUPS_A_PAGE) return;
    }
  }

  /** A message that was received but is not in the log yet waits for a transaction in progress. */
  #restAfter(found: number): void {
    if (!this.#numbering.isWaiting) this.#restMs = IDLE_LOOK_MS;
    else if (found === 0) this.#restMs = Math.min(2 * this.#restMs, IDLE_LOOK_MS);
    else this.#restMs = GATHER_MS;
  }

  #publish({ position }: TurnGroup, told: readonly SequencedNews[]): void {
    this.#position = position;
    for (const news of told) {
      for (const follower of this.#followers) {
        if (follower.wants(news.account)) this.#guarded(() => follower.notify(news));
      }
    }
  }

  /**
   * The log has no entry at our position: it was truncated. Followers have to read the whole state again, so
   * repeated losses are reported with exponential back-off.
   */
  async #beginAnew(season: number): Promise<void> {
    const { log, observer } = this.#options;
    const from = this.#position;
    const position = await log.newestPosition();
    if (season !== this.#season) return;
    this.#position = position;
    this.#restAfterLoss();
    const error = new Error(
      `the turn log has no group at ${from}; readers go on after ${position}`,
    );
    observer.observe({ event: 'failed', where: 'news', error });
    for (const follower of this.#followers) this.#guarded(() => follower.lost(this.told));
  }

  #restAfterLoss(): void {
    const now = this.#options.clock.now();
    const isSound = this.#lostAt === undefined || now >= later(this.#lostAt, SOUND_AFTER_MS);
    this.#lostRestMs = isSound
      ? LOST_REST_MS_MIN
      : Math.min(2 * this.#lostRestMs, LOST_REST_MS_MAX);
    this.#lostAt = now;
    this.#restingUntil = later(now, this.#lostRestMs);
  }

  #isWanted(account: AccountId): boolean {
    for (const follower of this.#followers) if (follower.wants(account)) return true;
    return false;
  }

  /** An exception of one follower must not affect the others. */
  #guarded(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#options.observer.observe({ event: 'failed', where: 'news', error });
    }
  }
}
