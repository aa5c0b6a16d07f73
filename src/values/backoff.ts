// Exponential back-off with jitter: the delay doubles up to a bound, and the jitter keeps many clients from
// reconnecting at the same time.
import type { Rng } from './rng.ts';

export interface BackoffRule {
  readonly minMs: number;
  readonly maxMs: number;
  /** A connection that lasted this long resets the delay to the shortest. */
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

  /** Counts a failure and returns a delay between half of the current step and the whole step. */
  nextMs(): number {
    const { minMs, maxMs } = this.#rule;
    const stepMs = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.ceil(stepMs * (0.5 + this.#rng.next() / 2));
  }

  /** Reports that a connection ended after being in use for `forMs`. */
  held(forMs: number): void {
    if (forMs >= this.#rule.heldMs) this.#failures = 0;
  }
}
