// Sorts rows that were recorded slightly late by arrival time, stably, and counts them; rejects rows that are
// later than the limit.
import { must } from '../../values/assert.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';

/** The out-of-order rows of a file. */
export interface Disorder {
  rows: number;
  worstUs: number;
}

/** How late a row may be. */
export const DISORDER_MAX_US = 5_000_000;

export class InOrder {
  readonly #onRefused: (line: number, lateUs: number) => Error;
  readonly disorder: Disorder = { rows: 0, worstUs: 0 };
  #held: RecordedEvent[] = [];
  #newestUs = 0;

  /** `onRefused` creates the error for a row that is too late by `lateUs`. */
  constructor(onRefused: (line: number, lateUs: number) => Error) {
    this.#onRefused = onRefused;
  }

  add(event: RecordedEvent, line: number): void {
    const lateUs = this.#newestUs - event.atUs;
    if (lateUs <= 0) {
      this.#newestUs = event.atUs;
      this.#held.push(event);
      return;
    }
    if (lateUs > DISORDER_MAX_US) throw this.#onRefused(line, lateUs);
    this.disorder.rows += 1;
    this.disorder.worstUs = Math.max(this.disorder.worstUs, lateUs);
    let at = this.#held.length;
    while (at > 0 && must(this.#held[at - 1], 'held row').atUs > event.atUs) at -= 1;
    this.#held.splice(at, 0, event);
  }

  /** Returns the rows that no acceptable later row can precede. */
  takeSettled(): readonly RecordedEvent[] {
    const bound = this.#newestUs - DISORDER_MAX_US;
    let count = 0;
    while (count < this.#held.length && must(this.#held[count], 'held row').atUs < bound) {
      count += 1;
    }
    return this.#held.splice(0, count);
  }

  takeAll(): readonly RecordedEvent[] {
    return this.#held.splice(0);
  }
}
