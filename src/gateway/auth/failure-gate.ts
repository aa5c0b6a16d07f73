// Rate-limits failed authentication. Each address has a budget of failures; once it is used up, its requests
// are refused unchecked, except for keys that have authenticated from that address before: another client
// behind the same address cannot lock a trader out. Wrong signatures under such a key have a budget of their
// own; when that is used up, the key is still accepted on a connection where it has authenticated.
import { Buckets } from '../limits/buckets.ts';
import { clientNetwork } from '../limits/client-address.ts';
import type { AddressLimits } from '../limits/limits.ts';
import type { PeerTakes } from '../limits/pooled-rate-limits.ts';
import type { BucketRule } from '../limits/token-bucket.ts';

const PAIRS_MAX = 10_000;

export class FailureGate {
  readonly #limits: AddressLimits;
  readonly #failures: Buckets;
  /** Wrong signatures under keys that have authenticated from the same address. */
  readonly #ofProven: Buckets;
  readonly #proven = new Set<string>();
  readonly #networks = new Set<string>();
  /** The key that authenticated last on each connection. */
  readonly #signedOn = new WeakMap<object, string>();

  constructor(limits: AddressLimits) {
    this.#limits = limits;
    this.#failures = new Buckets(limits.rememberedMax);
    this.#ofProven = new Buckets(limits.rememberedMax);
  }

  /** Includes failures seen by other gateways. */
  share(takes: PeerTakes): void {
    const ruleOf = (): BucketRule => this.#limits.failures;
    takes.share('failures', { buckets: this.#failures, ruleOf });
  }

  /** Milliseconds that a client which never authenticated from this address has to wait; `undefined`: none. */
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
    // Another client on the same connection must not use up the exemption of the key.
    if (via !== undefined) this.#signedOn.delete(via);
  }

  proved({ from, keyId, via }: Attempt): void {
    if (via !== undefined) this.#signedOn.set(via, keyId);
    keep(this.#proven, pair(from, keyId));
    keep(this.#networks, clientNetwork(from));
  }

  /** Whether any key has authenticated from this network. */
  hasSignedFrom(network: string): boolean {
    return this.#networks.has(network);
  }

  /** Whether a key has authenticated on this connection. */
  hasSigned(via: object): boolean {
    return this.#signedOn.has(via);
  }
}

/** One attempt to authenticate. */
export interface Attempt {
  readonly from: string;
  readonly keyId: string;
  /** The connection; absent where a proxy shares it between clients. */
  readonly via?: object | undefined;
}

/** Adds a name and evicts the oldest one when the set is full. */
function keep(names: Set<string>, name: string): void {
  if (names.has(name)) return;
  names.add(name);
  if (names.size <= PAIRS_MAX) return;
  const [oldest] = names;
  if (oldest !== undefined) names.delete(oldest);
}

const pair = (from: string, keyId: string): string => `${from} ${keyId}`;
