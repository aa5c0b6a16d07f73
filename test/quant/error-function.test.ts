import { describe, expect, test } from 'vitest';
import { erfcx, erfNearZero } from '../../src/quant/error-function.ts';
import { relativeError } from './option-arbitraries.ts';

// Computed as exp(x²)·erfc(x) with 40 digits.
const SCALED: readonly (readonly [number, number])[] = [
  [-5, 144009798674.66104],
  [-0.25, 1.358642370104722],
  [0, 1],
  [0.25, 0.770346547730997],
  [0.5, 0.6156903441929259],
  [2, 0.25539567631050575],
  [4, 0.1369994576250614],
  [4.5, 0.12248480427384142],
  [10, 0.05614099274382258],
  [30, 0.01879588886141675],
  [1000, 0.0005641893014533877],
];

describe('the scaled complementary error function', () => {
  test.each(SCALED)('erfcx at %d is %d to the last digits', (x, expected) => {
    expect(relativeError(erfcx(x), expected)).toBeLessThan(2e-15);
  });

  test('erfcx agrees with the error function where both are defined', () => {
    for (let x = -0.46; x <= 0.46; x += 0.01)
      expect(erfNearZero(x)).toBeCloseTo(1 - erfcx(x) * Math.exp(-x * x), 14);
  });

  test('erfNearZero is NaN outside its range', () => {
    expect(erfNearZero(0.5)).toBeNaN();
  });
});
