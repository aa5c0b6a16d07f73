// Lets work that may wait, such as a round of the auditor, wait while the process is overloaded. It does not wait for
// ever: an overload that lasts must not switch the work off.
import type { Clock } from '../../ports/clock.ts';
import type { OverloadWatch } from './overload-watch.ts';

/** After this long one round takes place all the same. */
export const YIELD_MS_MAX = 30_000;

export class Yielding {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #overload: Pick<OverloadWatch, 'isOverloaded'>;
  #sinceMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>, overload: Pick<OverloadWatch, 'isOverloaded'>) {
    this.#clock = clock;
    this.#overload = overload;
  }

  /** Asked once before each round: whether it is left out. */
  leavesOut(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = this.#overload.isOverloaded ? (this.#sinceMs ?? nowMs) : undefined;
    const isLeftOut = sinceMs !== undefined && nowMs - sinceMs < YIELD_MS_MAX;
    this.#sinceMs = isLeftOut ? sinceMs : undefined;
    return isLeftOut;
  }
}

/** For a process that is never overloaded. */
export const NEVER_YIELDS: Pick<Yielding, 'leavesOut'> = { leavesOut: () => false };
