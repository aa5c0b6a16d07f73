// Delays of a component between two attempts, which its stop ends early.
import type { Clock, StopTimer } from '../ports/clock.ts';
import { later } from '../values/instant.ts';

export class Delays {
  readonly #clock: Clock;
  readonly #pending = new Map<() => void, StopTimer>();
  #isEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after `delayMs`, or at once after {@link end}. */
  wait(delayMs: number): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const due = (): void => {
        this.#pending.delete(due);
        resolve();
      };
      this.#pending.set(due, this.#clock.at(later(this.#clock.now(), delayMs), due));
    });
  }

  /** Ends every delay now, and every later one at once. */
  end(): void {
    this.#isEnded = true;
    for (const [due, stopTimer] of this.#pending) {
      stopTimer();
      due();
    }
  }
}
