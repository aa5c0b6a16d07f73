// Puts telling off for a moment, so that what is told often is told in one go, away from the orders it is
// about: the same work costs several times as much when it comes one at a time between other work. Order is
// kept: nothing is logged, flushed or scraped before what was put off earlier is told.
import type { Moment } from '../log/line-time.ts';
import type { Log } from '../log/logger.ts';

/** Longer than between two slices of a busy daemon, shorter than anybody watches for. */
const LINGER_MS = 50;
/** So many are told at once: what waits behind them waits for well under a millisecond. */
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

  /** Has `tell` told `told` later; it must not throw. Lines it writes bear the moment of this call. */
  later<T>(tell: (told: T) => void, told: T): void {
    const moment = this.#log.moment();
    const waiting = this.#waiting.push({ moment, tell: tell as PutOff['tell'], told });
    if (waiting >= WAITING_MAX) this.drain();
    // One timer at a time: were there one for each time that something begins to wait, they would add up
    // while much is told, and each would cut the batch of the others short.
    else if (!this.#isTimed) this.#linger();
  }

  /** Tells all that waits. */
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
