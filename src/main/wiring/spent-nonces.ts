// Nonces of signed requests, in memory. What was signed so early that an earlier process may have seen
// it counts as used: so nothing has to be kept across a restart.

import { NONCE_SLACK_MS } from '../../gateway/auth/nonces.ts';
import { DEFAULT_LIMITS } from '../../gateway/limits/limits.ts';
import { type Instant, later } from '../../values/instant.ts';

/** So often what is over is forgotten. */
const SWEEP_EVERY = 1_000;

export class SpentNonces {
  readonly #now: () => Instant;
  readonly #spent = new Map<string, Instant>();
  /** Nonces that live until then may have been used before this process began. */
  readonly #usedUntil: Instant;
  #claims = 0;

  constructor(now: () => Instant) {
    this.#now = now;
    this.#usedUntil = later(now(), DEFAULT_LIMITS.signatureWindowMs + NONCE_SLACK_MS);
  }

  /** True the first time it is called with `key` within its lifetime. */
  claim(key: string, until: Instant): boolean {
    this.#claims += 1;
    if (this.#claims % SWEEP_EVERY === 0) this.#sweep();
    if (until <= this.#usedUntil || this.#spent.has(key)) return false;
    this.#spent.set(key, until);
    return true;
  }

  #sweep(): void {
    const now = this.#now();
    for (const [key, until] of this.#spent) if (until < now) this.#spent.delete(key);
  }
}
