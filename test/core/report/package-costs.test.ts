// Hedges of a package, fill by fill: what they cover, what they leave open, and what they hedge too much.
import { expect, test } from 'vitest';
import type { MeasuredFill } from '../../../src/core/report/fill-measures.ts';
import { MarketSeries } from '../../../src/core/report/market-series.ts';
import { type PackageLeg, packageCosts } from '../../../src/core/report/package-costs.ts';
import type { HedgeShown } from '../../../src/core/report/report-shapes.ts';
import { midOf, type SeenMarket } from '../../../src/core/report/seen-market.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { venueName } from '../../../src/values/ids.ts';
import { later, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import { NOON, option, spot } from '../../support/engine/markets.ts';

const CALL = option();
const COIN = spot();
const LEVELS = { bid: 99_990, ask: 100_010 };

const market = (delta: number): SeenMarket => {
  const level = (at: number) => ({ price: price(String(at)), quantity: quantity('10') });
  const greeks = { delta, gamma: 0, vega: 80, theta: 0 };
  return {
    bid: level(LEVELS.bid),
    ask: level(LEVELS.ask),
    last: undefined,
    mark: undefined,
    index: undefined,
    underlying: price('100000'),
    markIv: 0.6,
    fundingRate: undefined,
    greeks,
    ageMs: 0,
  };
};

/** Second, quantity, price. */
type Traded = readonly [second: number, quantity: string, price: string];

const fillOf = ([second, of, at]: Traded, seen: SeenMarket): MeasuredFill =>
  ({
    fill: {
      version: 2 + second,
      quantity: quantity(of),
      price: price(at),
      tradedAt: later(NOON, second * SECOND_MS),
    },
    market: seen,
    mid: midOf(seen),
  }) as MeasuredFill;

function legOf(
  leg: number,
  [instrument, side, hedge]: readonly [Instrument, Side, boolean],
  { delta, fills }: { readonly delta: number; readonly fills: readonly Traded[] },
): PackageLeg {
  const seconds = Array.from({ length: 60 }, (_, n) => {
    const at = later(NOON, n * SECOND_MS);
    const venue = venueName('paper');
    return { venue, instrument: instrument.name, second: at, at, market: market(delta) };
  });
  return {
    leg,
    instrument,
    side,
    hedge,
    asked: quantity('10'),
    fills: fills.map((one) => fillOf(one, market(delta))),
    series: new MarketSeries(seconds, [], []),
  };
}

/** The hedge of calls that were bought, by a sale of coins. */
function hedged(calls: readonly Traded[], coins: readonly Traded[], delta = 0.5): HedgeShown {
  const legs = [
    legOf(0, [CALL, 'buy', false], { delta, fills: calls }),
    legOf(1, [COIN, 'sell', true], { delta: 1, fills: coins }),
  ];
  const { hedges } = packageCosts({ legs, costs: [], from: NOON, to: later(NOON, 60 * SECOND_MS) });
  return must(hedges[0], 'one hedge');
}

test('A hedge is compared with the mid at the fills that it covers, the oldest first.', () => {
  const hedge = hedged(
    [
      [0, '2', '0.01'],
      [10, '2', '0.01'],
    ],
    [[12, '1.5', '99990']],
  );
  expect(hedge).toMatchObject({ covered: 1.5, open: 0.5, beyond: 0 });
  // A sale at 99 990 against a mid of 100 000.
  expect(hedge.costBps).toBeCloseTo(1, 9);
  expect(hedge.lagMs).toEqual({ p50: 2_000, p99: 12_000, max: 12_000 });
});

test('What is hedged beyond the open delta is said, and stays open with the sign of the hedge.', () => {
  const hedge = hedged([[0, '2', '0.01']], [[1, '1.3', '99990']]);
  expect(hedge).toMatchObject({ covered: 1, open: -0.3, beyond: 0.3 });
});

test('A hedge that ran ahead is used up by the fills that follow, and remains as the most that was too much.', () => {
  const hedge = hedged(
    [
      [0, '2', '0.01'],
      [5, '1', '0.01'],
    ],
    [
      [1, '1.3', '99990'],
      [6, '0.2', '99990'],
    ],
  );
  expect(hedge).toMatchObject({ covered: 1.2, open: 0, beyond: 0.3 });
  expect(hedge.lagMs).toEqual({ p50: 1_000, p99: 1_000, max: 1_000 });
});

test('A hedge in the direction of the delta covers nothing of it.', () => {
  const hedge = hedged([[0, '2', '0.01']], [[1, '0.4', '99990']], -0.5);
  expect(hedge).toMatchObject({ covered: 0, open: -1.4, costBps: null, lagMs: null });
});
