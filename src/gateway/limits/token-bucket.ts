// Token buckets: `perSecond` requests in the long run, `burst` at once. Pure: the time is a parameter.

export interface BucketRule {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Bucket {
  readonly tokens: number;
  /** Milliseconds of the caller's clock. */
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
 * Takes `count` tokens, or returns the time until they are available; a count above the capacity is granted
 * when the bucket is full. A clock that steps back refills nothing.
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
 * Takes `count` tokens even if they are not available: they were spent elsewhere or beyond an estimate. A
 * negative count refunds. The debt never exceeds the capacity.
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
