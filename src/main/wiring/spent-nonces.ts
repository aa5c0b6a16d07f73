// Nonces of signed requests, in memory. A request signed early enough for an earlier process to have seen it
// counts as used, so nothing needs to survive a restart.

import { NONCE_SLACK_MS } from '../../gateway/auth/nonces.ts';
import { DEFAULT_LIMITS } from '../../gateway/limits/limits.ts';
import { type Instant, later } from '../../values/instant.ts';

/** Expired nonces are removed every so many claims. */
const SWEEP_EVERY = 1_000;

export class SpentNonces {
  readonly #now: () => Instant;
  readonly #spent = new Map<string, Instant>();
  /** Nonces that live until then may have been used before this process started. */
  readonly #usedUntil: Instant;
  #claims = 0;

  constructor(now: () => Instant) {
    this.#now = now;
    this.#usedUntil = later(now(), DEFAULT_LIMITS.signatureWindowMs + NONCE_SLACK_MS);
  }

  /** Returns true the first time it is called with `key` within its lifetime. */
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
