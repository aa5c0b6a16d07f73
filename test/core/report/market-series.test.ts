// What was in force at an instant and over an interval, against a walk over every millisecond.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOLE_MS, MarketSeries } from '../../../src/core/report/market-series.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import { price, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { instrumentName, portfolioId, venueName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { NOON } from '../../support/engine/markets.ts';

const at = (ms: number): Instant => later(NOON, ms);

/** A book of one tick around the mid; no ask without one. */
const market = (mid: number | undefined, ageMs = 0): SeenMarket => ({
  bid: { price: price(String((mid ?? 100) - 1)), quantity: quantity('1') },
  ask: mid === undefined ? undefined : { price: price(String(mid + 1)), quantity: quantity('1') },
  last: mid === undefined ? undefined : price(String(mid)),
  ageMs,
});

interface Row {
  readonly ms: number;
  readonly mid: number | undefined;
  readonly volume?: number;
}

const seriesOf = (rows: readonly Row[]): MarketSeries =>
  new MarketSeries(
    rows.map(({ ms, mid, volume }) => ({
      venue: venueName('v'),
      instrument: instrumentName('I'),
      second: at(ms),
      at: at(ms),
      market: market(mid),
      volume: volume === undefined ? undefined : quantity(String(volume)),
    })),
    [],
    [],
  );

test('A mid holds until the next row, and for ten seconds at most.', () => {
  const series = seriesOf([
    { ms: 1_000, mid: 100 },
    { ms: 2_000, mid: 102 },
  ]);
  const mids = [999, 1_000, 1_999, 2_000, 2_000 + HOLE_MS, 2_001 + HOLE_MS].map((ms) => {
    const mid = series.midAt(at(ms));
    return mid && text(mid);
  });
  expect(mids).toEqual([undefined, '100', '100', '102', '102', undefined]);
});

test('What the portfolio saw at its own fill does not count as the market before it.', () => {
  const moment = (version: number, ms: number, mid: number) => ({
    portfolio: portfolioId('1'),
    version,
    leg: 0,
    at: at(ms),
    market: market(mid),
  });
  const series = new MarketSeries([], [moment(3, 100, 100), moment(5, 200, 110)], []);
  expect(series.midAt(at(200))).toEqual(price('110'));
  expect(series.midAt(at(200), 5)).toEqual(price('100'));
});

test('A market that the venue has not confirmed for a minute, or with one side, has no mid.', () => {
  const seen = (one: SeenMarket) =>
    new MarketSeries(
      [],
      [{ portfolio: portfolioId('1'), version: 1, leg: 0, at: NOON, market: one }],
      [],
    ).midAt(NOON);
  expect(seen(market(100, 60_000))).toEqual(price('100'));
  expect(seen(market(100, 60_001))).toBeUndefined();
  expect(seen(market(undefined))).toBeUndefined();
});

test('Means, coverage and volume of an interval are those of a walk over its milliseconds.', () => {
  const rows = fc.uniqueArray(
    fc.record({
      ms: fc.integer({ min: 0, max: 60 }).map((n) => n * 997),
      mid: fc.option(fc.integer({ min: 50, max: 150 }), { nil: undefined }),
      volume: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 30, selector: ({ ms }) => ms },
  );
  const bounds = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 20_000 }));
  fc.assert(
    fc.property(rows, bounds, (unsorted, [from, length]) => {
      const all = unsorted.toSorted((a, b) => a.ms - b.ms);
      const to = from + length;
      const figures = seriesOf(all).figures({ from: at(from), to: at(to) });
      let [sum, covered] = [0, 0];
      for (let ms = from; ms < to; ms += 1) {
        const row = all.findLast((one) => one.ms <= ms);
        if (row?.mid === undefined || ms - row.ms >= HOLE_MS) continue;
        sum += row.mid;
        covered += 1;
      }
      expect(figures.coverage).toBeCloseTo(covered / length, 9);
      if (covered === 0) expect(figures.twap).toBeUndefined();
      else expect(toNumber(figures.twap ?? price('0'))).toBeCloseTo(sum / covered, 8);
      const traded = [];
      for (const one of all) {
        if (one.ms > from && one.ms <= to + HOLE_MS) traded.push(one);
        // The first row by which all trades until the end have been counted.
        if (one.ms >= to + 500) break;
      }
      const volume = traded.reduce((total, one) => total + one.volume, 0);
      expect(Number(figures.volume ?? 0)).toBe(volume);
      const priced = traded.filter(({ mid, volume: of }) => mid !== undefined && of > 0);
      const value = priced.reduce((total, one) => total + one.volume * (one.mid ?? 0), 0);
      const of = priced.reduce((total, one) => total + one.volume, 0);
      if (of > 0) expect(toNumber(figures.vwap ?? price('0'))).toBeCloseTo(value / of, 8);
      else expect(figures.vwap).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});
