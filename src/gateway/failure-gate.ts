// Slows down whoever keeps failing to sign. Each address has so many failures; after that its requests
// are not even checked, except those of keys that signed rightly from there before: a stranger behind the
// same address cannot lock a trader out.
import { Buckets } from './buckets.ts';
import { clientNetwork } from './client-address.ts';
import type { AddressLimits } from './limits.ts';
import type { PeerTakes } from './peer-takes.ts';
import type { BucketRule } from './token-bucket.ts';

const PAIRS_MAX = 10_000;

export class FailureGate {
  readonly #limits: AddressLimits;
  readonly #failures: Buckets;
  readonly #proven = new Set<string>();

  constructor(limits: AddressLimits) {
    this.#limits = limits;
    this.#failures = new Buckets(limits.rememberedMax);
  }

  /** Failures seen by other gateways count here too. */
  share(takes: PeerTakes): void {
    const ruleOf = (): BucketRule => this.#limits.failures;
    takes.share('failures', { buckets: this.#failures, ruleOf });
  }

  /** Milliseconds to wait before the credentials may be checked; `undefined`: now. */
  waitMs(from: string, keyId: string, nowMs: number): number | undefined {
    if (this.#proven.has(pair(from, keyId))) return undefined;
    return this.#failures.waitMs(clientNetwork(from), this.#limits.failures, nowMs);
  }

  failed(from: string, nowMs: number): void {
    this.#failures.take(clientNetwork(from), this.#limits.failures, nowMs);
  }

  proved(from: string, keyId: string): void {
    const name = pair(from, keyId);
    if (this.#proven.has(name)) return;
    this.#proven.add(name);
    if (this.#proven.size <= PAIRS_MAX) return;
    const [oldest] = this.#proven;
    if (oldest !== undefined) this.#proven.delete(oldest);
  }
}

const pair = (from: string, keyId: string): string => `${from} ${keyId}`;
