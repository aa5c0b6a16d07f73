// Claims of one-time keys in memory: for the memory ledger and for tests of what claims nonces.
import { CLAIM_MS_MAX, type ClaimStore, claimTooLong } from '../../ports/deployment/claim-store.ts';
import type { Instant } from '../../values/instant.ts';
import { StoreRequests } from './store-requests.ts';

const SWEEP_CLAIMS_ABOVE = 1_000;

export class MemoryClaims implements ClaimStore {
  readonly #now: () => Instant;
  readonly #claims = new Map<string, Instant>();
  readonly #requests = new StoreRequests();
  #sweepAbove = SWEEP_CLAIMS_ABOVE;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  claimOnce(key: string, until: Instant): Promise<boolean> {
    const now = this.#now();
    if (until - now > CLAIM_MS_MAX) return Promise.reject(claimTooLong(until));
    return this.#requests.answer(() => this.#isFirst(key, until, now), key);
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  #isFirst(key: string, until: Instant, now: Instant): boolean {
    const held = this.#claims.get(key);
    if (held !== undefined && held > now) return false;
    this.#claims.set(key, until);
    if (this.#claims.size > this.#sweepAbove) this.#sweep(now);
    return true;
  }

  /** Rarely enough to cost nothing, and often enough to keep at most twice the live claims. */
  #sweep(now: Instant): void {
    for (const [key, until] of this.#claims) if (until <= now) this.#claims.delete(key);
    this.#sweepAbove = Math.max(SWEEP_CLAIMS_ABOVE, this.#claims.size * 2);
  }
}
