import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OptionTerms } from '../../src/quant/black-76.ts';
import { erfcxShortfall } from '../../src/quant/error-function.ts';
import { impliedVolatility } from '../../src/quant/implied-volatility.ts';
import { cases } from '../support/cases.ts';
import { livePrice } from '../support/live-option.ts';
import { anyOption, anyVolatility, spread } from './option-arbitraries.ts';
import {
  big,
  byFraction,
  bySeries,
  errorAgainst,
  millsRatio,
  precisePrice,
} from './precise-black.ts';

const FORWARD = 88_000;
const SECONDS_PER_YEAR = 365 * 86_400;
const YEARS = [60, 600, 3_600, 86_400, 604_800, 2_592_000, 15_768_000, 31_536_000, 94_608_000].map(
  (seconds) => seconds / SECONDS_PER_YEAR,
);
const VOLATILITIES = [0.05, 0.1, 0.25, 0.5, 0.9, 1.5, 3, 5];
/** Strikes over forwards: wide, and close around the money, where a minute at 5 % has any value at all. */
const MONEYNESS = [
  0.1, 0.4, 0.7, 0.9, 0.96, 0.99, 0.997, 0.999, 0.9995, 0.9999, 0.99999, 1,
].flatMap((below) => (below === 1 ? [below] : [below, 1 / below]));

interface PricedRow {
  readonly terms: OptionTerms;
  readonly volatility: number;
  readonly price: ReturnType<typeof big>;
}

const outOfTheMoney = (moneyness: number, years: number): OptionTerms => ({
  type: moneyness >= 1 ? 'call' : 'put',
  forward: FORWARD,
  strike: FORWARD * moneyness,
  years,
});

const ROWS: readonly PricedRow[] = YEARS.flatMap((years) =>
  VOLATILITIES.flatMap((volatility) =>
    MONEYNESS.map((moneyness) => {
      const terms = outOfTheMoney(moneyness, years);
      return { terms, volatility, price: precisePrice(terms, volatility) };
    }),
  ),
).filter(({ price }) => price.isGreaterThan(1e-300));

/** What a price of this size is held to. */
const toleranceOf = ({ terms, price }: Pick<PricedRow, 'terms' | 'price'>): number =>
  price.isGreaterThan(1e-12 * terms.forward) ? 1e-13 : 1e-11;

const volatilityOf = (terms: OptionTerms, price: number): number => {
  const implied = impliedVolatility(terms, price);
  return implied.kind === 'found' ? implied.volatility : Number.NaN;
};

describe('the judge in 70 digits', () => {
  test('its two ways to a cumulative probability agree where they meet', () => {
    for (const d of [-4, -5.5, -6, -7, -9]) {
      const [fraction, series] = [byFraction(big(d)), bySeries(big(d))];
      expect(fraction.minus(series).div(fraction).abs().toNumber()).toBeLessThan(1e-50);
    }
  });

  test('it finds the published probabilities', () => {
    // Φ(−5) and Φ(−37), computed elsewhere with 40 digits.
    expect(errorAgainst(bySeries(big(-5)), 2.866515718791939e-7)).toBeLessThan(2e-16);
    expect(errorAgainst(byFraction(big(-37)), 5.725571222524577e-300)).toBeLessThan(2e-16);
  });
});

describe('prices against 70-digit arithmetic', () => {
  test('the table has prices of every size, from sizeable ones to 1e-300', () => {
    const depths = ROWS.map(({ price }) => -Math.log10(price.toNumber() / FORWARD));
    expect(ROWS.length).toBeGreaterThan(1_200);
    expect(depths.filter((depth) => depth > 12).length).toBeGreaterThan(50);
    expect(depths.filter((depth) => depth > 200).length).toBeGreaterThan(5);
  });

  test('no price of the table above 1e-12 of the forward is off by 1e-13, nor a smaller one by 1e-11', () => {
    const wrong = ROWS.map((row) => ({
      ...row,
      error: errorAgainst(row.price, livePrice(row.terms, row.volatility)),
    })).filter((row) => !(row.error <= toleranceOf(row)));
    expect(wrong).toEqual([]);
  });

  test('nor is the price of any option, in or out of the money', () => {
    const anyMinute = spread(60 / SECONDS_PER_YEAR, 3);
    fc.assert(
      fc.property(anyOption, anyMinute, anyVolatility, (option, years, volatility) => {
        const terms = { ...option, years };
        const price = precisePrice(terms, volatility);
        fc.pre(price.isGreaterThan(1e-300));
        const error = errorAgainst(price, livePrice(terms, volatility));
        expect(error).toBeLessThanOrEqual(toleranceOf({ terms, price }));
      }),
      { numRuns: cases(100) },
    );
  });

  test('nor is that of an option many deviations out of the money, however short it lives', () => {
    const anyHalfDeviation = spread(1e-6, 1);
    const anyDistance = fc.double({ min: 3, max: 36, noNaN: true });
    fc.assert(
      fc.property(anyHalfDeviation, anyDistance, (half, distance) => {
        const years = (2 * half) ** 2;
        const terms = outOfTheMoney(Math.exp(2 * half * distance), years);
        const price = precisePrice(terms, 1);
        fc.pre(price.isGreaterThan(1e-300));
        expect(errorAgainst(price, livePrice(terms, 1))).toBeLessThanOrEqual(
          toleranceOf({ terms, price }),
        );
      }),
      { numRuns: cases(100) },
    );
  });
});

test('the volatility implied by a true price is right to 1e-11', () => {
  const wrong = ROWS.filter(
    ({ terms, price }) => price.toNumber() < 0.9999 * Math.min(terms.forward, terms.strike),
  )
    .map(({ terms, volatility, price }) => ({
      terms,
      error: errorAgainst(big(volatility), volatilityOf(terms, price.toNumber())),
    }))
    .filter(({ error }) => !(error <= 1e-11));
  expect(wrong).toEqual([]);
});

test('erfcx falls short of 1/(√π·x) by an amount that keeps its digits', () => {
  for (const x of [3, 3.9, 4.1, 6, 12, 26]) {
    // With d = √2·x, 1 − √π·x·erfcx(x) is 1 − d·Φ(−d)/φ(d).
    const d = big(x).times(big(2).sqrt());
    const expected = big(1).minus(d.times(millsRatio(d.negated())));
    expect(errorAgainst(expected, erfcxShortfall(x))).toBeLessThan(3e-14);
  }
  expect(erfcxShortfall(0)).toBe(1);
});
