import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from '../../../src/exchange/book/grid.ts';
import { liquidityOf } from '../../../src/exchange/market/liquidity/liquidity-of.ts';
import { type MakerQuotes, makerQuotes } from '../../../src/exchange/market/liquidity/makers.ts';
import { catalogue } from '../../../src/exchange/market/listing/catalogue.ts';
import {
  ALARM_MAX,
  type MarketActivity,
} from '../../../src/exchange/market/prices/market-activity.ts';
import { marks } from '../../../src/exchange/market/prices/marks.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { DAY_MS, HOUR_MS, type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { cases } from '../../support/cases.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { NOON, seededIndex } from './seeded.ts';

const index = seededIndex();
const listings = catalogue(index);
const worth = marks('test', index);

interface State {
  readonly era?: number;
  readonly mood?: MarketActivity;
  /** As a multiple of the makers' capacity. */
  readonly sold?: number;
}

const CALM: MarketActivity = { pace: 1, quickPace: 1, alarm: 0 };

function quotesOf(instrument: Instrument, now: Instant, state: State = {}): MakerQuotes {
  const { era = 0, mood = CALM, sold = 0 } = state;
  const at = worth.value(instrument, now);
  const liquidity = liquidityOf(instrument, at, mood);
  return makerQuotes(
    {
      fair: at.fair,
      modelPrice: at.option?.modelPrice,
      sold: sold * liquidity.capacity,
      liquidity,
      grid: new Grid(instrument),
      tick: toNumber(instrument.tickSize),
      lot: toNumber(instrument.amountStep),
    },
    1,
    era,
  );
}

const listedIn = new Map<number, readonly Instrument[]>();

/** What is listed changes at 08:00 UTC alone, and takes fifteen milliseconds to be found. */
function listedAt(now: Instant): readonly Instrument[] {
  const day = Math.floor((now - 8 * HOUR_MS) / DAY_MS);
  const listed = listedIn.get(day) ?? listings.listed(now);
  listedIn.set(day, listed);
  return listed;
}

const anyListed = fc
  .record({
    minutes: fc.nat(30 * 24 * 60),
    pick: fc.nat(),
    era: fc.nat(1_000),
    pace: fc.double({ min: 0.05, max: 8, noNaN: true }),
    quickPace: fc.double({ min: 0.001, max: 60, noNaN: true }),
    alarm: fc.double({ min: 0, max: ALARM_MAX, noNaN: true }),
    sold: fc.double({ min: -5, max: 5, noNaN: true }),
  })
  .map(({ minutes, pick, pace, quickPace, alarm, ...rest }) => {
    const now = later(NOON, minutes * 60_000);
    const listed = listedAt(now);
    const instrument = listed[pick % listed.length] as Instrument;
    return { ...rest, now, mood: { pace, quickPace, alarm }, instrument };
  });

describe('makers', () => {
  it('makers never cross themselves, stay on the grid and order their levels from the best', () => {
    fc.assert(
      fc.property(anyListed, ({ instrument, now, era, mood, sold }) => {
        const { bids, asks } = quotesOf(instrument, now, { era, mood, sold });
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
      { numRuns: cases(200) },
    );
  });

  it('makers quote both sides five levels deep everywhere except in the wings', () => {
    for (const instrument of nonEmpty(listings.listed(NOON))) {
      const { bids, asks } = quotesOf(instrument, NOON);
      expect(asks.length).toBeGreaterThanOrEqual(5);
      const delta = worth.value(instrument, NOON).option?.greeks.delta;
      if (delta === undefined || Math.abs(delta) > 0.25) {
        expect(bids.length).toBeGreaterThanOrEqual(5);
      }
    }
  });

  it('makers do not bid for an instrument worth less than a tick', () => {
    const oneSided = listings
      .listed(NOON)
      .filter((instrument) => quotesOf(instrument, NOON).bids.length === 0);
    expect(oneSided.length).toBeGreaterThan(0);
    for (const instrument of oneSided) {
      expect(worth.value(instrument, NOON).mark).toBeLessThan(0.001);
    }
  });

  it('makers quote perpetuals one or two ticks wide', () => {
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

  it('makers change some sizes with each era, but not all at once', () => {
    const perpetual = listings.listed(NOON)[0] as Instrument;
    const [before, after] = [
      quotesOf(perpetual, NOON, { era: 1 }),
      quotesOf(perpetual, NOON, { era: 2 }),
    ];
    const kept = before.bids.filter(({ lots }, level) => lots === after.bids[level]?.lots).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(before.bids.length);
  });

  it('makers raise their quotes after selling and lower them after buying', () => {
    const middle = (instrument: Instrument, sold: number): number => {
      const { bids, asks } = quotesOf(instrument, NOON, { sold });
      return ((bids[0]?.priceTicks ?? 0) + (asks[0]?.priceTicks ?? 0)) / 2;
    };
    for (const instrument of listings.listed(NOON).filter(({ kind }) => kind !== 'option')) {
      expect(middle(instrument, 2)).toBeGreaterThan(middle(instrument, -2));
      expect(middle(instrument, 2)).toBeGreaterThanOrEqual(middle(instrument, 0));
      expect(middle(instrument, -2)).toBeLessThanOrEqual(middle(instrument, 0));
    }
    const options = listings.listed(NOON).filter(({ kind }) => kind === 'option');
    const moved = options.filter((each) => middle(each, 3) > middle(each, -3));
    expect(moved.length).toBeGreaterThan(options.length / 2);
    expect(options.some((each) => middle(each, 3) < middle(each, -3))).toBe(false);
  });

  it('makers quote wider and thinner in a more volatile market', () => {
    const width = (instrument: Instrument, mood: MarketActivity): number => {
      const { bids, asks } = quotesOf(instrument, NOON, { mood });
      return (asks[0]?.priceTicks ?? 0) - (bids[0]?.priceTicks ?? 0);
    };
    const size = (instrument: Instrument, mood: MarketActivity): number =>
      quotesOf(instrument, NOON, { mood }).asks[0]?.lots ?? 0;
    const [calm, wild] = [
      { pace: 0.3, quickPace: 0.3, alarm: 0 },
      { pace: 5, quickPace: 5, alarm: 1 },
    ];
    for (const instrument of nonEmpty(listings.listed(NOON))) {
      expect(width(instrument, wild)).toBeGreaterThanOrEqual(width(instrument, calm));
      expect(size(instrument, wild)).toBeLessThanOrEqual(size(instrument, calm));
      if (instrument.kind === 'option') continue;
      expect(width(instrument, wild)).toBeGreaterThan(width(instrument, calm));
      expect(size(instrument, wild)).toBeLessThan(size(instrument, calm));
    }
  });

  it('makers withdraw the nearest levels while prices jump, and keep the others', () => {
    for (const instrument of nonEmpty(listings.listed(NOON))) {
      const before = quotesOf(instrument, NOON);
      const during = quotesOf(instrument, NOON, {
        mood: { pace: 1, quickPace: 1, alarm: ALARM_MAX },
      });
      expect(during.asks).toHaveLength(before.asks.length - 2);
      const [first, jumped] = [before.asks[0]?.priceTicks ?? 0, during.asks[0]?.priceTicks ?? 0];
      expect(jumped).toBeGreaterThan(first);
    }
  });
});
