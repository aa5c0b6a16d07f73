import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BTC_SMILE,
  ETH_SMILE,
  type SmileParameters,
  scaledSmile,
  smileFlaws,
  smileVolatility,
} from '../../src/quant/smile.ts';
import { livePrice } from '../support/live-option.ts';
import { anyMoneyness, anyYears, MANY, spread } from './option-arbitraries.ts';

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Every parameter set the conditions allow, not only the measured ones. */
const anySoundSmile: fc.Arbitrary<SmileParameters> = fc
  .record({
    shortVolatility: spread(0.1, 3),
    middleVolatility: fc.option(spread(0.1, 3), { nil: undefined }),
    longVolatility: spread(0.1, 3),
    reversionPerYear: spread(0.1, 400),
    slowReversionPerYear: fc.option(spread(0.1, 400), { nil: undefined }),
    correlation: between(-0.95, 0.95),
    share: between(0.05, 1),
    fading: between(0.05, 0.5),
  })
  .map(({ share, ...rest }) => ({
    ...rest,
    curvature: (share * 1.999) / (1 + Math.abs(rest.correlation)),
  }));
const anySmile = fc.oneof(fc.constantFrom(BTC_SMILE, ETH_SMILE), anySoundSmile);

/** Price of the butterfly around `strike` divided by its width, for a forward of 1. */
function butterfly(smile: SmileParameters, strike: number, years: number): number {
  const width = 0.02 * strike;
  const call = (at: number) => {
    const volatility = smileVolatility({ forward: 1, strike: at, years }, smile);
    return livePrice({ type: 'call', forward: 1, strike: at, years }, volatility);
  };
  return call(strike - width) - 2 * call(strike) + call(strike + width);
}

describe('the smile admits no arbitrage', () => {
  test('no butterfly has a negative price', () => {
    fc.assert(
      fc.property(anySmile, anyMoneyness, anyYears, (smile, strike, years) => {
        expect(butterfly(smile, strike, years)).toBeGreaterThanOrEqual(-1e-13);
      }),
      MANY,
    );
  });

  test('the total variance never decreases from one expiry to a later one', () => {
    fc.assert(
      fc.property(
        anySmile,
        anyMoneyness,
        anyYears,
        spread(1.0001, 100),
        (smile, strike, years, factor) => {
          const variance = (at: number) =>
            smileVolatility({ forward: 1, strike, years: at }, smile) ** 2 * at;
          expect(variance(years * factor)).toBeGreaterThanOrEqual(variance(years) * (1 - 1e-12));
        },
      ),
      MANY,
    );
  });

  test('the stated conditions are necessary: beyond them a butterfly price goes negative', () => {
    const steep = { ...BTC_SMILE, correlation: -0.9, curvature: 8 };
    expect(smileFlaws(steep)).not.toEqual([]);
    const strikes = Array.from({ length: 200 }, (_, index) => 0.2 * 1.02 ** index);
    expect(Math.min(...strikes.map((strike) => butterfly(steep, strike, 0.25)))).toBeLessThan(
      -1e-6,
    );
  });
});

describe('the shape of the smile', () => {
  const atTheMoney = (smile: SmileParameters, years: number) =>
    smileVolatility({ forward: 50_000, strike: 50_000, years }, smile);

  test.each([
    ['BTC', BTC_SMILE],
    ['ETH', ETH_SMILE],
  ])(
    'the at-the-money volatility of %s goes from the short to the long volatility',
    (_name, smile) => {
      expect(smileFlaws(smile)).toEqual([]);
      expect(atTheMoney(smile, 1e-9)).toBeCloseTo(smile.shortVolatility, 6);
      expect(atTheMoney(smile, 0)).toBe(smile.shortVolatility);
      expect(atTheMoney(smile, 1000)).toBeCloseTo(smile.longVolatility, 4);
    },
  );

  test.each([
    ['BTC', BTC_SMILE],
    ['ETH', ETH_SMILE],
  ])('both wings of %s are more expensive, the downside most', (_name, smile) => {
    const forward = 88_000;
    const years = 30 / 365;
    const reach = Math.exp(2 * atTheMoney(smile, years) * Math.sqrt(years));
    const down = smileVolatility({ forward, strike: forward / reach, years }, smile);
    const up = smileVolatility({ forward, strike: forward * reach, years }, smile);
    expect(up).toBeGreaterThan(atTheMoney(smile, years));
    expect(down).toBeGreaterThan(up);
  });

  test('the volatility depends on the strike only through its ratio to the forward', () => {
    fc.assert(
      fc.property(anySmile, anyMoneyness, anyYears, (smile, ratio, years) => {
        const one = smileVolatility({ forward: 1, strike: ratio, years }, smile);
        const many = smileVolatility({ forward: 4096, strike: ratio * 4096, years }, smile);
        expect(many).toBe(one);
      }),
      MANY,
    );
  });

  test('scaling keeps a smile sound and multiplies its at-the-money volatility', () => {
    fc.assert(
      fc.property(anySmile, spread(0.2, 5), anyYears, (smile, factor, years) => {
        const scaled = scaledSmile(smile, factor);
        expect(smileFlaws(scaled)).toEqual([]);
        const ratio = atTheMoney(scaled, years) / atTheMoney(smile, years);
        expect(ratio / factor).toBeCloseTo(1, 12);
      }),
      MANY,
    );
  });
});

describe('the flaws of smile parameters', () => {
  test.each([
    [{ shortVolatility: 0 }, /shortVolatility/],
    [{ middleVolatility: -0.1 }, /middleVolatility/],
    [{ longVolatility: Number.NaN }, /longVolatility/],
    [{ reversionPerYear: -1 }, /reversionPerYear/],
    [{ correlation: 1 }, /correlation/],
    [{ fading: 0.6 }, /fading/],
    [{ curvature: 0 }, /curvature/],
    [{ curvature: 1.7 }, /at most 2/],
  ])('the flaw of %o is named', (change, message) => {
    const flaws = smileFlaws({ ...BTC_SMILE, ...change });
    expect(flaws).toHaveLength(1);
    expect(flaws[0]).toMatch(message);
  });
});
