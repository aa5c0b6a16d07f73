import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blackPrice, type OptionTerms, timeValue } from '../../src/quant/black-76.ts';
import { blackGreeks, deltaInAveragingWindow } from '../../src/quant/greeks.ts';
import { anyOption, anyVolatility, MANY, relativeError } from './option-arbitraries.ts';
import { titled } from './priced-options.ts';

interface Bump {
  readonly at: number;
  readonly step: number;
}

/** Central difference of `f`. */
const slope = (f: (x: number) => number, { at, step }: Bump): number =>
  (f(at + step) - f(at - step)) / (2 * step);

const deviationOf = (terms: OptionTerms, volatility: number): number =>
  volatility * Math.sqrt(terms.years);

describe('the greeks', () => {
  test.each(titled)('the greeks of a %s match 40-digit arithmetic', (_title, option) => {
    const greeks = blackGreeks(option.terms, option.volatility);
    for (const name of ['delta', 'gamma', 'vega', 'rho'] as const)
      expect(relativeError(greeks[name], option[name]), name).toBeLessThan(1e-12);
    const allThatIsLeft = -timeValue(option.terms, option.volatility);
    const theta = Math.max(option.decayOfOneDay, allThatIsLeft);
    expect(relativeError(greeks.theta, theta)).toBeLessThan(1e-12);
  });

  test('delta and gamma are derivatives with respect to the forward', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const greeks = blackGreeks(terms, volatility);
        const deviation = deviationOf(terms, volatility);
        const bump = { at: terms.forward, step: 1e-4 * terms.forward * Math.min(1, deviation) };
        const price = (forward: number) => blackPrice({ ...terms, forward }, volatility);
        const delta = (forward: number) => blackGreeks({ ...terms, forward }, volatility).delta;
        expect(Math.abs(slope(price, bump) - greeks.delta)).toBeLessThan(
          1e-6 * Math.max(1, terms.strike / terms.forward),
        );
        const gammaScale = 1 / (terms.forward * Math.min(1, deviation));
        expect(Math.abs(slope(delta, bump) - greeks.gamma)).toBeLessThan(1e-6 * gammaScale);
      }),
      MANY,
    );
  });

  test('vega is the derivative with respect to volatility, per point', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const bump = { at: volatility, step: 1e-4 * volatility };
        const bySlope = 0.01 * slope((v) => timeValue(terms, v), bump);
        const scale = 0.01 * terms.forward * Math.sqrt(terms.years);
        expect(Math.abs(bySlope - blackGreeks(terms, volatility).vega)).toBeLessThan(1e-6 * scale);
      }),
      MANY,
    );
  });

  test('theta is the derivative with respect to time, per day, capped at the remaining time value', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const bump = { at: terms.years, step: 1e-4 * terms.years };
        const perDay = slope((years) => timeValue({ ...terms, years }, volatility), bump) / 365;
        const expected = -Math.min(perDay, timeValue(terms, volatility));
        const scale = (terms.forward * volatility) / Math.sqrt(terms.years) / 365;
        const { theta } = blackGreeks(terms, volatility);
        expect(Math.abs(theta - expected)).toBeLessThan(1e-6 * scale);
        expect(theta).toBeLessThanOrEqual(0);
      }),
      MANY,
    );
  });

  test('rho is the derivative with respect to the rate at a fixed spot price', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const discounted = (rate: number) => {
          const growth = Math.exp(rate * terms.years);
          return blackPrice({ ...terms, forward: terms.forward * growth }, volatility) / growth;
        };
        const step = (1e-4 * Math.min(1, deviationOf(terms, volatility))) / terms.years;
        const scale = 0.01 * terms.years * (terms.forward + terms.strike);
        const bySlope = 0.01 * slope(discounted, { at: 0, step });
        expect(Math.abs(bySlope - blackGreeks(terms, volatility).rho)).toBeLessThan(1e-6 * scale);
      }),
      MANY,
    );
  });

  test('the deltas of call and put differ by one forward', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const call = blackGreeks({ ...terms, type: 'call' }, volatility);
        const put = blackGreeks({ ...terms, type: 'put' }, volatility);
        expect(call.delta - put.delta).toBeCloseTo(1, 14);
        expect(put).toMatchObject({ gamma: call.gamma, vega: call.vega, theta: call.theta });
      }),
      MANY,
    );
  });
});

describe('the greeks at expiry', () => {
  const expired = (type: 'call' | 'put', forward: number) =>
    blackGreeks({ type, forward, strike: 100, years: 0 }, 0.5);

  test('an expired option is a forward position, worthless, or half a position at the strike', () => {
    expect(expired('call', 110).delta).toBe(1);
    expect(expired('put', 90).delta).toBe(-1);
    expect(expired('call', 90).delta).toBe(0);
    expect(expired('put', 110).delta).toBeCloseTo(0);
    expect(expired('call', 100).delta).toBe(0.5);
    expect(expired('call', 110)).toMatchObject({ gamma: 0, vega: 0, theta: 0, rho: 0 });
  });

  test('delta fades to zero over the last half hour, while the delivery price is averaged', () => {
    const minutes = (count: number) => count / (60 * 24 * 365);
    expect(deltaInAveragingWindow(0.8, minutes(45))).toBe(0.8);
    expect(deltaInAveragingWindow(0.8, minutes(15))).toBeCloseTo(0.4, 12);
    expect(deltaInAveragingWindow(-0.8, minutes(3))).toBeCloseTo(-0.08, 12);
    expect(deltaInAveragingWindow(0.8, minutes(-1))).toBe(0);
  });
});
