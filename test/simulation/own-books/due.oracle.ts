// I25 from below, judged at every event: what is due and could be done is done within a bound, where no fault, no
// limit and no market stands in the way. Under-ordering, stalls and end actions that are not followed show here.
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { ShownTouch, SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { Calm } from './calm.ts';
import { type DueWork, dueWork, leftAtEnd } from './due-work.ts';
import type { OwnBook } from './own-book.ts';

export interface DueOracleOptions {
  readonly market: SimulatedMarket;
  readonly calm: Calm;
  readonly trouble: Trouble;
  /** No clock is further from true time than this. */
  readonly clockMs: number;
  readonly latencyMs: number;
  /** The window that portfolios may keep out of, of each day. */
  readonly quiet: { readonly fromMs: number; readonly toMs: number };
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
const BPS = 10_000;
/** The largest order of a run that sets no smaller one. */
const ORDER_USD_MAX = 1_000_000;
/** No market of a run shows a coin at more. */
const COIN_USD_MAX = 110_000;

export class DueOracle {
  readonly #parts: DueOracleOptions;
  readonly #waiting = new Map<PortfolioId, Map<string, Waiting>>();
  #first = Number.POSITIVE_INFINITY;

  constructor(parts: DueOracleOptions) {
    this.#parts = parts;
  }

  /** Something of the portfolio has changed. */
  follow(book: OwnBook): void {
    const before = this.#waiting.get(book.id);
    const now = this.#parts.now();
    if (book.isOver && before !== undefined) this.#judgeEnd(book, now);
    const waiting = new Map<string, Waiting>();
    for (const work of dueWork(book)) {
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
    const now = this.#parts.now();
    if (now <= this.#first) return;
    for (const waiting of this.#waiting.values()) {
      for (const [key, one] of waiting) {
        if (now <= one.until) continue;
        if (this.#isFree(one, now)) {
          this.#parts.reportBreach('I25', `${one.book.id} had ${one.work.what} and did not`);
        }
        waiting.set(key, this.#wait(one.book, one.work, now));
      }
    }
    this.#order();
  }

  /** What could have been traded after the end was. */
  #judgeEnd(book: OwnBook, now: number): void {
    const { reportBreach, clockMs, trouble } = this.#parts;
    const { timedOutAt, timeOverAt = 0 } = book;
    if (timedOutAt === undefined) return;
    trouble.note('judged at its time limit');
    for (const work of leftAtEnd(book)) {
      const since = Math.max(0, timeOverAt - clockMs);
      if (!this.#isFree({ book, work, since, until: now }, now)) continue;
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
    const { clockMs, latencyMs } = this.#parts;
    const until = since + work.withinMs + clockMs + 4 * latencyMs;
    return { book, work, since, until };
  }

  /** Counted where it was judged: a run in which nothing ever is shows nothing. */
  #done(waiting: Waiting, now: number): void {
    const { calm, trouble, clockMs } = this.#parts;
    const isDue = now >= waiting.since - clockMs;
    if (isDue && calm.isSince(now)) trouble.note('judged in time');
  }

  #isFree({ book, work, since }: Waiting, now: number): boolean {
    const { calm, market } = this.#parts;
    if (!calm.isSince(since) || this.#isBlackout(book, since, now)) return false;
    if (work.leg === undefined) return true;
    const { instrument, step } = book.leg(work.leg).terms;
    if (isTooLarge(instrument, (work.lots ?? 0) * step)) return false;
    // The market may be beyond the worst price that the leg allows.
    if (book.form.legs[work.leg]?.priceOptions.worst !== undefined) return false;
    // What was shown has the instants of the venue's clock.
    const shown = market.shown(instrument.name);
    return this.#isOpen(book, work, { since: since - this.#parts.clockMs, now, shown });
  }

  #isBlackout({ form }: OwnBook, since: number, now: number): boolean {
    if (form.execution.avoidWindows !== true) return false;
    const { quiet, clockMs } = this.#parts;
    const day = since - (since % DAY_MS);
    return now >= day + quiet.fromMs - clockMs && since <= day + quiet.toMs + clockMs;
  }

  /** Whoever asked for a price could have had one, and a deep book to trade in. */
  #isOpen(book: OwnBook, { isSweep }: DueWork, { since, now, shown }: Showing): boolean {
    const { bandBps, slippageMaxBps, spreadMaxBps, spreadMaxVol, participationMax } =
      book.terms.limits;
    const { endCapBps } = book.form.execution;
    const isBound = [bandBps, slippageMaxBps, participationMax, spreadMaxVol, endCapBps].some(
      (bound) => bound !== undefined,
    );
    if (isBound) return false;
    const at = shown.findLastIndex((touch) => touch.at <= since);
    if (at < 0) return false;
    const touches = shown.slice(at);
    const narrow = isSweep ? undefined : spreadMaxBps;
    return touches.every((touch, index) => {
      const nextAt = touches[index + 1]?.at ?? now;
      return nextAt - touch.at <= SILENT_MS && isGood(touch, narrow);
    });
  }
}

/** Whether an order of this quantity may be worth more than one order of a run may be. */
function isTooLarge({ amountUnit }: Instrument, amount: number): boolean {
  return amount * (amountUnit === 'base' ? COIN_USD_MAX : 1) > ORDER_USD_MAX;
}

interface Showing {
  readonly since: number;
  readonly now: number;
  readonly shown: readonly ShownTouch[];
}

function isGood({ bid, ask, unit, isDeep }: ShownTouch, spreadMaxBps: number | undefined): boolean {
  if (bid === undefined || ask === undefined || !isDeep) return false;
  if (spreadMaxBps === undefined) return true;
  const spread = ask - bid + 2 * unit;
  return (spread / ((ask + bid) / 2)) * BPS <= spreadMaxBps;
}
