// How long to wait before the next attempt: twice as long each time, up to a bound, spread by
// chance so that many clients do not come back together.
import type { Rng } from './rng.ts';

export interface BackoffRule {
  readonly minMs: number;
  readonly maxMs: number;
  /** A connection that held this long makes the next wait the shortest again. */
  readonly heldMs: number;
}

export class Backoff {
  readonly #rule: BackoffRule;
  readonly #rng: Rng;
  #failures = 0;

  constructor(rule: BackoffRule, rng: Rng) {
    this.#rule = rule;
    this.#rng = rng;
  }

  /** Counts a failure. Between half and the whole of the step. */
  nextMs(): number {
    const { minMs, maxMs } = this.#rule;
    const stepMs = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.ceil(stepMs * (0.5 + this.#rng.next() / 2));
  }

  /** A connection ended that had been in use for so long. */
  held(forMs: number): void {
    if (forMs >= this.#rule.heldMs) this.#failures = 0;
  }
}
