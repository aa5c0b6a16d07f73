// Consecutive rows of a recording, in the order in which they arrived: as events in memory, or as columns (`recorded-block.ts`).
import { must } from '../assert.ts';
import { type Instant, instant } from '../instant.ts';
import type { RecordedEvent } from '../recorded-event.ts';

export interface RecordedRows {
  readonly count: number;
  /** The first full millisecond at which the row was known. */
  at(row: number): Instant;
  event(row: number): RecordedEvent;
  /** The rows that were known at `until`. */
  upTo(until: Instant): RecordedRows;
}

/** The number of rows that were known at `until`. */
export function countUpTo(rows: RecordedRows, until: Instant): number {
  let [low, high] = [0, rows.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows.at(middle) <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** When the latest of the rows was known; `undefined` if there are none. */
export const newestAt = (rows: RecordedRows): Instant | undefined =>
  rows.count === 0 ? undefined : instant(rows.at(rows.count - 1));

export class EventRows implements RecordedRows {
  readonly #events: readonly RecordedEvent[];

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events;
  }

  get count(): number {
    return this.#events.length;
  }

  at(row: number): Instant {
    return this.event(row).at;
  }

  event(row: number): RecordedEvent {
    return must(this.#events[row], 'a row of the batch');
  }

  upTo(until: Instant): RecordedRows {
    const count = countUpTo(this, until);
    return count === this.count ? this : new EventRows(this.#events.slice(0, count));
  }
}
