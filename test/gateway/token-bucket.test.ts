import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullBucket, takeToken } from '../../src/gateway/token-bucket.ts';

const rules = fc.record({
  perSecond: fc.integer({ min: 1, max: 100 }),
  burst: fc.integer({ min: 1, max: 50 }),
});

describe('a token bucket', () => {
  it('never gives more than the burst and what time has refilled', () => {
    fc.assert(
      fc.property(rules, fc.array(fc.nat(200), { maxLength: 300 }), (rule, gaps) => {
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

  it('gives one after the wait it names, and none a millisecond and a bit before', () => {
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

  it('is not refilled by a clock that steps back', () => {
    const rule = { perSecond: 10, burst: 1 };
    const { bucket } = takeToken(fullBucket(rule, 5_000), rule, 5_000);
    expect(takeToken(bucket, rule, 1_000).kind).toBe('empty');
  });
});
