// The budget of what clients without a key read from the engine: few reads at a time, and each place rests for as long as its
// last read took. So such clients occupy at most half of the time the engine has for reads, and an order waits for a
// few of them at most.
import { PeerUnreached } from '../../ports/deployment/engine-peers.ts';

export interface OpenReadsOptions {
  /** Whether code is running for a key, also after the answer to its request. */
  readonly isOfKey: () => boolean;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls `then` once after the delay. */
  readonly wait: (delayMs: number, then: () => void) => void;
}

export const OPEN_READS_MAX = 8;
/** Equal reads share one, so that this is more than a market has books, tickers and indexes. */
export const OPEN_READS_WAITING_MAX = 10_000;

export class OpenReads {
  readonly isOfKey: () => boolean;
  readonly #options: OpenReadsOptions;
  readonly #waiting = new Set<() => void>();
  #free = OPEN_READS_MAX;

  constructor(options: OpenReadsOptions) {
    this.#options = options;
    this.isOfKey = options.isOfKey;
  }

  async run(read: () => Promise<string>): Promise<string> {
    await this.#place();
    const { nowMs, wait } = this.#options;
    const fromMs = nowMs();
    try {
      return await read();
    } finally {
      wait(nowMs() - fromMs, () => this.#release());
    }
  }

  async #place(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.size >= OPEN_READS_WAITING_MAX) {
      throw new PeerUnreached('too many reads of clients without a key wait');
    }
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
