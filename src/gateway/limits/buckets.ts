// Token buckets by name, up to a maximum number; the least recently used one is evicted, which has most likely
// refilled anyway.
import { type Bucket, type BucketRule, charged, fullBucket, takeToken } from './token-bucket.ts';

/** Called with the name of every bucket that tokens are taken from. */
export type TakeListener = (name: string) => void;

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #countMax: number;
  #taken: TakeListener | undefined;
  /** The most recently used name, which needs no reordering. */
  #newest: string | undefined;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  get count(): number {
    return this.#buckets.size;
  }

  /** Takes one token, or `count`; returns the milliseconds to wait if they are not available. */
  take(name: string, rule: BucketRule, nowMs: number, count?: number): number | undefined {
    const held = this.#buckets.get(name);
    const taking = takeToken(held ?? fullBucket(rule, nowMs), rule, nowMs, count);
    this.#keep(name, taking.bucket, held !== undefined);
    if (taking.kind === 'taken') this.#taken?.(name);
    return taking.kind === 'taken' ? undefined : taking.waitMs;
  }

  /** Returns what {@link take} would, without taking. */
  waitMs(name: string, rule: BucketRule, nowMs: number): number | undefined {
    const held = this.#buckets.get(name);
    if (held === undefined) return undefined;
    const taking = takeToken(held, rule, nowMs);
    return taking.kind === 'taken' ? undefined : taking.waitMs;
  }

  /** Sets the one listener; it is not called for charges. */
  onTake(listener: TakeListener): void {
    this.#taken = listener;
  }

  /** Charges what another gateway took from the bucket of this name. */
  charge(name: string, by: Parameters<typeof charged>[1]): void {
    const held = this.#buckets.get(name);
    this.#keep(name, charged(held ?? fullBucket(by.rule, by.nowMs), by), held !== undefined);
  }

  #keep(name: string, bucket: Bucket, isHeld: boolean): void {
    if (isHeld && name !== this.#newest) this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    this.#newest = name;
    if (this.#buckets.size <= this.#countMax) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
