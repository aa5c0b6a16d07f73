// Charges one call of a method: a token of its rate and, for queries, the work it causes.

import type { Payer, Started, WorkLimits } from '../http/work-limits.ts';
import type { RidLane } from '../limits/limits.ts';

/** Milliseconds of a query that is answered from memory. */
const LEAST_MS = 0.2;
/** Minimum milliseconds of queries with large answers, applied from the first one on. */
const LARGE_MS: Readonly<Record<string, number>> = { 'public/get_instruments': 5 };
const UNKNOWN_METHOD = 'unknown';

export class Charge {
  readonly #work: WorkLimits;
  readonly #payer: Payer;
  readonly #method: string;
  /** Since when it is measured. Orders are not: to read the thread's CPU time costs some microseconds. */
  #fromMs: number | undefined;
  #started: Started | undefined;

  /** `known` are the methods there are. */
  constructor(
    { work, known }: { readonly work: WorkLimits; readonly known: ReadonlyMap<string, unknown> },
    payer: Payer,
    method: string,
  ) {
    this.#work = work;
    this.#payer = payer;
    this.#method = known.has(method) ? method : UNKNOWN_METHOD;
  }

  /** Takes a rate token and the estimated work; returns the milliseconds to wait if either is exhausted. */
  take(lane: RidLane): number | undefined {
    if (lane !== 'query') return undefined;
    this.#fromMs = this.#work.stopwatch();
    const start = this.#work.start(this.#payer, this.#method, LARGE_MS[this.#method] ?? LEAST_MS);
    if (start.kind === 'refused') return start.waitMs;
    this.#started = start;
    return undefined;
  }

  /** Called when the call has its answer; pass `tookMs` if it waited for others meanwhile. */
  done(bytes: number, tookMs?: number): void {
    if (this.#started === undefined) return;
    this.#started.done(tookMs ?? this.elapsedMs, bytes);
    this.#started = undefined;
  }

  /** Milliseconds since the work was charged; 0 if none was. */
  get elapsedMs(): number {
    return this.#fromMs === undefined ? 0 : this.#work.stopwatch() - this.#fromMs;
  }
}
