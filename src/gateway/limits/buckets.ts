// Token buckets by name, at most so many: the one not asked for the longest gives way, and would most
// likely be full again anyway.
import { type Bucket, type BucketRule, charged, fullBucket, takeToken } from './token-bucket.ts';

/** Told the name of every bucket a token was taken from. */
export type TakeListener = (name: string) => void;

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #countMax: number;
  #taken: TakeListener | undefined;
  /** Is the last of all as it is. */
  #newest: string | undefined;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  get count(): number {
    return this.#buckets.size;
  }

  /** Takes one token, or `count`; milliseconds to wait when they are not there. */
  take(name: string, rule: BucketRule, nowMs: number, count?: number): number | undefined {
    const held = this.#buckets.get(name);
    const taking = takeToken(held ?? fullBucket(rule, nowMs), rule, nowMs, count);
    this.#keep(name, taking.bucket, held !== undefined);
    if (taking.kind === 'taken') this.#taken?.(name);
    return taking.kind === 'taken' ? undefined : taking.waitMs;
  }

  /** What {@link take} would answer, without taking. */
  waitMs(name: string, rule: BucketRule, nowMs: number): number | undefined {
    const held = this.#buckets.get(name);
    if (held === undefined) return undefined;
    const taking = takeToken(held, rule, nowMs);
    return taking.kind === 'taken' ? undefined : taking.waitMs;
  }

  /** One listener; nothing that is charged is told. */
  onTake(listener: TakeListener): void {
    this.#taken = listener;
  }

  /** What was taken elsewhere from the bucket of this name. */
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
