import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  childLabel,
  deploymentId,
  labelPrefix,
  parseChildLabel,
  portfolioId,
} from '../../src/values/ids.ts';

const addresses = fc.record({
  deployment: fc.string({ unit: fc.constantFrom(...'abcz0189'), minLength: 4, maxLength: 4 }),
  portfolio: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  leg: fc.integer({ min: 0, max: 19 }),
  slice: fc.integer({ min: 0, max: 100_000 }),
  attempt: fc.integer({ min: 1, max: 1_000 }),
});

describe('the label of a child', () => {
  test('a child label is at most 64 characters long and parses back to its address', () => {
    fc.assert(
      fc.property(addresses, (one) => {
        const address = {
          ...one,
          deployment: deploymentId(one.deployment),
          portfolio: portfolioId(String(one.portfolio)),
        };
        const label = childLabel(address);
        expect(label.length).toBeLessThanOrEqual(64);
        expect(label.startsWith(labelPrefix(address.deployment))).toBe(true);
        expect(parseChildLabel(label)).toEqual(address);
      }),
    );
  });

  test.each(['', 'tw1', 'tw1-main-x-0-0', 'tw1-MAIN-1-0-0-1', 'my order', 'tw1-main-1-0-0-1 '])(
    'a foreign label %j has no address',
    (label) => {
      expect(parseChildLabel(label)).toBeUndefined();
    },
  );
});
