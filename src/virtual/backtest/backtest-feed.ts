// Feeds recorded rows to the market ahead of their time, and to a counting callback, while keeping only a small
// part of the recording in memory.
import type { RecordedMarket } from '../../exchange/market/recorded-market.ts';
import type { Instant } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';

export interface FeedOptions {
  readonly rows: AsyncIterator<readonly RecordedEvent[]>;
  readonly market: RecordedMarket;
  /** Rows after this instant are left out. */
  readonly until: Instant;
  /** Called with every row once, in order. */
  readonly onRow: (row: RecordedEvent) => void;
}

/** More rows are fetched when fewer than this are waiting. */
const LOW = 256;

export class BacktestFeed {
  readonly #options: FeedOptions;
  #isOver = false;
  #newestAt = 0;
  #rows = 0;

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

  /** Await this before time advances; `undefined` if enough rows are waiting. */
  refill(): Promise<void> | undefined {
    if (this.#isOver || this.#options.market.waiting >= LOW) return undefined;
    return this.#fetch();
  }

  async close(): Promise<void> {
    await this.#options.rows.return?.();
  }

  async #fetch(): Promise<void> {
    const { rows, market, until, onRow } = this.#options;
    const next = await rows.next();
    const batch = next.done ? [] : next.value;
    const wanted = batch.filter(({ at }) => at <= until);
    for (const row of wanted) onRow(row);
    market.feed(wanted);
    this.#rows += wanted.length;
    this.#newestAt = batch.at(-1)?.at ?? this.#newestAt;
    if (next.done || wanted.length < batch.length) {
      this.#isOver = true;
      market.complete();
    }
  }
}
