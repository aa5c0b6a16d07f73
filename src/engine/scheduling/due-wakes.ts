// When each portfolio of this process is due, whether its state is in memory or not. What is due within a horizon is
// requested from the queue, the nearest first; the rest waits here. What the queue refused is woken by a timer of this
// process, and so is, a moment late, what it did not deliver in time.

import { type DueEntry, DueIndex } from '../../core/schedule/due-index.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { DueSlice, JobQueue, Wake } from '../../ports/job-queue.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, instant, later } from '../../values/instant.ts';
import { WakeRequests } from './request-wakes.ts';

export interface DueWakesOptions {
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'schedule'>;
  readonly observer: Observer;
  /** The slices that people see in the queue for the entry. */
  readonly slicesOf: (entry: DueEntry) => readonly DueSlice[];
  /** Called when a portfolio is due that the queue does not wake. */
  readonly onDue: (portfolio: PortfolioId) => void;
  /** Nothing waits in the queue for longer than this. Default: {@link HORIZON_MS}. */
  readonly wakesAheadMs?: number | undefined;
}

export const HORIZON_MS = 60_000;
/** Portfolios due within the same step are requested together, so that those of a shard share jobs. */
export const STEP_MS = 1_000;
/** How long after its instant a wake-up counts as lost. */
export const CATCH_MS = 200;

export class DueWakes {
  readonly #options: DueWakesOptions;
  readonly #requests: WakeRequests;
  /** Each portfolio is in one of them at most: to be requested, requested, or left to a timer of this process. */
  readonly #ahead = new DueIndex();
  readonly #requested = new DueIndex();
  readonly #own = new DueIndex();
  readonly #horizonMs: number;
  #timerAt: Instant | undefined;
  #stopTimer: StopTimer = () => undefined;
  #isStopped = false;

  constructor(options: DueWakesOptions) {
    this.#options = options;
    this.#horizonMs = options.wakesAheadMs ?? HORIZON_MS;
    this.#requests = new WakeRequests({
      ...options,
      onRefused: (wake) => this.#refused(wake),
      onRoom: () => this.#request(),
    });
  }

  /** The number of portfolios that are due at some time. */
  get size(): number {
    return this.#ahead.size + this.#requested.size + this.#own.size;
  }

  has(portfolio: PortfolioId): boolean {
    return this.#all.some((index) => index.dueAt(portfolio) !== undefined);
  }

  /** From now on the portfolio is due at the entry's instant, and at no other. */
  put(entry: DueEntry): void {
    const { portfolio, dueAt } = entry;
    const isRequested = this.#requested.dueAt(portfolio) === dueAt;
    if (isRequested || this.#own.dueAt(portfolio) === dueAt) return;
    this.remove(portfolio);
    this.#ahead.put(entry);
    this.#request();
  }

  remove(portfolio: PortfolioId): void {
    for (const index of this.#all) index.remove(portfolio);
  }

  /** Removes all portfolios of the shard. */
  removeShard(shard: number): void {
    for (const index of this.#all) index.removeShard(shard);
  }

  /** What is due at or before the instant, in order. */
  dueUntil(at: Instant): readonly DueEntry[] {
    const due = this.#all.flatMap((index) => index.dueUntil(at));
    return due.sort((one, other) => one.dueAt - other.dueAt);
  }

  /** The queue delivered a wake-up, and will not deliver it again. Returns false if the portfolio is not due then. */
  received({ portfolio, dueAt }: Pick<Wake, 'portfolio' | 'dueAt'>): boolean {
    const index = this.#all.find((one) => one.dueAt(portfolio) === dueAt);
    const wasDue = index?.remove(portfolio) === true;
    if (this.size === 0) this.#disarm();
    return wasDue;
  }

  /** Requests again what is within the horizon: after the queue has lost its jobs, or only what it refused. */
  rearm(what: 'all' | 'refused'): void {
    this.#requests.available();
    for (const index of what === 'all' ? [this.#requested, this.#own] : [this.#own]) {
      for (const entry of index.entries()) this.#ahead.put(entry);
      index.clear();
    }
    this.#request();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
    this.#requests.stop();
    for (const index of this.#all) index.clear();
  }

  get #all(): readonly DueIndex[] {
    return [this.#requested, this.#own, this.#ahead];
  }

  #request(): void {
    if (this.#isStopped) return;
    const until = this.#horizonAt(this.#options.clock.now()) - 1;
    while (this.#requests.hasRoom) {
      const entry = this.#ahead.takeDue(until);
      if (entry === undefined) break;
      this.#requested.put(entry);
      const { portfolio, shard, dueAt } = entry;
      const slices = this.#options.slicesOf(entry);
      const wake = { portfolio, shard, dueAt, ...(slices.length > 0 && { slices }) };
      if (this.#requests.isAway) this.#requests.refuse(wake);
      else this.#requests.send(wake);
    }
    this.#arm();
  }

  /** The end of the last whole step within the horizon. */
  #horizonAt(now: Instant): number {
    return Math.floor((now + this.#horizonMs) / STEP_MS) * STEP_MS;
  }

  /** When the step of an instant comes within the horizon. */
  #requestAt(dueAt: Instant): Instant {
    return instant((Math.floor(dueAt / STEP_MS) + 1) * STEP_MS - this.#horizonMs);
  }

  #refused({ portfolio, dueAt }: Wake): void {
    if (this.#requested.dueAt(portfolio) !== dueAt) return;
    const entry = this.#requested.get(portfolio);
    this.#requested.remove(portfolio);
    if (entry !== undefined) this.#own.put(entry);
    this.#arm();
  }

  #due(): void {
    const { clock, observer, onDue } = this.#options;
    const now = clock.now();
    const take = (index: DueIndex, until: Instant): PortfolioId[] => {
      const taken: PortfolioId[] = [];
      for (let one = index.takeDue(until); one !== undefined; one = index.takeDue(until)) {
        taken.push(one.portfolio);
      }
      return taken;
    };
    const own = take(this.#own, now);
    const late = take(this.#requested, later(now, -CATCH_MS));
    if (late.length > 0) observer.observe({ event: 'sweeper_rescued', portfolios: late, at: now });
    for (const portfolio of [...own, ...late]) onDue(portfolio);
    this.#request();
  }

  /** Nothing is due: the timer would find nothing. */
  #disarm(): void {
    this.#stopTimer();
    this.#timerAt = undefined;
  }

  /** One timer for whatever comes first. One that was set for an earlier instant stays: it finds what is next. */
  #arm(): void {
    const { nextDueAt: ahead } = this.#ahead;
    const { nextDueAt: requested } = this.#requested;
    const { nextDueAt: own } = this.#own;
    const next = Math.min(
      ahead === undefined || !this.#requests.hasRoom
        ? Number.POSITIVE_INFINITY
        : this.#requestAt(ahead),
      requested === undefined ? Number.POSITIVE_INFINITY : later(requested, CATCH_MS),
      own ?? Number.POSITIVE_INFINITY,
    );
    if (next === Number.POSITIVE_INFINITY || this.#isStopped) return;
    if (this.#timerAt !== undefined && this.#timerAt <= next) return;
    this.#stopTimer();
    const at = instant(next);
    this.#timerAt = at;
    this.#stopTimer = this.#options.clock.at(
      at,
      () => {
        this.#timerAt = undefined;
        this.#due();
      },
      at === own ? 'exact' : undefined,
    );
  }
}
