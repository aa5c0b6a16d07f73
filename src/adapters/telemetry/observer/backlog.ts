// Defers observations for a moment, so that frequent ones are processed in batches, away from the orders they
// are about: the same work costs several times as much when interleaved with other work. Order is preserved:
// nothing is logged, flushed or scraped before earlier deferred observations are processed.
import type { Moment } from '../log/line-time.ts';
import type { Log } from '../log/logger.ts';

/** Longer than the time between two slices of a busy daemon, shorter than a person notices. */
const LINGER_MS = 50;
/** Batch size: an observation behind a full batch waits for well under a millisecond. */
const WAITING_MAX = 128;

interface Deferred {
  readonly moment: Moment;
  readonly observe: (observation: unknown) => void;
  readonly observation: unknown;
}

export class Backlog {
  readonly #log: Log;
  #waiting: Deferred[] = [];
  #isDraining = false;
  #isTimed = false;

  constructor(log: Log) {
    this.#log = log;
    log.precede(() => this.drain());
  }

  /** Calls `observe` with `observation` later; it must not throw. Lines it writes carry the moment of this call. */
  later<T>(observe: (observation: T) => void, observation: T): void {
    const moment = this.#log.moment();
    const waiting = this.#waiting.push({
      moment,
      observe: observe as Deferred['observe'],
      observation,
    });
    if (waiting >= WAITING_MAX) this.drain();
    // One timer at a time: a timer per first deferred observation would accumulate under load, and each would cut
    // the next batch short.
    else if (!this.#isTimed) this.#linger();
  }

  /** Processes everything that was deferred. */
  drain(): void {
    if (this.#isDraining || this.#waiting.length === 0) return;
    const due = this.#waiting;
    this.#waiting = [];
    this.#isDraining = true;
    try {
      for (const { moment, observe, observation } of due)
        this.#log.asOf(moment, observe, observation);
    } finally {
      this.#isDraining = false;
    }
  }

  #linger(): void {
    this.#isTimed = true;
    setTimeout(() => {
      this.#isTimed = false;
      this.drain();
    }, LINGER_MS);
  }
}
