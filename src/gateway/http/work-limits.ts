// Limits what requests cost, not only how many there are: milliseconds of this process, taken before the work is done
// by an estimate and corrected afterwards by what it took. Each key and each address has a share; strangers have one
// together besides.
import process from 'node:process';
import type { Instant } from '../../values/instant.ts';
import type { ApiKey } from '../auth/key-store.ts';
import { Buckets } from '../limits/buckets.ts';
import { clientNetwork } from '../limits/client-address.ts';
import type { WorkRules } from '../limits/limits.ts';
import type { BucketRule } from '../limits/token-bucket.ts';

/** Who is charged. */
export interface Payer {
  readonly key: ApiKey | undefined;
  readonly from: string;
}

export interface WorkParts {
  readonly now: () => Instant;
  readonly rules: WorkRules;
  /** How many keys and addresses are kept in mind. */
  readonly rememberedMax: number;
  readonly stopwatch?: (() => number) | undefined;
}

/** What it costs to hand so many bytes to the operating system. */
const BYTES_PER_MS = 64 * 1_024;
const EVERY_STRANGER = 'everybody';
/** How much the latest request of a kind counts in the estimate for the next. */
const NEWEST_SHARE = 0.25;

/**
 * Time of the processor that this thread was given. By the wall clock a busy machine would charge clients for its other
 * programs, and refuse the few questions a trading daemon has to ask.
 */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** A request that was let through. */
export interface Started {
  readonly kind: 'started';
  /** To be called once, with the milliseconds it took and the bytes of its answer. */
  readonly done: (tookMs: number, bytes: number) => void;
}

export type Start = Started | { readonly kind: 'refused'; readonly waitMs: number };

export class WorkLimits {
  readonly #parts: WorkParts;
  /** Milliseconds of the processor; what requests take is measured by it. */
  readonly stopwatch: () => number;
  readonly #ofKeys: Buckets;
  readonly #ofAddresses: Buckets;
  readonly #ofAll = new Buckets(1);
  /** Milliseconds a request of a kind took of late. */
  readonly #lately = new Map<string, number>();

  constructor(parts: WorkParts) {
    this.#parts = parts;
    this.stopwatch = parts.stopwatch ?? processorMs;
    this.#ofKeys = new Buckets(parts.rememberedMax);
    this.#ofAddresses = new Buckets(parts.rememberedMax);
  }

  /**
   * Charges the estimate and begins a request of `kind`, one of few words of ours, or says how long to wait.
   * `leastMs` is what it costs at least.
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
