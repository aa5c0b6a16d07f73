// No riskless profit exists between the quotes of the makers, including tick rounding and positions.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from '../../../src/exchange/book/grid.ts';
import { COINS } from '../../../src/exchange/market/coins.ts';
import { liquidityOf } from '../../../src/exchange/market/liquidity/liquidity-of.ts';
import { makerQuotes } from '../../../src/exchange/market/liquidity/makers.ts';
import { catalogue } from '../../../src/exchange/market/listing/catalogue.ts';
import { marketActivities } from '../../../src/exchange/market/prices/market-activity.ts';
import { type Marks, marks } from '../../../src/exchange/market/prices/marks.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, later, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { cases } from '../../support/cases.ts';
import { NOON, seededIndex } from './seeded.ts';

/** Prices in coins; a missing bid counts as zero. */
interface Touch {
  readonly bid: number;
  readonly ask: number;
}

interface Quoted extends Touch {
  readonly strike: number;
  readonly type: 'call' | 'put';
  readonly expiresAt: number;
  readonly forward: number;
  readonly modelPrice: number;
  readonly volatility: number;
}

interface Stage {
  readonly now: Instant;
  readonly touch: (instrument: Instrument) => Touch;
  readonly worth: Marks;
  readonly listed: readonly Instrument[];
}

/** A market of any seed at any time, whose makers have any positions. */
const anyStage = fc
  .record({
    seed: fc.string({ maxLength: 6 }),
    seconds: fc.integer({ min: 0, max: 120 * 86_400 }),
    held: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 7, maxLength: 7 }),
  })
  .map(({ seed, seconds, held }): Stage => {
    const index = seededIndex(seed);
    const now = later(NOON, seconds * SECOND_MS);
    const worth = marks(seed, index);
    const moodOf = marketActivities(index);
    const touch = (instrument: Instrument): Touch => {
      const coin = instrument.base === 'BTC' ? 'BTC' : 'ETH';
      const at = worth.value(instrument, now);
      const liquidity = liquidityOf(instrument, at, moodOf(coin, now));
      const tick = toNumber(instrument.tickSize);
      const turn = toNumber(instrument.option?.strike ?? instrument.tickSize) % held.length;
      const view = {
        fair: at.fair,
        modelPrice: at.option?.modelPrice,
        liquidity,
        tick,
        grid: new Grid(instrument),
        lot: toNumber(instrument.amountStep),
        sold: (held[Math.floor(turn)] ?? 0) * liquidity.capacity,
      };
      const { bids, asks } = makerQuotes(view, 1, 0);
      return {
        bid: (bids[0]?.priceTicks ?? 0) * tick,
        ask: must(asks[0], `an offer of ${instrument.name}`).priceTicks * tick,
      };
    };
    return { now, touch, worth, listed: catalogue(index).listed(now) };
  });

function optionsOf({ listed, touch, worth, now }: Stage, coin: string): readonly Quoted[] {
  return listed
    .filter(({ kind, base }) => kind === 'option' && base === coin)
    .map((instrument) => {
      const { strike, type } = must(instrument.option, 'an option');
      const { option } = worth.value(instrument, now);
      return {
        ...touch(instrument),
        strike: toNumber(strike),
        type,
        expiresAt: Number(instrument.expiresAt),
        forward: must(option, 'an option').underlying,
        modelPrice: must(option, 'an option').modelPrice,
        volatility: must(option, 'an option').volatility,
      };
    })
    .sort((a, b) => a.strike - b.strike);
}

const chainsOf = (
  stage: Stage,
  coin: string,
  type: 'call' | 'put',
): readonly (readonly Quoted[])[] => [
  ...Map.groupBy(
    optionsOf(stage, coin).filter((option) => option.type === type),
    ({ expiresAt }) => expiresAt,
  ).values(),
];

/** Rounding of floats, in coins: a ten-millionth of the smallest tick. */
const DUST = 1e-11;
const RUNS = { numRuns: cases(8) };

describe('the quotes admit no arbitrage', () => {
  it("the model price is between bid and offer, whatever the makers' positions", () => {
    fc.assert(
      fc.property(anyStage, fc.constantFrom(...COINS), (stage, coin) => {
        for (const { bid, ask, modelPrice } of optionsOf(stage, coin)) {
          expect(bid).toBeLessThanOrEqual(modelPrice + DUST);
          expect(ask).toBeGreaterThanOrEqual(modelPrice - DUST);
        }
      }),
      RUNS,
    );
  });

  it('spread: the worse strike never costs more, and the difference never exceeds that of the strikes', () => {
    fc.assert(
      fc.property(anyStage, fc.constantFrom(...COINS), (stage, coin) => {
        for (const type of ['call', 'put'] as const) {
          for (const chain of chainsOf(stage, coin, type)) {
            for (const [at, low] of chain.slice(0, -1).entries()) {
              const high = must(chain[at + 1], 'the next strike');
              const [better, worse] = type === 'call' ? [low, high] : [high, low];
              expect(worse.bid).toBeLessThanOrEqual(better.ask + DUST);
              const most = (high.strike - low.strike) / low.forward;
              expect(better.bid - worse.ask).toBeLessThanOrEqual(most + DUST);
            }
          }
        }
      }),
      RUNS,
    );
  });

  it('butterfly: the wings cost at least what the body brings', () => {
    fc.assert(
      fc.property(anyStage, fc.constantFrom(...COINS), (stage, coin) => {
        for (const type of ['call', 'put'] as const) {
          for (const chain of chainsOf(stage, coin, type)) {
            for (let body = 1; body < chain.length - 1; body += 1) {
              const [low, middle, high] = chain.slice(body - 1, body + 2);
              if (low === undefined || middle === undefined || high === undefined) continue;
              const ofLow = (high.strike - middle.strike) / (high.strike - low.strike);
              const wings = ofLow * low.ask + (1 - ofLow) * high.ask;
              expect(middle.bid).toBeLessThanOrEqual(wings + DUST);
              const exact = ofLow * low.modelPrice + (1 - ofLow) * high.modelPrice;
              expect(middle.modelPrice).toBeLessThanOrEqual(exact + DUST);
            }
          }
        }
      }),
      RUNS,
    );
  });

  it('conversion: buying an option, selling its counterpart and hedging with the future never pays', () => {
    fc.assert(
      fc.property(anyStage, fc.constantFrom(...COINS), (stage, coin) => {
        const futures = stage.listed.filter(({ kind, base }) => kind === 'future' && base === coin);
        for (const future of futures) {
          const { bid, ask } = stage.touch(future);
          const options = optionsOf(stage, coin).filter(
            ({ expiresAt }) => expiresAt === future.expiresAt,
          );
          for (const [call, put] of pairs(options)) {
            // A call less a put pays 1 − strike/price in coins at expiry, whatever the price is.
            expect(call.ask - put.bid).toBeGreaterThanOrEqual(1 - call.strike / bid - DUST);
            expect(call.bid - put.ask).toBeLessThanOrEqual(1 - call.strike / ask + DUST);
          }
        }
      }),
      RUNS,
    );
  });

  it('calendar: total variance never falls from one expiry to a later one', () => {
    fc.assert(
      fc.property(anyStage, fc.constantFrom(...COINS), (stage, coin) => {
        const byExpiry = chainsOf(stage, coin, 'call').toSorted(
          (a, b) => (a[0]?.expiresAt ?? 0) - (b[0]?.expiresAt ?? 0),
        );
        for (const [at, near] of byExpiry.slice(0, -1).entries()) {
          const far = must(byExpiry[at + 1], 'the next expiry');
          for (const option of near) {
            const moneyness = Math.log(option.strike / option.forward);
            const later = varianceAt(far, moneyness, stage.now);
            if (later === undefined) continue;
            // Published volatilities are rounded to a hundredth of a point.
            expect(later).toBeGreaterThan(varianceOf(option, stage.now) * (1 - 0.002));
          }
        }
      }),
      RUNS,
    );
  });
});

const varianceOf = ({ volatility, expiresAt }: Quoted, now: Instant): number =>
  volatility ** 2 * (expiresAt - now);

/** Between the two adjacent listed strikes the smile lies below their chord where it is convex. */
function varianceAt(chain: readonly Quoted[], moneyness: number, now: Instant): number | undefined {
  const of = ({ strike, forward }: Quoted): number => Math.log(strike / forward);
  const above = chain.findIndex((option) => of(option) >= moneyness);
  const [low, high] = [chain[above - 1], chain[above]];
  if (low === undefined || high === undefined) return undefined;
  const share = (moneyness - of(low)) / (of(high) - of(low));
  return varianceOf(low, now) * (1 - share) + varianceOf(high, now) * share;
}

function pairs(options: readonly Quoted[]): readonly (readonly [call: Quoted, put: Quoted])[] {
  return options
    .filter(({ type }) => type === 'call')
    .map((call) => [
      call,
      must(
        options.find(({ type, strike }) => type === 'put' && strike === call.strike),
        'the put of the strike',
      ),
    ]);
}
