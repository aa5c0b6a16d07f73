// Slows down whoever keeps failing to sign. Each address has so many failures; after that its requests are not even
// checked, except those of keys that signed rightly from there before: a stranger behind the same address cannot lock a
// trader out. Wrong signatures under such a key have a count of their own; when it is used up, the key goes on where it
// has signed rightly on the same connection.
import { Buckets } from '../limits/buckets.ts';
import { clientNetwork } from '../limits/client-address.ts';
import type { AddressLimits } from '../limits/limits.ts';
import type { PeerTakes } from '../limits/pooled-rate-limits.ts';
import type { BucketRule } from '../limits/token-bucket.ts';

const PAIRS_MAX = 10_000;

export class FailureGate {
  readonly #limits: AddressLimits;
  readonly #failures: Buckets;
  /** Wrong signatures under a key that signed rightly from the same address. */
  readonly #ofProven: Buckets;
  readonly #proven = new Set<string>();
  readonly #networks = new Set<string>();
  /** The key that signed rightly on a connection last. */
  readonly #signedOn = new WeakMap<object, string>();

  constructor(limits: AddressLimits) {
    this.#limits = limits;
    this.#failures = new Buckets(limits.rememberedMax);
    this.#ofProven = new Buckets(limits.rememberedMax);
  }

  /** Failures seen by other gateways count here too. */
  share(takes: PeerTakes): void {
    const ruleOf = (): BucketRule => this.#limits.failures;
    takes.share('failures', { buckets: this.#failures, ruleOf });
  }

  /** Milliseconds that whoever never signed rightly from there has to wait; `undefined`: none. */
  strangerWaitMs(from: string, nowMs: number): number | undefined {
    return this.#failures.waitMs(clientNetwork(from), this.#limits.failures, nowMs);
  }

  /** Milliseconds to wait before the credentials may be checked; `undefined`: now. */
  waitMs({ from, keyId, via }: Attempt, nowMs: number): number | undefined {
    const name = pair(from, keyId);
    if (!this.#proven.has(name)) {
      return this.#failures.waitMs(clientNetwork(from), this.#limits.failures, nowMs);
    }
    if (via !== undefined && this.#signedOn.get(via) === keyId) return undefined;
    return this.#ofProven.waitMs(name, this.#limits.failures, nowMs);
  }

  failed({ from, keyId, via }: Attempt, nowMs: number): void {
    const { failures } = this.#limits;
    this.#failures.take(clientNetwork(from), failures, nowMs);
    const name = pair(from, keyId);
    if (this.#proven.has(name)) this.#ofProven.take(name, failures, nowMs);
    // Whoever shares the connection may not use up what it was granted for.
    if (via !== undefined) this.#signedOn.delete(via);
  }

  proved({ from, keyId, via }: Attempt): void {
    if (via !== undefined) this.#signedOn.set(via, keyId);
    keep(this.#proven, pair(from, keyId));
    keep(this.#networks, clientNetwork(from));
  }

  /** Whether any key signed rightly from this network. */
  hasSignedFrom(network: string): boolean {
    return this.#networks.has(network);
  }

  /** Whether a key signed rightly on this connection. */
  hasSigned(via: object): boolean {
    return this.#signedOn.has(via);
  }
}

/** Whose credentials came from where. */
export interface Attempt {
  readonly from: string;
  readonly keyId: string;
  /** The connection they came over; absent where many share it. */
  readonly via?: object | undefined;
}

/** The one kept the longest gives way. */
function keep(names: Set<string>, name: string): void {
  if (names.has(name)) return;
  names.add(name);
  if (names.size <= PAIRS_MAX) return;
  const [oldest] = names;
  if (oldest !== undefined) names.delete(oldest);
}

const pair = (from: string, keyId: string): string => `${from} ${keyId}`;
