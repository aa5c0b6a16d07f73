// Judged by decimal.js, which shares no code with it.
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exactProduct,
  exactSum,
  isGreater,
  nearestMultiple,
} from '../../../src/page/model/exact-sum.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -100, toExpPos: 100 });
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }))
  .map(([units, scale]) => new Exact(String(units)).div(new Exact(10).pow(scale)).toFixed());

test('sums, products and comparisons of decimal texts are exact', () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      expect(exactSum(one, other)).toBe(new Exact(one).plus(other).toFixed());
      expect(exactProduct(one, other)).toBe(
        new Exact(one).times(other).toFixed().replace(/^-0$/, '0'),
      );
      expect(isGreater(one, other)).toBe(new Exact(one).greaterThan(other));
    }),
  );
});

test('a decimal text is rounded to the nearest multiple of a step, halves up, and what has none is not', () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      const [value, step] = [new Exact(one).abs().toFixed(), new Exact(other).abs().toFixed()];
      fc.pre(step !== '0');
      const nearest = new Exact(value).toNearest(step, Decimal.ROUND_HALF_UP);
      expect(nearestMultiple(value, step)).toBe(nearest.toFixed());
    }),
  );
  expect(nearestMultiple('12345', '10')).toBe('12350');
  expect(nearestMultiple('12344.99', '10')).toBe('12340');
  for (const [value, step] of [
    ['1', '0'],
    ['-1', '10'],
    ['x', '10'],
  ] as const) {
    expect(nearestMultiple(value, step)).toBeUndefined();
  }
});

test('trailing zeros are dropped and a tenth stays a tenth', () => {
  expect(exactSum('0.1', '0.2')).toBe('0.3');
  expect(exactSum('-1.50', '1.5')).toBe('0');
  expect(exactSum('0.00000001', '12345678901234567890')).toBe('12345678901234567890.00000001');
});

test.each(['', 'null', '1e3', '.5', '1.', '+1', ' 1'])('%j is no decimal text', (text) => {
  expect(exactSum(text, '1')).toBeUndefined();
  expect(isGreater('1', text)).toBeUndefined();
});
