import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blackPrice,
  highestValue,
  intrinsicValue,
  logMoneyness,
  type OptionTerms,
} from '../../src/quant/black-76.ts';
import { livePrice, liveTimeValue } from '../support/live-option.ts';
import { anyOption, anyVolatility, MANY, relativeError, spread } from './option-arbitraries.ts';
import { titled } from './priced-options.ts';

const AT_THE_MONEY: OptionTerms = { type: 'call', forward: 100, strike: 100, years: 1 };
/** Maximum rounding error of sums of this size. */
const rounding = ({ forward, strike }: OptionTerms): number => 1e-14 * (forward + strike);

describe('the Black price', () => {
  test.each(titled)('the price of a %s matches 40-digit arithmetic', (_title, option) => {
    expect(relativeError(livePrice(option.terms, option.volatility), option.price)).toBeLessThan(
      2e-13,
    );
  });

  test('prices obey put-call parity', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const call = livePrice({ ...terms, type: 'call' }, volatility);
        const put = livePrice({ ...terms, type: 'put' }, volatility);
        expect(Math.abs(call - put - (terms.forward - terms.strike))).toBeLessThanOrEqual(
          rounding(terms),
        );
      }),
      MANY,
    );
  });

  test('every price lies between intrinsic value and maximum', () => {
    fc.assert(
      fc.property(anyOption, spread(1e-6, 1e3), (terms, volatility) => {
        const price = livePrice(terms, volatility);
        expect(price).toBeGreaterThanOrEqual(intrinsicValue(terms));
        expect(price).toBeLessThanOrEqual(highestValue(terms) + rounding(terms));
      }),
      MANY,
    );
  });

  test('the price rises with volatility and with time', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, spread(1.0001, 10), (terms, volatility, factor) => {
        const price = livePrice(terms, volatility) - rounding(terms);
        expect(livePrice(terms, volatility * factor)).toBeGreaterThanOrEqual(price);
        const longer = { ...terms, years: terms.years * factor };
        expect(livePrice(longer, volatility)).toBeGreaterThanOrEqual(price);
      }),
      MANY,
    );
  });

  test('the price moves with the strike in the right direction, by at most the strike difference', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, spread(1.0001, 10), (terms, volatility, factor) => {
        const higher = { ...terms, strike: terms.strike * factor };
        const gain =
          (livePrice(higher, volatility) - livePrice(terms, volatility)) *
          (terms.type === 'put' ? 1 : -1);
        expect(gain).toBeGreaterThanOrEqual(-rounding(higher));
        expect(gain).toBeLessThanOrEqual(higher.strike - terms.strike + rounding(higher));
      }),
      MANY,
    );
  });

  test('the price scales with the currency', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, spread(1e-6, 1e6), (terms, volatility, factor) => {
        const scaled = {
          ...terms,
          forward: terms.forward * factor,
          strike: terms.strike * factor,
        };
        const expected = livePrice(terms, volatility) * factor;
        const error = Math.abs(livePrice(scaled, volatility) - expected);
        expect(error).toBeLessThanOrEqual(rounding(scaled));
      }),
      MANY,
    );
  });

  test('the at-the-money price is the forward times 2Φ(half the deviation) − 1', () => {
    // 0.0797…: 2Φ(0.1) − 1, the textbook closed form.
    expect(livePrice(AT_THE_MONEY, 0.2) / 100).toBeCloseTo(0.07965567455405798, 15);
  });
});

describe('an option without remaining randomness', () => {
  test.each([0, -1])('%d years from expiry there is no price by the formula', (years) => {
    expect(blackPrice({ type: 'call', forward: 110, strike: 100, years }, 0.5)).toBe('expired');
    expect(blackPrice({ type: 'put', forward: 110, strike: 100, years }, 0)).toBe('expired');
  });

  test('the price at zero volatility is the intrinsic value', () => {
    expect(livePrice({ type: 'put', forward: 90, strike: 100, years: 1 }, 0)).toBe(10);
    expect(liveTimeValue(AT_THE_MONEY, 0)).toBe(0);
  });

  test('a negligible deviation never yields NaN', () => {
    expect(livePrice({ type: 'call', forward: 100, strike: 101, years: 1e-300 }, 1e-9)).toBe(0);
    expect(livePrice({ ...AT_THE_MONEY, years: 1e-300 }, 1e-9)).toBeGreaterThanOrEqual(0);
  });

  test('a very large deviation gives the maximum price', () => {
    expect(livePrice({ type: 'call', forward: 100, strike: 250, years: 3 }, 1e4)).toBe(100);
    expect(livePrice({ type: 'put', forward: 100, strike: 250, years: 3 }, 1e4)).toBe(250);
  });
});

describe('invalid input of the formula', () => {
  test.each([
    [{ ...AT_THE_MONEY, forward: 0 }, 0.2, /forward/],
    [{ ...AT_THE_MONEY, strike: -1 }, 0.2, /strike/],
    [{ ...AT_THE_MONEY, forward: Number.NaN }, 0.2, /forward/],
    [{ ...AT_THE_MONEY, years: Number.NaN }, 0.2, /years/],
    [AT_THE_MONEY, -0.1, /volatility/],
    [AT_THE_MONEY, Number.POSITIVE_INFINITY, /volatility/],
  ])('invalid terms are refused by name: %o at %d', (terms, volatility, message) => {
    expect(() => livePrice(terms, volatility)).toThrow(message);
  });
});

test('log-moneyness keeps its accuracy close to the money', () => {
  // ln(1 + 1e-9) = 1e-9 − 5e-19 + …
  expect(relativeError(logMoneyness(1e9 + 1, 1e9), 9.999999995e-10)).toBeLessThan(1e-15);
  expect(logMoneyness(Math.E ** 2, 1)).toBeCloseTo(2, 15);
});
