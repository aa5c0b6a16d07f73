// The domain over which the option mathematics is tested: far wider than any listed option.
import fc from 'fast-check';
import type { OptionTerms } from '../../src/quant/black-76.ts';

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Uniform in the logarithm, so that every order of magnitude is equally likely. */
export const spread = (min: number, max: number) =>
  between(Math.log(min), Math.log(max)).map(Math.exp);

export const anyType = fc.constantFrom('call' as const, 'put' as const);
export const anyForward = spread(0.01, 200_000);
export const anyVolatility = spread(0.05, 5);
/** One hour to three years. */
export const anyYears = spread(1 / 8760, 3);
/** Strike over forward: half of the draws near the money, where listed strikes are. */
export const anyMoneyness = fc.oneof(spread(0.05, 20), spread(0.9, 1.1));

export const anyOption: fc.Arbitrary<OptionTerms> = fc
  .record({ type: anyType, forward: anyForward, moneyness: anyMoneyness, years: anyYears })
  .map(({ type, forward, moneyness, years }) => ({
    type,
    forward,
    strike: forward * moneyness,
    years,
  }));

export const anyOutOfTheMoneyOption = anyOption.map(
  (terms): OptionTerms => ({ ...terms, type: terms.strike > terms.forward ? 'call' : 'put' }),
);

/** |actual − expected| over |expected|. */
export const relativeError = (actual: number, expected: number): number =>
  actual === expected ? 0 : Math.abs(actual / expected - 1);

/** Enough runs to reach the corner cases; each takes microseconds. */
export const MANY = { numRuns: 2000 };
