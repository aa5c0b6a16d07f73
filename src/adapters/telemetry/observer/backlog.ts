// Defers observations for a moment, so that frequent ones are processed in batches, away from the orders they
// are about: the same work costs several times as much when interleaved with other work. Order is preserved:
// nothing is logged, flushed or scraped before earlier deferred observations are processed.
import type { Moment } from '../log/line-time.ts';
import type { Log } from '../log/logger.ts';

/** Longer than the time between two slices of a busy daemon, shorter than a person notices. */
const LINGER_MS = 50;
/** Batch size: an observation behind a full batch waits for well under a millisecond. */
const WAITING_MAX = 128;

interface PutOff {
  readonly moment: Moment;
  readonly tell: (told: unknown) => void;
  readonly told: unknown;
}

export class Backlog {
  readonly #log: Log;
  #waiting: PutOff[] = [];
  #isTelling = false;
  #isTimed = false;

  constructor(log: Log) {
    this.#log = log;
    log.precede(() => this.drain());
  }

  /** Calls `tell` with `told` later; it must not throw. Lines it writes carry the moment of this call. */
  later<T>(tell: (told: T) => void, told: T): void {
    const moment = this.#log.moment();
    const waiting = this.#waiting.push({ moment, tell: tell as PutOff['tell'], told });
    if (waiting >= WAITING_MAX) this.drain();
    // One timer at a time: a timer per first deferred observation would accumulate under load, and each would cut
    // the next batch short.
    else if (!this.#isTimed) this.#linger();
  }

  /** Processes everything that was deferred. */
  drain(): void {
    if (this.#isTelling || this.#waiting.length === 0) return;
    const due = this.#waiting;
    this.#waiting = [];
    this.#isTelling = true;
    try {
      for (const { moment, tell, told } of due) this.#log.asOf(moment, tell, told);
    } finally {
      this.#isTelling = false;
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
