import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalCdf, normalDensity, normalQuantile } from '../../src/quant/normal.ts';
import { MANY, relativeError } from './option-arbitraries.ts';

// Computed with 40 digits.
const CUMULATIVE: readonly (readonly [number, number])[] = [
  [-0.5, 0.3085375387259869],
  [-1, 0.15865525393145705],
  [-2.5, 0.006209665325776135],
  [-5, 2.866515718791939e-7],
  [-8, 6.220960574271784e-16],
  [-12, 1.776482112077679e-33],
  [-20, 2.7536241186062337e-89],
  [-30, 4.906713927148187e-198],
  [-37, 5.725571222524577e-300],
  [0.5, 0.6914624612740131],
  [1.96, 0.9750021048517795],
  [5, 0.9999997133484281],
];
const DENSITY: readonly (readonly [number, number])[] = [
  [0, 0.3989422804014327],
  [1, 0.24197072451914334],
  [-6, 6.075882849823285e-9],
  [20, 5.520948362159764e-88],
];
const QUANTILE: readonly (readonly [number, number])[] = [
  [0.4, -0.2533471031357998],
  [0.1, -1.2815515655446004],
  [0.001, -3.0902323061678136],
  [1e-10, -6.361340902404057],
  [1e-50, -14.933337534788489],
  [1e-300, -37.0470962993612],
  [0.975, 1.9599639845400543],
];
const anyX = fc.double({ min: -37, max: 8, noNaN: true });

describe('the cumulative normal probability', () => {
  test.each(CUMULATIVE)('normalCdf at %d is %d to the last digits', (x, expected) => {
    expect(relativeError(normalCdf(x), expected)).toBeLessThan(1e-15);
  });

  test('the probabilities of x and −x sum to one', () => {
    fc.assert(
      fc.property(anyX, (x) => {
        expect(Math.abs(normalCdf(x) + normalCdf(-x) - 1)).toBeLessThanOrEqual(2 ** -52);
      }),
      MANY,
    );
  });

  test('the probability never falls from one x to a clearly larger one', () => {
    fc.assert(
      fc.property(anyX, fc.double({ min: 1e-9, max: 1, noNaN: true }), (x, step) => {
        expect(normalCdf(x + step)).toBeGreaterThanOrEqual(normalCdf(x));
      }),
      MANY,
    );
  });

  test('the derivative of the probability is the density', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 5, noNaN: true }), (x) => {
        const step = 1e-5 / Math.max(1, Math.abs(x));
        const slope = (normalCdf(x + step) - normalCdf(x - step)) / (2 * step);
        expect(Math.abs(slope - normalDensity(x))).toBeLessThanOrEqual(
          1e-8 * normalDensity(x) + 1e-10 * normalCdf(x),
        );
      }),
      MANY,
    );
  });

  test('the probability is 0 and 1 at the infinities', () => {
    expect(normalCdf(-Infinity)).toBe(0);
    expect(normalCdf(Infinity)).toBe(1);
    expect(normalCdf(0)).toBe(0.5);
  });
});

describe('the normal density', () => {
  test.each(DENSITY)('normalDensity at %d is %d to the last digits', (x, expected) => {
    expect(relativeError(normalDensity(x), expected)).toBeLessThan(1e-15);
  });
});

describe('the normal quantile', () => {
  test.each(QUANTILE)('normalQuantile of %d is %d to the last digits', (probability, expected) => {
    expect(relativeError(normalQuantile(probability), expected)).toBeLessThan(3e-15);
  });

  test('the quantile inverts the cumulative probability', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 3, noNaN: true }), (x) => {
        expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(1e-12);
      }),
      MANY,
    );
  });

  test('the quantile is infinite at 0 and 1 and NaN beyond', () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalQuantile(-0.1)).toBeNaN();
    expect(normalQuantile(1.1)).toBeNaN();
  });
});
