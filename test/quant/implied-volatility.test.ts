import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { highestValue, intrinsicValue, type OptionTerms } from '../../src/quant/black-76.ts';
import { impliedVolatility } from '../../src/quant/implied-volatility.ts';
import { liveGreeks, livePrice } from '../support/live-option.ts';
import {
  anyOption,
  anyOutOfTheMoneyOption,
  anyVolatility,
  MANY,
  relativeError,
  spread,
} from './option-arbitraries.ts';

const CALL: OptionTerms = { type: 'call', forward: 100, strike: 90, years: 0.5 };

function found(terms: OptionTerms, price: number): number {
  const implied = impliedVolatility(terms, price);
  expect(implied.kind).toBe('found');
  return implied.kind === 'found' ? implied.volatility : Number.NaN;
}

describe('implied volatility', () => {
  test('the volatility of out-of-the-money prices is recovered, however small they are', () => {
    fc.assert(
      fc.property(anyOutOfTheMoneyOption, anyVolatility, (terms, volatility) => {
        const price = livePrice(terms, volatility);
        fc.pre(price > 1e-290 && price < 0.9999 * highestValue(terms));
        expect(relativeError(found(terms, price), volatility)).toBeLessThan(1e-10);
      }),
      MANY,
    );
  });

  test('the volatility of any price is recovered as well as its digits allow', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const price = livePrice(terms, volatility);
        const vegaOfWhole = 100 * liveGreeks(terms, volatility).vega * volatility;
        const lostDigits = (8 * Number.EPSILON * (terms.forward + terms.strike)) / vegaOfWhole;
        fc.pre(lostDigits < 1e-4);
        const error = relativeError(found(terms, price), volatility);
        expect(error).toBeLessThan(1e-10 + lostDigits);
      }),
      MANY,
    );
  });

  test('the implied volatility of any attainable price reprices it', () => {
    const anyFraction = fc.double({ min: 1e-300, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(anyOption, anyFraction, (terms, fraction) => {
        const lowest = intrinsicValue(terms);
        const price = lowest + fraction * (highestValue(terms) - lowest);
        fc.pre(price > lowest && price < highestValue(terms) * (1 - 1e-12));
        const repriced = livePrice(terms, found(terms, price));
        expect(Math.abs(repriced - price)).toBeLessThan(1e-12 * (terms.forward + terms.strike));
      }),
      MANY,
    );
  });

  test('implied volatility rises with the price', () => {
    fc.assert(
      fc.property(
        anyOutOfTheMoneyOption,
        spread(0.1, 2),
        spread(1.001, 2),
        (terms, low, factor) => {
          const price = livePrice(terms, low);
          fc.pre(price > 1e-290);
          const higher = price * factor;
          fc.pre(higher < highestValue(terms));
          expect(found(terms, higher)).toBeGreaterThan(found(terms, price));
        },
      ),
      MANY,
    );
  });

  test('implied volatility exactly at the money has a closed form', () => {
    // 2Φ(s/2) − 1 = 0.07965567455405798 at s = 0.2.
    const terms = { type: 'put', forward: 1, strike: 1, years: 0.25 } as const;
    expect(found(terms, 0.07965567455405798)).toBeCloseTo(0.4, 13);
  });
});

describe('a price that no volatility explains', () => {
  test.each([10, 9.99, 0, -1])('a price of %d is at or below intrinsic', (price) => {
    expect(impliedVolatility(CALL, price)).toEqual({ kind: 'below_intrinsic' });
  });

  test.each([100, 101, Infinity])('a price of %d is above the maximum of a call', (price) => {
    expect(impliedVolatility(CALL, price)).toEqual({ kind: 'above_maximum' });
  });

  test('the maximum of a put is its strike', () => {
    expect(impliedVolatility({ ...CALL, type: 'put' }, 90)).toEqual({ kind: 'above_maximum' });
    expect(impliedVolatility({ ...CALL, type: 'put' }, 89).kind).toBe('found');
  });

  test.each([0, -1])('%d years from expiry no price implies anything, whatever it is', (years) => {
    for (const price of [0, 10, 11, 100])
      expect(impliedVolatility({ ...CALL, years }, price)).toEqual({ kind: 'expired' });
  });
});

test('invalid numbers are refused by name', () => {
  expect(() => impliedVolatility(CALL, Number.NaN)).toThrow(/price/);
  expect(() => impliedVolatility({ ...CALL, forward: 0 }, 1)).toThrow(/forward/);
});

describe('the limits of floating point', () => {
  test('extreme prices give a finite answer', () => {
    const wing = { type: 'call', forward: 100, strike: 2000, years: 0.01 } as const;
    for (const price of [1e-300, 1e-100, 99.999999]) expect(found(wing, price)).toBeGreaterThan(0);
    // At the money a tiny price is the tangent at zero: deviation = price·√(2π)/forward.
    const tiny = found({ ...CALL, strike: 100, years: 1 }, 1e-300);
    expect(relativeError(tiny, 2.506628274631e-302)).toBeLessThan(1e-12);
    expect(impliedVolatility(wing, Number.MIN_VALUE)).toEqual({ kind: 'below_intrinsic' });
    expect(found({ ...CALL, forward: 90 + 1e-12 }, 2e-12)).toBeGreaterThan(0);
  });
});
