// Compares division of whole numbers with the same in unbounded integers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bigQuotient,
  type Rounding,
  raisedQuotient,
  wholeQuotient,
} from '../../src/values/whole-division.ts';

const roundings: readonly Rounding[] = ['down', 'up', 'half_up', 'half_even'];
/** Of any size: as many small ones as large ones. */
const whole = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 52 }))
  .map(([value, shift]) => Math.trunc(value / 2 ** shift));
const above = whole.map((value) => Math.abs(value) + 1).filter(Number.isSafeInteger);
const rounding = fc.constantFrom(...roundings);

const sameAsBig = (units: number, value: bigint, by: number, how: Rounding): void => {
  expect(BigInt(units)).toBe(bigQuotient(value, BigInt(by), how));
};

test('wholeQuotient equals the quotient of unbounded integers', () => {
  fc.assert(
    fc.property(whole, above, rounding, (value, by, how) => {
      sameAsBig(wholeQuotient(value, by, how), BigInt(value), by, how);
    }),
  );
});

test('raisedQuotient equals the quotient of unbounded integers wherever it is defined', () => {
  fc.assert(
    fc.property(whole, above, fc.nat(22), rounding, (value, by, raise, how) => {
      const units = raisedQuotient(value, by, { raise, rounding: how });
      if (units !== undefined) sameAsBig(units, BigInt(value) * 10n ** BigInt(raise), by, how);
    }),
  );
});

test('raisedQuotient is defined if the result and each digit step are below 2^53', () => {
  const by = above.filter((one) => one <= Number.MAX_SAFE_INTEGER / 10);
  fc.assert(
    fc.property(whole, by, fc.nat(22), rounding, (value, divisor, raise, how) => {
      const exact = bigQuotient(BigInt(value) * 10n ** BigInt(raise), BigInt(divisor), how);
      const isSmall = exact > -(2n ** 53n) + 2n && exact < 2n ** 53n - 2n;
      const units = raisedQuotient(value, divisor, { raise, rounding: how });
      expect(units !== undefined || !isSmall).toBe(true);
    }),
  );
});

test.each([
  [1, 3, 12, 'half_even', 333_333_333_333],
  [-2, 3, 12, 'half_up', -666_666_666_667],
  [10_000, 9_002_425, 14, 'half_even', 111_081_180_904],
  [1, 8, 2, 'half_even', 12],
  [3, 8, 2, 'half_even', 38],
] as const)('%d / %d raised by %d, rounded %s, is %d', (value, by, raise, how, quotient) => {
  expect(raisedQuotient(value, by, { raise, rounding: how })).toBe(quotient);
});
