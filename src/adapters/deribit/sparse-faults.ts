// Reports faults without flooding the listener: each kind at once, then at most once a second with the number
// of occurrences.
import type { Clock } from '../../ports/clock.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';

const REST_MS = 1_000;

export class SparseFaults {
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #last = '';
  #unreported = 0;
  #isClosed = false;

  constructor(clock: Clock, onFault: (error: unknown) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** What the closed connections cut off from now on is no fault; a programming error is one at any time. */
  close(): void {
    this.#isClosed = true;
  }

  report(error: unknown): void {
    if (this.#isClosed && !isProgrammingError(error)) return;
    const nowMs = this.#clock.monotonicMs();
    const text = String(error);
    if (text === this.#last && nowMs - this.#lastAtMs < REST_MS) {
      this.#unreported += 1;
      return;
    }
    if (this.#unreported > 0)
      this.#onFault(new Error(`and ${this.#unreported} more: ${this.#last}`));
    this.#unreported = 0;
    this.#last = text;
    this.#lastAtMs = nowMs;
    this.#onFault(error);
  }
}
