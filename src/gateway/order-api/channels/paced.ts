// Calls `flush` soon after a mark, at most once per interval and never while the last flush is still running.
// Marks made meanwhile cause another flush. A flush works for the client whose request made the feed, whatever marks it.
import { forSameClient } from '../../http/request-scope.ts';

/** What a flush gives back that could not read something, which is then read again although nothing marks it. */
export const AGAIN = Symbol('again');

export interface PacedOptions {
  readonly intervalMs: number;
  readonly flush: () => unknown;
  readonly onFault: (error: unknown) => void;
}

/** Pause before something that could not be read is read again. */
const AGAIN_MS = 1_000;

export class Paced {
  readonly #parts: PacedOptions;
  #timer: NodeJS.Timeout | undefined;
  #flushedAtMs = Number.NEGATIVE_INFINITY;
  #isFlushing = false;
  #isMarked = false;
  #isStopped = false;
  #restMs: number;

  constructor(parts: PacedOptions) {
    this.#parts = { ...parts, flush: forSameClient(parts.flush) };
    this.#restMs = parts.intervalMs;
  }

  mark(): void {
    this.#isMarked = true;
    if (this.#restMs !== this.#parts.intervalMs) {
      this.#restMs = this.#parts.intervalMs;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    if (!this.#isMarked || this.#isFlushing || this.#isStopped || this.#timer !== undefined) return;
    const restMs = this.#restMs;
    const waitMs = Math.min(restMs, this.#flushedAtMs + restMs - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), Math.max(1, waitMs));
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    this.#isMarked = false;
    this.#isFlushing = true;
    this.#flushedAtMs = performance.now();
    this.#restMs = this.#parts.intervalMs;
    try {
      const isWhole = (await this.#parts.flush()) !== AGAIN;
      if (!isWhole && !this.#isMarked) {
        this.#isMarked = true;
        this.#restMs = Math.max(this.#restMs, AGAIN_MS);
      }
    } catch (error) {
      // After a stop, errors are not reported: the sources of the flush may already be closed.
      if (!this.#isStopped) this.#parts.onFault(error);
    } finally {
      this.#isFlushing = false;
      this.#arm();
    }
  }
}
