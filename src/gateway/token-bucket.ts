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

/** Takes one token, or says how long until there is one. A clock that steps back refills nothing. */
export function takeToken(bucket: Bucket, rule: BucketRule, nowMs: number): Taking {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(rule.burst, bucket.tokens + (elapsedMs * rule.perSecond) / 1_000);
  if (tokens >= 1) return { kind: 'taken', bucket: { tokens: tokens - 1, atMs: nowMs } };
  const waitMs = Math.ceil(((1 - tokens) * 1_000) / rule.perSecond);
  return { kind: 'empty', bucket: { tokens, atMs: nowMs }, waitMs };
}

/**
 * Takes `count` tokens whether they are there or not: they were spent elsewhere. A bucket never owes more
 * than it holds when full.
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
  return { tokens: Math.max(-rule.burst, tokens - count), atMs: nowMs };
}
