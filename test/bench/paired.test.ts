import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairedRatio } from '../../bench/paired.ts';
import { rng } from '../../src/values/rng.ts';

const cost = fc.double({ min: 1, max: 1_000, noNaN: true });
const pairs = fc.array(fc.record({ one: cost, other: cost }), {
  minLength: 1,
  maxLength: 30,
  size: 'max',
});

describe('pairs of measurements', () => {
  it('pairs of measurements show a difference despite disturbances that fall on both of a pair', () => {
    const { next, normal } = rng('drift');
    const drifting = Array.from({ length: 200 }, (_, index) => {
      const both = 500 + 400 * Math.sin(index / 20) + 100 * next();
      return { one: both * 1.03 * (1 + normal() / 100), other: both * (1 + normal() / 100) };
    });
    const { ratio, from, to } = pairedRatio(drifting);
    expect(ratio).toBeCloseTo(1.03, 2);
    expect(from).toBeGreaterThan(1.02);
    expect(to).toBeLessThan(1.04);
  });

  it('the bounds of pairs of measurements lie within the measured ratios', () => {
    fc.assert(
      fc.property(pairs, (some) => {
        const { ratio, from, to } = pairedRatio(some);
        const ratios = some.map(({ one, other }) => one / other);
        expect(from).toBeGreaterThanOrEqual(Math.min(...ratios));
        expect(to).toBeLessThanOrEqual(Math.max(...ratios));
        expect(to).toBeGreaterThanOrEqual(from);
        expect(ratios).toContain(ratio);
      }),
      { numRuns: 30 },
    );
  });

  it('each pair of measurements has a ratio', () => {
    expect(() => pairedRatio([{ one: 1, other: 0 }])).toThrow(RangeError);
    expect(() => pairedRatio([{ one: 0, other: 0 }])).toThrow(RangeError);
  });

  it('pairs of measurements give the same bounds again', () => {
    const some = [1, 2, 3, 4, 5].map((other) => ({ one: 3, other }));
    expect(pairedRatio(some)).toEqual(pairedRatio(some));
  });
});
