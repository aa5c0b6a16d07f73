// Feeds a recorded market of a running exchange: reads slightly ahead of the clock and keeps no more than
// that in memory.
import type { RecordedMarket } from '../../../exchange/market/recorded-market.ts';
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { RecordedEvent } from '../../../values/recorded-event.ts';

export interface RecordingFeedOptions {
  readonly clock: Clock;
  readonly market: RecordedMarket;
  /** In chronological order, with times already shifted to the clock. */
  readonly rows: AsyncIterator<readonly RecordedEvent[]>;
  /** Receives the error when rows can no longer be read. */
  readonly onFault: (error: unknown) => void;
}

/** Rows are read this long before they are due. */
const AHEAD_MS = 15_000;
const LOOK_MS = 1_000;

export class RecordingFeed {
  readonly #parts: RecordingFeedOptions;
  #newestAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #isClosed = false;
  #timer: StopTimer | undefined;

  private constructor(parts: RecordingFeedOptions) {
    this.#parts = parts;
  }

  /** Resolves when the market has all rows up to now, and some of the next ones. */
  static async open(parts: RecordingFeedOptions): Promise<RecordingFeed> {
    const feed = new RecordingFeed(parts);
    await feed.#reach(feed.#horizon(), (now) => parts.market.catchUp(now));
    feed.#arm();
    return feed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.();
    await this.#parts.rows.return?.();
  }

  #horizon(): Instant {
    return later(this.#parts.clock.now(), AHEAD_MS);
  }

  #arm(): void {
    if (this.#isOver || this.#isClosed) return;
    const { clock } = this.#parts;
    this.#timer = clock.at(later(clock.now(), LOOK_MS), () => void this.#advance());
  }

  async #advance(): Promise<void> {
    try {
      await this.#reach(this.#horizon());
      this.#arm();
    } catch (error) {
      this.#isOver = true;
      this.#parts.market.complete();
      this.#parts.onFault(error);
    }
  }

  /** `afterEach` is called with the current time after each batch. */
  async #reach(at: Instant, afterEach?: (now: Instant) => void): Promise<void> {
    const { rows, market, clock } = this.#parts;
    while (!this.#isOver && !this.#isClosed && this.#newestAt <= at) {
      const next = await rows.next();
      if (next.done) {
        this.#isOver = true;
        market.complete();
        return;
      }
      market.feed(next.value);
      this.#newestAt = next.value.at(-1)?.at ?? this.#newestAt;
      afterEach?.(clock.now());
    }
  }
}
