// Adds the rows of combos that follow from their legs to the rows of a recording: one after all rows of the legs that became
// known in the same millisecond, so that no price is made of one leg before and another after.
import type { ImpliedBook } from '../../exchange/market/implied-book.ts';
import type { RecordedBook, RecordedEvent } from '../../values/recorded-event.ts';
import { type RecordedBatch, rowsOf } from './backtest-feed.ts';

/** `rows` with those of `books`, in time order. */
export async function* withImpliedRows(
  rows: AsyncIterator<RecordedBatch>,
  books: readonly ImpliedBook[],
): AsyncGenerator<readonly RecordedEvent[]> {
  const moments = new Moments(books);
  try {
    for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
      const batch = rowsOf(next.value);
      for (let row = 0; row < batch.count; row += 1) moments.add(batch.event(row));
      const whole = moments.take();
      if (whole.length > 0) yield whole;
    }
    moments.end();
    yield moments.take();
  } finally {
    await rows.return?.();
  }
}

class Moments {
  readonly #books: readonly ImpliedBook[];
  /** The rows of whole milliseconds, and those of the latest. */
  #whole: RecordedEvent[] = [];
  #latest: RecordedEvent[] = [];

  constructor(books: readonly ImpliedBook[]) {
    this.#books = books;
  }

  add(event: RecordedEvent): void {
    if (this.#latest[0] !== undefined && this.#latest[0].at !== event.at) this.end();
    this.#latest.push(event);
  }

  /** No more rows of the latest millisecond follow. */
  end(): void {
    const rows = this.#latest.filter((row): row is RecordedBook => row.kind === 'book');
    this.#whole.push(...this.#latest);
    this.#latest = [];
    for (const book of this.#books) {
      const last = rows.filter((row) => book.take(row)).at(-1);
      const implied = last && book.row(last);
      if (implied !== undefined) this.#whole.push(implied);
    }
  }

  take(): readonly RecordedEvent[] {
    const whole = this.#whole;
    this.#whole = [];
    return whole;
  }
}
