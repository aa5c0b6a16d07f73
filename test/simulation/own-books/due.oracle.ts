// I25 from below, judged at every event: what is due and could be done is done within a bound, where no fault, no
// limit and no market stands in the way. Under-ordering, stalls and end actions that are not followed show here.
import type { InstrumentName, PortfolioId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { SWEEP_GRACE_MS, SWEEP_MS } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import { attemptsSure, hasThinBooks, losesWakes } from '../plan/plan-kinds.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import type { SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { Calm } from './calm.ts';
import { AGAIN_MS, type DueWork, dueWork, leftAtEnd } from './due-work.ts';
import { admits, GUARDS, type GuardTerms, guardTerms } from './guards.ts';
import type { OwnBook } from './own-book.ts';

export interface DueOracleOptions {
  readonly plan: SimulationPlan;
  readonly market: SimulatedMarket;
  /** Both sides of a book are there to trade with, by the exchange itself. */
  readonly isWhole: (name: InstrumentName) => boolean;
  readonly calm: Calm;
  readonly trouble: Trouble;
  readonly now: () => Instant;
  readonly reportBreach: ReportBreach;
}

interface Waiting {
  readonly book: OwnBook;
  readonly work: DueWork;
  /** True time: since when nothing was in the way, as far as is known. */
  readonly since: number;
  readonly until: number;
}

/** A quote older than this may not be believed much longer. */
const SILENT_MS = 2_000;
const DAY_MS = 86_400_000;
const HINDERED = Number.POSITIVE_INFINITY;

export class DueOracle {
  readonly #parts: DueOracleOptions;
  /** No clock is further from true time than this. */
  readonly #clockMs: number;
  readonly #attemptsSure: number;
  readonly #hasThinBooks: boolean;
  /** A wake that the queue loses or delivers late is made up for by the sweeper, however long ago it was requested. */
  readonly #sweepMs: number;
  readonly #waiting = new Map<PortfolioId, Map<string, Waiting>>();
  #first = Number.POSITIVE_INFINITY;

  constructor(parts: DueOracleOptions) {
    this.#parts = parts;
    this.#clockMs = parts.plan.margins.skewMs;
    this.#attemptsSure = attemptsSure(parts.plan);
    this.#hasThinBooks = hasThinBooks(parts.plan);
    this.#sweepMs = losesWakes(parts.plan) ? SWEEP_MS + SWEEP_GRACE_MS : 0;
  }

  /** Something of the portfolio has changed. */
  follow(book: OwnBook): void {
    const before = this.#waiting.get(book.id);
    if (book.isOver && before === undefined) return;
    const now = this.#parts.now();
    if (book.isOver && before !== undefined) this.#judgeEnd(book, now);
    const waiting = new Map<string, Waiting>();
    for (const work of dueWork(book, this.#attemptsSure)) {
      const key = `${work.what} ${work.from}`;
      waiting.set(key, before?.get(key) ?? this.#wait(book, work, Math.max(now, work.from)));
    }
    for (const [key, done] of before ?? []) if (!waiting.has(key)) this.#done(done, now);
    if (waiting.size > 0) this.#waiting.set(book.id, waiting);
    else this.#waiting.delete(book.id);
    this.#order();
  }

  /** To be called after every event, whatever it was. */
  judge(): void {
    const isWatched = this.#hasThinBooks && this.#waiting.size > 0;
    if (isWatched) this.#parts.market.noteDrained(this.#parts.isWhole);
    const now = this.#parts.now();
    if (now <= this.#first) return;
    for (const waiting of this.#waiting.values()) {
      for (const [key, one] of waiting) {
        if (now <= one.until) continue;
        const free = this.#freeSince(one, now);
        if (free <= one.since) {
          this.#parts.reportBreach('I25', `${one.book.id} had ${one.work.what} and did not`);
        }
        waiting.set(key, this.#again(one, Math.min(now, free)));
      }
    }
    this.#order();
  }

  /** What could have been traded after the end was. */
  #judgeEnd(book: OwnBook, now: number): void {
    const { reportBreach, trouble } = this.#parts;
    const { timedOutAt, timeOverAt = 0 } = book;
    if (timedOutAt === undefined) return;
    trouble.note('judged at its time limit');
    for (const work of leftAtEnd(book, this.#attemptsSure)) {
      const since = Math.max(0, timeOverAt - this.#clockMs);
      if (this.#freeSince({ book, work, since, until: now }, now) > since) continue;
      reportBreach('I25', `${book.id} had ${work.what} and did not`);
    }
  }

  #order(): void {
    this.#first = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting.values()) {
      for (const { until } of waiting.values()) this.#first = Math.min(this.#first, until);
    }
  }

  #wait(book: OwnBook, work: DueWork, since: number): Waiting {
    const { latencyMs } = this.#parts.plan;
    const withinMs = work.withinMs + (work.leg === undefined ? this.#sweepMs : 0);
    const until = since + withinMs + this.#clockMs + 4 * latencyMs;
    return { book, work, since, until };
  }

  /** Something was in the way until `since`: the market is looked at again when it is polled. */
  #again({ book, work }: Waiting, since: number): Waiting {
    const withinMs = Math.max(work.withinMs, AGAIN_MS);
    const waiting = this.#wait(book, { ...work, withinMs }, since);
    const isTooLate = work.before !== undefined && waiting.until > work.before;
    return isTooLate ? { ...waiting, until: Number.POSITIVE_INFINITY } : waiting;
  }

  /** Counted where it was judged: a run in which nothing ever is shows nothing. */
  #done(waiting: Waiting, now: number): void {
    const { calm, trouble } = this.#parts;
    const isDue = now >= waiting.since - this.#clockMs;
    if (isDue && calm.isSince(now)) trouble.note('judged in time');
  }

  /** The instant from which on nothing was in the way; later than `now` where something is. */
  #freeSince({ book, work, since }: Waiting, now: number): number {
    const { calm, market } = this.#parts;
    if (!calm.isSince(since) || this.#isBlackout(book, since, now)) return HINDERED;
    if (work.leg === undefined) return since;
    const { instrument } = book.leg(work.leg).terms;
    // What was shown has the instants of the venue's clock.
    const shown = market.shown(instrument.name);
    return this.#openSince(book, work, { since, now, shown });
  }

  #isBlackout({ form }: OwnBook, since: number, now: number): boolean {
    if (form.execution.avoidWindows !== true) return false;
    const { fromMs, toMs } = this.#parts.plan.quietWindow;
    const day = since - (since % DAY_MS);
    return now >= day + fromMs - this.#clockMs && since <= day + toMs + this.#clockMs;
  }

  /** Time since which a price and a book to trade in were available throughout. */
  #openSince(book: OwnBook, work: DueWork, { since, now, shown }: Showing): number {
    const first = shown.findLastIndex((touch) => touch.at <= since - this.#clockMs);
    if (first < 0) return HINDERED;
    const { leg = 0, isSweep } = work;
    const guards = guardTerms(book, leg, isSweep);
    let open = Math.max(since, book.participationSince(leg) + this.#clockMs);
    for (let index = first; index < shown.length; index += 1) {
      const touch = shown[index];
      const nextAt = shown[index + 1]?.at ?? now;
      const isOpen =
        touch !== undefined && nextAt - touch.at <= SILENT_MS && isOpenAt(touch, guards);
      if (!isOpen) open = nextAt + this.#clockMs;
    }
    return open;
  }
}

interface Showing {
  readonly since: number;
  readonly now: number;
  readonly shown: readonly ShownTouch[];
}

const isOpenAt = (touch: ShownTouch, guards: GuardTerms): boolean =>
  GUARDS.every((guard) => admits(guard, touch, touch.at, guards));
