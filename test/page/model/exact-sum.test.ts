// Judged by decimal.js, which shares no code with it.
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum, isGreater } from '../../../src/page/model/exact-sum.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -100, toExpPos: 100 });
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }))
  .map(([units, scale]) => new Exact(String(units)).div(new Exact(10).pow(scale)).toFixed());

test('sums and comparisons of decimal texts are exact', () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      expect(exactSum(one, other)).toBe(new Exact(one).plus(other).toFixed());
      expect(isGreater(one, other)).toBe(new Exact(one).greaterThan(other));
    }),
  );
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
