// What one call of a method is charged: a token of its rate, and, where it only looks, the work it makes.

import type { Payer, Started, WorkLimits } from '../http/work-limits.ts';
import type { RidLane } from '../limits/limits.ts';
import { METHODS } from './method-table.ts';

/** Milliseconds of a question that finds everything at hand. */
const LEAST_MS = 0.2;
/** Of those whose answers are large, also before the first of them was answered. */
const LARGE_MS: Readonly<Record<string, number>> = { 'public/get_instruments': 5 };
const UNKNOWN_METHOD = 'unknown';

export class Charge {
  readonly #work: WorkLimits;
  readonly #payer: Payer;
  readonly #method: string;
  readonly #fromMs: number;
  #started: Started | undefined;

  constructor(work: WorkLimits, payer: Payer, method: string) {
    this.#work = work;
    this.#payer = payer;
    this.#method = METHODS.has(method) ? method : UNKNOWN_METHOD;
    this.#fromMs = work.stopwatch();
  }

  /** After the token of the rate was taken; milliseconds to wait where too much work was made of late. */
  take(lane: RidLane): number | undefined {
    if (lane !== 'query') return undefined;
    const start = this.#work.start(this.#payer, this.#method, LARGE_MS[this.#method] ?? LEAST_MS);
    if (start.kind === 'refused') return start.waitMs;
    this.#started = start;
    return undefined;
  }

  /** The call has its answer, of so many bytes; `tookMs` where it waited for others meanwhile. */
  done(bytes: number, tookMs = this.elapsedMs): void {
    this.#started?.done(tookMs, bytes);
    this.#started = undefined;
  }

  /** Since it came. */
  get elapsedMs(): number {
    return this.#work.stopwatch() - this.#fromMs;
  }
}
