// Reports faults without flooding the listener: each kind at once, then at most once a second with the number
// of occurrences.
import type { Clock } from '../../ports/clock.ts';

const REST_MS = 1_000;

export class SparseFaults {
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #told = '';
  #untold = 0;

  constructor(clock: Clock, onFault: (error: unknown) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  tell(error: unknown): void {
    const nowMs = this.#clock.monotonicMs();
    const text = String(error);
    if (text === this.#told && nowMs - this.#toldAtMs < REST_MS) {
      this.#untold += 1;
      return;
    }
    if (this.#untold > 0) this.#onFault(new Error(`and ${this.#untold} more: ${this.#told}`));
    this.#untold = 0;
    this.#told = text;
    this.#toldAtMs = nowMs;
    this.#onFault(error);
  }
}
