// Feeds recorded rows to the market ahead of their time, and to a counting callback, while keeping only a small
// part of the recording in memory.
import type { RecordedMarket } from '../../exchange/market/recorded-market.ts';
import type { Instant } from '../../values/instant.ts';
import {
  countUpTo,
  EventRows,
  newestAt,
  type RecordedRows,
} from '../../values/recorded/row-batch.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';

/** A batch of a recording: events, or rows in columns. */
export type RecordedBatch = readonly RecordedEvent[] | RecordedRows;

export interface FeedOptions {
  readonly rows: AsyncIterator<RecordedBatch>;
  readonly market: RecordedMarket;
  /** Rows after this instant are left out. */
  readonly until: Instant;
  /** Called with every batch once, in order. */
  readonly onRows: (rows: RecordedRows) => void;
}

const NOTHING = new EventRows([]);

export const rowsOf = (batch: RecordedBatch): RecordedRows =>
  'upTo' in batch ? batch : new EventRows(batch);

/** More rows are fetched when fewer than this are waiting. */
const LOW = 256;

export class BacktestFeed {
  readonly #options: FeedOptions;
  #isOver = false;
  #newestAt = 0;
  #rows = 0;
  /** Batches with rows that may not be due yet. */
  #ahead: RecordedRows[] = [];

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The number of rows fed so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Fetches everything up to `at` and the next row after it. */
  async reach(at: Instant): Promise<void> {
    while (!this.#isOver && this.#newestAt <= at) await this.#fetch();
  }

  /** The number of rows up to `at`, which is not before the last `passTo`; call after `reach`. */
  rowsTo(at: Instant): number {
    const later = this.#ahead.map((rows) => rows.count - countUpTo(rows, at));
    return later.reduce((rest, count) => rest - count, this.#rows);
  }

  /** Rows up to `now` are due. */
  passTo(now: Instant): void {
    const [first] = this.#ahead;
    if (first === undefined || (newestAt(first) ?? now) > now) return;
    this.#ahead = this.#ahead.filter((rows) => (newestAt(rows) ?? now) > now);
  }

  /** Await this before time advances; `undefined` if enough rows are waiting. */
  refill(): Promise<void> | undefined {
    if (this.#isOver || this.#options.market.waiting >= LOW) return undefined;
    return this.#fetch();
  }

  async close(): Promise<void> {
    await this.#options.rows.return?.();
  }

  async #fetch(): Promise<void> {
    const { rows, market, until, onRows } = this.#options;
    const next = await rows.next();
    const batch = next.done ? NOTHING : rowsOf(next.value);
    const wanted = batch.upTo(until);
    onRows(wanted);
    market.feedRows(wanted);
    this.#rows += wanted.count;
    this.#ahead.push(wanted);
    this.#newestAt = newestAt(batch) ?? this.#newestAt;
    if (next.done || wanted.count < batch.count) {
      this.#isOver = true;
      market.complete();
    }
  }
}
