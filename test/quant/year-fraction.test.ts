import { expect, test } from 'vitest';
import { MS_PER_YEAR, yearFraction } from '../../src/quant/year-fraction.ts';

test('a year has 365 days', () => {
  expect(MS_PER_YEAR).toBe(31_536_000_000);
  expect(yearFraction(31_536_000_000)).toBe(1);
  expect(yearFraction(86_400_000)).toBe(1 / 365);
});

test('the time past expiry is negative', () => {
  expect(yearFraction(-3_600_000)).toBeCloseTo(-1 / 8760, 15);
});
