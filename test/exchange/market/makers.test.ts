import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from '../../../src/exchange/grid.ts';
import { catalogue } from '../../../src/exchange/market/catalogue.ts';
import { type Liquidity, liquidityOf } from '../../../src/exchange/market/liquidity.ts';
import { type MakerQuotes, makerQuotes } from '../../../src/exchange/market/makers.ts';
import { marks } from '../../../src/exchange/market/marks.ts';
import { takersIn } from '../../../src/exchange/market/takers.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { NOON, seededIndex } from './seeded.ts';

const index = seededIndex();
const listings = catalogue(index);
const worth = marks('test', index);

function quotesOf(instrument: Instrument, now: Instant, era = 0): MakerQuotes {
  const at = worth.value(instrument, now);
  return makerQuotes(
    {
      fair: at.fair,
      liquidity: liquidityOf(instrument, at),
      grid: new Grid(instrument),
      tick: toNumber(instrument.tickSize),
      lot: toNumber(instrument.amountStep),
    },
    1,
    era,
  );
}

const anyListed = fc
  .record({ minutes: fc.nat(30 * 24 * 60), pick: fc.nat(), era: fc.nat(1_000) })
  .map(({ minutes, pick, era }) => {
    const now = later(NOON, minutes * 60_000);
    const listed = listings.listed(now);
    return { now, era, instrument: listed[pick % listed.length] as Instrument };
  });

describe('makers', () => {
  it('never cross themselves, keep to the grid and order their levels from the best', () => {
    fc.assert(
      fc.property(anyListed, ({ instrument, now, era }) => {
        const { bids, asks } = quotesOf(instrument, now, era);
        const grid = new Grid(instrument);
        const [bestBid, bestAsk] = [bids[0]?.priceTicks ?? 0, asks[0]?.priceTicks ?? 0];
        expect(bestAsk).toBeGreaterThan(bestBid);
        for (const { priceTicks, lots } of [...bids, ...asks]) {
          expect(priceTicks).toBeGreaterThan(0);
          expect(grid.isValid(priceTicks)).toBe(true);
          expect(Number.isInteger(lots)).toBe(true);
          expect(lots).toBeGreaterThanOrEqual(grid.minLots);
        }
        const falling = bids.map(({ priceTicks }) => -priceTicks);
        const rising = asks.map(({ priceTicks }) => priceTicks);
        for (const ticks of [falling, rising]) {
          expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('quote both sides five levels deep everywhere but in the wings', () => {
    for (const instrument of listings.listed(NOON)) {
      const { bids, asks } = quotesOf(instrument, NOON);
      expect(asks.length).toBeGreaterThanOrEqual(5);
      const delta = worth.value(instrument, NOON).option?.greeks.delta;
      if (delta === undefined || Math.abs(delta) > 0.25) {
        expect(bids.length).toBeGreaterThanOrEqual(5);
      }
    }
  });

  it('bid for nothing that is worth less than a tick', () => {
    const oneSided = listings
      .listed(NOON)
      .filter((instrument) => quotesOf(instrument, NOON).bids.length === 0);
    expect(oneSided.length).toBeGreaterThan(0);
    for (const instrument of oneSided) {
      expect(worth.value(instrument, NOON).mark).toBeLessThan(0.001);
    }
  });

  it('quote perpetuals one or two ticks wide', () => {
    const perpetuals = listings
      .listed(NOON)
      .filter(({ kind, marginKind }) => kind === 'perpetual' && marginKind === 'inverse');
    for (let second = 0; second < 200; second += 1) {
      for (const instrument of perpetuals) {
        const { bids, asks } = quotesOf(instrument, later(NOON, second * 1_000));
        const width = (asks[0]?.priceTicks ?? 0) - (bids[0]?.priceTicks ?? 0);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(2);
      }
    }
  });

  it('change some sizes from era to era, not all at once', () => {
    const perpetual = listings.listed(NOON)[0] as Instrument;
    const [before, after] = [quotesOf(perpetual, NOON, 1), quotesOf(perpetual, NOON, 2)];
    const kept = before.bids.filter(({ lots }, level) => lots === after.bids[level]?.lots).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(before.bids.length);
  });
});

describe('takers', () => {
  const liquidity = { takersPerSecond: 1.2, takerSize: 2_000 } as Liquidity;
  const all = Array.from({ length: 40_000 }, (_, step) =>
    takersIn(step, { seed: 5, stepMs: 250 }, liquidity),
  );

  it('come at their rate, on both sides alike', () => {
    const takers = all.flat();
    expect(takers.length / 10_000).toBeCloseTo(1.2, 1);
    const buys = takers.filter(({ side }) => side === 'buy').length;
    expect(buys / takers.length).toBeCloseTo(0.5, 1);
  });

  it('have sizes around the median with a long tail', () => {
    const sizes = all.flatMap((step) => step.map(({ size }) => size)).sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeGreaterThan(1_800);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(2_200);
    expect(sizes.at(-1)).toBeGreaterThan(20_000);
  });

  it('depend on the step alone', () => {
    expect(takersIn(777, { seed: 5, stepMs: 250 }, liquidity)).toEqual(all[777]);
  });
});
