// Limits the cost of requests, not only their number: an estimate in milliseconds of process time is charged
// before the work and corrected afterwards by the time measured. Each key and each address has a budget;
// unauthenticated clients additionally share one.
import process from 'node:process';
import type { Instant } from '../../values/instant.ts';
import type { ApiKey } from '../auth/key-store.ts';
import { Buckets } from '../limits/buckets.ts';
import { clientNetwork } from '../limits/client-address.ts';
import type { WorkRules } from '../limits/limits.ts';
import type { BucketRule } from '../limits/token-bucket.ts';

/** The key or address that is charged. */
export interface Payer {
  readonly key: ApiKey | undefined;
  readonly from: string;
}

export interface WorkOptions {
  readonly now: () => Instant;
  readonly rules: WorkRules;
  /** Largest number of keys and addresses that are tracked. */
  readonly rememberedMax: number;
  readonly stopwatch?: (() => number) | undefined;
}

/** Bytes written to the operating system per millisecond of cost. */
const BYTES_PER_MS = 64 * 1_024;
const EVERY_STRANGER = 'everybody';
/** Weight of the latest request of a kind in the estimate for the next. */
const NEWEST_SHARE = 0.25;

/**
 * CPU time of this thread. With wall-clock time a busy machine would charge clients for other programs, and
 * refuse the few queries a trading daemon has to make.
 */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** An admitted request. */
export interface Started {
  readonly kind: 'started';
  /** Must be called once, with the milliseconds used and the bytes of the answer. */
  readonly done: (tookMs: number, bytes: number) => void;
}

export type Start = Started | { readonly kind: 'refused'; readonly waitMs: number };

export class WorkLimits {
  readonly #parts: WorkOptions;
  /** CPU milliseconds, used to measure requests. */
  readonly stopwatch: () => number;
  readonly #ofKeys: Buckets;
  readonly #ofAddresses: Buckets;
  readonly #ofAll = new Buckets(1);
  /** Recent average milliseconds of each kind of request. */
  readonly #lately = new Map<string, number>();

  constructor(parts: WorkOptions) {
    this.#parts = parts;
    this.stopwatch = parts.stopwatch ?? processorMs;
    this.#ofKeys = new Buckets(parts.rememberedMax);
    this.#ofAddresses = new Buckets(parts.rememberedMax);
  }

  /**
   * Charges the estimate and starts a request of `kind` (one of a few fixed names of ours), or returns how long
   * to wait. `leastMs` is the minimum cost.
   */
  start(payer: Payer, kind: string, leastMs: number): Start {
    const estimateMs = Math.max(leastMs, this.#lately.get(kind) ?? 0);
    const waitMs = this.#take(payer, estimateMs);
    if (waitMs !== undefined) return { kind: 'refused', waitMs };
    return {
      kind: 'started',
      done: (tookMs, bytes) => {
        const costMs = Math.max(leastMs, tookMs + bytes / BYTES_PER_MS);
        this.#learn(kind, costMs);
        this.#charge(payer, costMs - estimateMs);
      },
    };
  }

  #learn(kind: string, costMs: number): void {
    const before = this.#lately.get(kind) ?? costMs;
    this.#lately.set(kind, before + (costMs - before) * NEWEST_SHARE);
  }

  #take({ key, from }: Payer, costMs: number): number | undefined {
    const { rules } = this.#parts;
    const nowMs = this.#parts.now();
    if (key !== undefined) return this.#ofKeys.take(key.id, rules.key, nowMs, costMs);
    const network = clientNetwork(from);
    const waitMs = this.#ofAddresses.take(network, rules.address, nowMs, costMs);
    if (waitMs !== undefined) return waitMs;
    const forAllMs = this.#ofAll.take(EVERY_STRANGER, rules.strangers, nowMs, costMs);
    if (forAllMs !== undefined) {
      this.#ofAddresses.charge(network, { rule: rules.address, count: -costMs, nowMs });
    }
    return forAllMs;
  }

  #charge({ key, from }: Payer, costMs: number): void {
    const { rules } = this.#parts;
    const nowMs = this.#parts.now();
    const by = (rule: BucketRule) => ({ rule, count: costMs, nowMs });
    if (key !== undefined) return this.#ofKeys.charge(key.id, by(rules.key));
    this.#ofAddresses.charge(clientNetwork(from), by(rules.address));
    this.#ofAll.charge(EVERY_STRANGER, by(rules.strangers));
  }
}
