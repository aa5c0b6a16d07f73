// Waits between attempts to connect.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Backoff } from '../../src/values/backoff.ts';
import { rng } from '../../src/values/rng.ts';

test('connection attempts back off up to a bound, and restart quickly after a good connection', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), (seed, attempts) => {
      const rule = { minMs: 100, maxMs: 5_000, heldMs: 1_000 };
      const backoff = new Backoff(rule, rng(seed));
      for (let n = 0; n < attempts; n += 1) {
        const step = Math.min(rule.maxMs, rule.minMs * 2 ** n);
        const wait = backoff.nextMs();
        expect(wait).toBeGreaterThanOrEqual(step / 2);
        expect(wait).toBeLessThanOrEqual(step);
      }
      backoff.held(rule.heldMs - 1);
      const late = backoff.nextMs();
      expect(late).toBeGreaterThanOrEqual(Math.min(rule.maxMs, rule.minMs * 2 ** attempts) / 2);
      backoff.held(rule.heldMs);
      expect(backoff.nextMs()).toBeLessThanOrEqual(rule.minMs);
    }),
  );
});
