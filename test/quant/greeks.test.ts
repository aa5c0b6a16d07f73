import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OptionTerms } from '../../src/quant/black-76.ts';
import { blackGreeks, deltaInAveragingWindow } from '../../src/quant/greeks.ts';
import { liveGreeks, livePrice, liveTimeValue } from '../support/live-option.ts';
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
    const greeks = liveGreeks(option.terms, option.volatility);
    for (const name of ['delta', 'gamma', 'vega', 'rho'] as const)
      expect(relativeError(greeks[name], option[name]), name).toBeLessThan(1e-12);
    // Of all but the last option a day is left.
    const dayOrRest = option.decayOfOneDay * Math.min(1, option.terms.years * 365);
    const theta = Math.max(dayOrRest, -option.price);
    expect(relativeError(greeks.theta, theta)).toBeLessThan(1e-12);
  });

  test('delta and gamma are derivatives with respect to the forward', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const greeks = liveGreeks(terms, volatility);
        const deviation = deviationOf(terms, volatility);
        const bump = { at: terms.forward, step: 1e-4 * terms.forward * Math.min(1, deviation) };
        const price = (forward: number) => livePrice({ ...terms, forward }, volatility);
        const delta = (forward: number) => liveGreeks({ ...terms, forward }, volatility).delta;
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
        const bySlope = 0.01 * slope((v) => liveTimeValue(terms, v), bump);
        const scale = 0.01 * terms.forward * Math.sqrt(terms.years);
        expect(Math.abs(bySlope - liveGreeks(terms, volatility).vega)).toBeLessThan(1e-6 * scale);
      }),
      MANY,
    );
  });

  test('theta is the derivative with respect to time, of a day or of what is left of it', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const bump = { at: terms.years, step: 1e-4 * terms.years };
        const perDay = slope((years) => liveTimeValue({ ...terms, years }, volatility), bump) / 365;
        const decay = perDay * Math.min(1, terms.years * 365);
        const expected = -Math.min(decay, livePrice(terms, volatility));
        const scale = (terms.forward * volatility) / Math.sqrt(terms.years) / 365;
        const { theta } = liveGreeks(terms, volatility);
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
          return livePrice({ ...terms, forward: terms.forward * growth }, volatility) / growth;
        };
        const step = (1e-4 * Math.min(1, deviationOf(terms, volatility))) / terms.years;
        const scale = 0.01 * terms.years * (terms.forward + terms.strike);
        const bySlope = 0.01 * slope(discounted, { at: 0, step });
        expect(Math.abs(bySlope - liveGreeks(terms, volatility).rho)).toBeLessThan(1e-6 * scale);
      }),
      MANY,
    );
  });

  test('the deltas of call and put differ by one forward', () => {
    fc.assert(
      fc.property(anyOption, anyVolatility, (terms, volatility) => {
        const call = liveGreeks({ ...terms, type: 'call' }, volatility);
        const put = liveGreeks({ ...terms, type: 'put' }, volatility);
        expect(call.delta - put.delta).toBeCloseTo(1, 14);
        expect(put).toMatchObject({ gamma: call.gamma, vega: call.vega });
      }),
      MANY,
    );
  });
});

describe('theta as the venue prints it', () => {
  const terms = { type: 'call', forward: 9_096, strike: 9_250, years: 0.0002 } as const;
  const hours = (count: number): number => count / (24 * 365);

  test('with hours left only the decay of those hours counts', () => {
    // Raw decay of a day: F·φ(d1)·σ / (2·√T) / 365.
    const atTheMoney = { type: 'put', forward: 9_000, strike: 9_000, years: hours(6) } as const;
    const rawDecay = (9_000 * 0.3989422804 * 0.8) / (2 * Math.sqrt(hours(6)) * 365);
    expect(liveGreeks(atTheMoney, 0.8).theta / rawDecay).toBeCloseTo(-0.25, 4);
  });

  test('an option in the money decays by more than its time value, up to its whole value', () => {
    const inside = { ...terms, strike: 8_600, years: hours(20) } as const;
    const { theta } = liveGreeks(inside, 0.45);
    expect(-theta).toBeGreaterThan(liveTimeValue(inside, 0.45));
    expect(-theta).toBeLessThan(livePrice(inside, 0.45));
  });

  test('a cheap option out of the money cannot lose more in a day than it is worth', () => {
    const cheap = { ...terms, strike: 10_500, years: hours(30) } as const;
    expect(liveGreeks(cheap, 0.6).theta).toBe(-livePrice(cheap, 0.6));
  });
});

describe('the greeks of an option without randomness', () => {
  const certain = (type: 'call' | 'put', forward: number) =>
    liveGreeks({ type, forward, strike: 100, years: 0.25 }, 0);

  test('at zero volatility it is a forward position, worthless, or half a position at the strike', () => {
    expect(certain('call', 110).delta).toBe(1);
    expect(certain('put', 90).delta).toBe(-1);
    expect(certain('call', 90).delta).toBe(0);
    expect(certain('put', 110).delta).toBeCloseTo(0);
    expect(certain('call', 100).delta).toBe(0.5);
    expect(certain('put', 100).delta).toBe(-0.5);
    // A percentage point of rate over a quarter of a year is a 400th of the strike, and the holder of a call pays it.
    expect(certain('call', 110)).toMatchObject({ gamma: 0, vega: 0, theta: 0, rho: 0.25 });
    expect(certain('put', 90)).toMatchObject({ gamma: 0, vega: 0, theta: 0, rho: -0.25 });
    expect([certain('call', 100).rho, certain('put', 100).rho]).toEqual([0.125, -0.125]);
  });

  test.each([0, -1])('%d years from expiry there are none', (years) => {
    expect(blackGreeks({ type: 'call', forward: 110, strike: 100, years }, 0.5)).toBe('expired');
  });

  test('delta fades to zero over the last half hour, while the delivery price is averaged', () => {
    const minutes = (count: number) => count / (60 * 24 * 365);
    expect(deltaInAveragingWindow(0.8, minutes(45))).toBe(0.8);
    expect(deltaInAveragingWindow(0.8, minutes(15))).toBeCloseTo(0.4, 12);
    expect(deltaInAveragingWindow(-0.8, minutes(3))).toBeCloseTo(-0.08, 12);
    expect(deltaInAveragingWindow(0.8, minutes(-1))).toBe(0);
  });
});
