// Token buckets: `perSecond` requests in the long run, `burst` at once. Pure: time is given.

export interface BucketRule {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Bucket {
  readonly tokens: number;
  /** Milliseconds on the clock of the caller. */
  readonly atMs: number;
}

export type Taking =
  | { readonly kind: 'taken'; readonly bucket: Bucket }
  | { readonly kind: 'empty'; readonly bucket: Bucket; readonly waitMs: number };

export const fullBucket = (rule: BucketRule, atMs: number): Bucket => ({
  tokens: rule.burst,
  atMs,
});

/**
 * Takes `count` tokens, or says how long until they are there; more than a full bucket holds are granted when it is
 * full. A clock that steps back refills nothing.
 */
export function takeToken(bucket: Bucket, rule: BucketRule, nowMs: number, count = 1): Taking {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(rule.burst, bucket.tokens + (elapsedMs * rule.perSecond) / 1_000);
  const needed = Math.min(count, Math.max(1, rule.burst));
  if (tokens >= needed) return { kind: 'taken', bucket: { tokens: tokens - count, atMs: nowMs } };
  const waitMs = Math.ceil(((needed - tokens) * 1_000) / rule.perSecond);
  return { kind: 'empty', bucket: { tokens, atMs: nowMs }, waitMs };
}

/**
 * Takes `count` tokens whether they are there or not: they were spent elsewhere, or in excess of an estimate. A
 * negative count gives back. A bucket never owes more than it holds when full.
 */
export function charged(
  bucket: Bucket,
  {
    rule,
    count,
    nowMs,
  }: { readonly rule: BucketRule; readonly count: number; readonly nowMs: number },
): Bucket {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(rule.burst, bucket.tokens + (elapsedMs * rule.perSecond) / 1_000);
  return { tokens: Math.min(rule.burst, Math.max(-rule.burst, tokens - count)), atMs: nowMs };
}
