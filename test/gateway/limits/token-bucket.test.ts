import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charged, fullBucket, takeToken } from '../../../src/gateway/limits/token-bucket.ts';

const rules = fc.record({
  perSecond: fc.integer({ min: 1, max: 100 }),
  burst: fc.integer({ min: 1, max: 50 }),
});

describe('a token bucket', () => {
  it('a token bucket never grants more than the burst plus what has been refilled', () => {
    fc.assert(
      fc.property(rules, fc.array(fc.nat(200), { maxLength: 300, size: 'max' }), (rule, gaps) => {
        let bucket = fullBucket(rule, 0);
        let nowMs = 0;
        let taken = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const taking = takeToken(bucket, rule, nowMs);
          bucket = taking.bucket;
          if (taking.kind === 'taken') taken += 1;
          expect(taken).toBeLessThanOrEqual(rule.burst + (nowMs * rule.perSecond) / 1_000 + 1e-6);
        }
      }),
    );
  });

  it('a token bucket grants a token after the wait it states, and none two milliseconds earlier', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        let bucket = fullBucket(rule, 0);
        for (let n = 0; n < rule.burst; n += 1) bucket = takeToken(bucket, rule, 0).bucket;
        const empty = takeToken(bucket, rule, 0);
        if (empty.kind !== 'empty') throw new Error('the bucket should be empty');
        expect(takeToken(bucket, rule, empty.waitMs + 1).kind).toBe('taken');
        expect(takeToken(bucket, rule, empty.waitMs - 2).kind).toBe('empty');
      }),
    );
  });

  it('a token bucket is not refilled by a clock that steps back', () => {
    const rule = { perSecond: 10, burst: 1 };
    const { bucket } = takeToken(fullBucket(rule, 5_000), rule, 5_000);
    expect(takeToken(bucket, rule, 1_000).kind).toBe('empty');
  });

  it('a token bucket never owes more than its capacity for tokens spent elsewhere, and refills from there', () => {
    const rule = { perSecond: 10, burst: 5 };
    const owing = charged(fullBucket(rule, 0), { rule, count: 1_000, nowMs: 0 });
    expect(owing.tokens).toBe(-5);
    expect(takeToken(owing, rule, 0)).toMatchObject({ kind: 'empty', waitMs: 600 });
    expect(takeToken(owing, rule, 600).kind).toBe('taken');
    const later = charged(owing, { rule, count: 1, nowMs: 400 });
    expect(later).toEqual({ tokens: -2, atMs: 400 });
    const full = charged(owing, { rule, count: 2, nowMs: 100_000 });
    expect(full.tokens).toBe(3);
  });
});
