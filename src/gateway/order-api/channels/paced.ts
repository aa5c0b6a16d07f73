// Calls `flush` soon after a mark, at most once per interval and never while the last flush is still running.
// Marks made meanwhile cause another flush. A flush works for the client whose request made the feed, whatever marks it.
import { forSameClient } from '../../http/request-scope.ts';

export interface PacedOptions {
  readonly intervalMs: number;
  readonly flush: () => Promise<void> | void;
  readonly onFault: (error: unknown) => void;
}

export class Paced {
  readonly #parts: PacedOptions;
  #timer: NodeJS.Timeout | undefined;
  #flushedAtMs = Number.NEGATIVE_INFINITY;
  #isFlushing = false;
  #isMarked = false;
  #isStopped = false;

  constructor(parts: PacedOptions) {
    this.#parts = { ...parts, flush: forSameClient(parts.flush) };
  }

  mark(): void {
    this.#isMarked = true;
    this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    if (!this.#isMarked || this.#isFlushing || this.#isStopped || this.#timer !== undefined) return;
    const { intervalMs } = this.#parts;
    const waitMs = Math.min(intervalMs, this.#flushedAtMs + intervalMs - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), Math.max(1, waitMs));
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    this.#isMarked = false;
    this.#isFlushing = true;
    this.#flushedAtMs = performance.now();
    try {
      await this.#parts.flush();
    } catch (error) {
      // After a stop, errors are not reported: the sources of the flush may already be closed.
      if (!this.#isStopped) this.#parts.onFault(error);
    } finally {
      this.#isFlushing = false;
      this.#arm();
    }
  }
}
