import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COINS, type Coin } from '../../../src/exchange/market/coins.ts';
import { TRAITS } from '../../../src/exchange/market/market-parameters.ts';
import { surface } from '../../../src/exchange/market/prices/surface.ts';
import { type SmileParameters, smileFlaws, smileVolatility } from '../../../src/quant/smile.ts';
import { DAY_MS, HOUR_MS, later } from '../../../src/values/instant.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { NOON, seededIndex } from './seeded.ts';

const DAYS = [0.1, 1, 2, 3, 7, 14, 30, 60, 90, 180, 360];

function totalVariance(smile: SmileParameters, logStrike: number, days: number): number {
  const point = { forward: 1, strike: Math.exp(logStrike), years: days / 365 };
  return smileVolatility(point, smile) ** 2 * point.years;
}

const atTheMoney = (smile: SmileParameters, days: number): number =>
  smileVolatility({ forward: 1, strike: 1, years: days / 365 }, smile);

interface Change {
  readonly index: number;
  readonly volatility: number;
}

/** Moves of log index and log volatility over six hours, for a year from several seeds. */
function changes(coin: Coin, days: number): readonly Change[] {
  return ['a', 'b', 'c'].flatMap((seed) => {
    const index = seededIndex(seed);
    const moving = surface(coin, seed, index);
    const marketAt = (hour: number) => {
      const at = later(NOON, hour * HOUR_MS);
      const smile = moving.smile(at);
      return {
        index: Math.log(index.price(coin, at)),
        volatility: Math.log(atTheMoney(smile, days)),
      };
    };
    return Array.from({ length: 400 }, (_, number) => {
      const [before, after] = [marketAt(number * 6), marketAt(number * 6 + 6)];
      return {
        index: after.index - before.index,
        volatility: after.volatility - before.volatility,
      };
    });
  });
}

/** Slope and correlation of volatility relative to the index. */
function response(
  coin: Coin,
  days: number,
): { readonly slope: number; readonly correlation: number } {
  const all = changes(coin, days);
  const sum = (of: (change: Change) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  const [xx, xy, yy] = [
    sum(({ index }) => index ** 2),
    sum(({ index, volatility }) => index * volatility),
    sum(({ volatility }) => volatility ** 2),
  ];
  return { slope: xy / xx, correlation: xy / Math.sqrt(xx * yy) };
}

describe('the volatility surface', () => {
  it('the surface admits no arbitrage at any time, for any seed', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 8 }),
        fc.integer({ min: -400 * 24, max: 2_000 * 24 }),
        fc.constantFrom(...COINS),
        (seed, hours, coin) => {
          const index = seededIndex(seed);
          const smile = surface(coin, seed, index).smile(later(NOON, hours * HOUR_MS));
          expect(smileFlaws(smile)).toEqual([]);
          for (const logStrike of [-1.5, -0.5, -0.1, 0, 0.1, 0.5, 1.5]) {
            const variances = DAYS.map((days) => totalVariance(smile, logStrike, days));
            expect(variances).toEqual(variances.toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('volatility rises when the index falls, short expiries most, as recorded', () => {
    const btc = [3, 30, 180].map((days) => response('BTC', days));
    const eth = [3, 30, 180].map((days) => response('ETH', days));
    const recorded = { btc: [-3.3, -1.4, -0.5], eth: [-1.8, -0.6, -0.2] };
    for (const [at, { slope, correlation }] of nonEmpty(btc.entries())) {
      expect(slope / (recorded.btc[at] ?? 0)).toBeGreaterThan(0.6);
      expect(slope / (recorded.btc[at] ?? 0)).toBeLessThan(1.6);
      expect(correlation).toBeLessThan(-0.25);
      expect(correlation).toBeGreaterThan(-0.85);
    }
    for (const [at, { slope }] of nonEmpty(eth.entries())) {
      expect(slope / (recorded.eth[at] ?? 0)).toBeGreaterThan(0.6);
      expect(slope / (recorded.eth[at] ?? 0)).toBeLessThan(1.7);
    }
  });

  it('volatility stays around its usual level over months', () => {
    for (const coin of COINS) {
      const moving = surface(coin, 'months', seededIndex('months'));
      const levels = Array.from({ length: 300 }, (_, day) =>
        atTheMoney(moving.smile(later(NOON, day * DAY_MS)), 30),
      ).sort((a, b) => a - b);
      const usual = atTheMoney(TRAITS[coin].smile, 30);
      expect((levels[150] ?? 0) / usual).toBeGreaterThan(0.85);
      expect((levels[150] ?? 0) / usual).toBeLessThan(1.15);
      expect((levels[285] ?? 0) / (levels[15] ?? 1)).toBeGreaterThan(1.15);
    }
  });

  it('the skew moves with the index: low strikes get more expensive the more it has fallen', () => {
    const index = seededIndex('lean');
    const moving = surface('BTC', 'lean', index);
    const days = Array.from({ length: 600 }, (_, day) => {
      const at = later(NOON, day * DAY_MS);
      const week = Math.log(index.price('BTC', at) / index.price('BTC', later(at, -3 * DAY_MS)));
      return { week, lean: moving.smile(at).correlation };
    }).sort((a, b) => a.week - b.week);
    const mean = (some: typeof days): number =>
      some.reduce((sum, { lean }) => sum + lean, 0) / some.length;
    expect(mean(days.slice(0, 200))).toBeLessThan(mean(days.slice(-200)) - 0.02);
  });

  it('the surface does not depend on what was read before', () => {
    const at = later(NOON, 37 * HOUR_MS + 1_234);
    const watched = surface('ETH', 'w', seededIndex('w'));
    for (let hour = 0; hour <= 37; hour += 1) watched.smile(later(NOON, hour * HOUR_MS));
    watched.smile(later(NOON, -500 * DAY_MS));
    expect(surface('ETH', 'w', seededIndex('w')).smile(at)).toEqual(watched.smile(at));
  });
});
