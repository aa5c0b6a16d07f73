// The costs of a taker include its speed bump: the market moves while the order waits, and what it pays is compared with the market
// at its decision. Every number is worked out on paper: three coins, 999 to 1001 at the decision, a fee of 0.05 %.
import { expect, test } from 'vitest';
import { reportsFrom } from '../../../src/gateway/portfolios/read-report.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later, MINUTE_MS } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import { backtest } from '../../../src/virtual/backtest/run-backtest.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { book, DAY, inBatches, recordedSpot, SYMBOL } from '../recorded-rows.ts';

interface Case {
  readonly side: Side;
  /** Perpetuals have a speed bump, spot has none. */
  readonly kind: 'perpetual' | 'spot';
  /** By how much the market moves, 5 ms after the decision. */
  readonly move: number;
}

/** The costs in the report of a daemon that recorded this market. */
async function costsOf({ side, kind, move }: Case) {
  const moved = Array.from({ length: 40 }, (_, second) =>
    book(second + 0.005, [999 + move, '5'], [1_001 + move, '5']),
  );
  const leg = legForm({
    instrument: SYMBOL,
    instrumentType: kind,
    side,
    quantity: quantity('3'),
    priceOptions: { priceType: 'market' },
  });
  const until = later(DAY, MINUTE_MS);
  const outcome = await backtest({
    form: form({ twapTrade: { durationSec: 20, frequencySec: 20 }, legs: [leg] }),
    instruments: [recordedSpot({ instrument: { ...recordedSpot().instrument, kind } })],
    rows: inBatches([book(0, [999, '5'], [1_001, '5']), ...moved]),
    startAt: DAY,
    dataTo: until,
    rowsUntil: until,
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
    settle,
    recordsCosts: true,
  });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome.rejections));
  const { stored, costs: record, venue, now } = must(outcome.recorded, 'a recorded market');
  const reportOn = reportsFrom({
    ledger: { load: () => Promise.resolve(stored) },
    costs: record,
    mmp: { exceeded: () => Promise.resolve([]) },
    accounts: { describe: () => ({ name: 'backtest', exchange: venue }) },
    now: () => now,
  });
  const report = must(await reportOn(stored.portfolio), 'a report');
  const [costs] = report.legs;
  const [slice] = report.slices;
  return {
    paid: costs?.averagePrice,
    arrivalBps: costs?.slippage.arrivalBps,
    sliceBps: slice?.costBps,
    children: slice?.children,
    shortfall: costs?.shortfall?.total,
    improvement: costs?.improvement?.perUnit,
  };
}

// 1002 − 1000 of 1000 are 20 bps; 3 × 2 and a fee of 0.0005 × 3006 are 7.503; the touch was 1001.
test('a purchase that waits while the offer rises costs the rise, against the touch and the mid of its decision', async () => {
  expect(await costsOf({ side: 'buy', kind: 'perpetual', move: 1 })).toEqual({
    paid: '1002',
    arrivalBps: 20,
    sliceBps: 20,
    children: 1,
    shortfall: '7.503',
    improvement: -1,
  });
});

// 1000 − 998 of 1000 are 20 bps; 3 × 2 and a fee of 0.0005 × 2994 are 7.497; the touch was 999.
test('a sale that waits while the bid falls costs the fall', async () => {
  expect(await costsOf({ side: 'sell', kind: 'perpetual', move: -1 })).toEqual({
    paid: '998',
    arrivalBps: 20,
    sliceBps: 20,
    children: 1,
    shortfall: '7.497',
    improvement: -1,
  });
});

// The child pays at most 1 % more than the touch, 1011, and the offer is 1021. The next pays that, the touch of its own decision:
// 21 of 1000, and 3 × 21 with a fee of 0.0005 × 3063.
test('an order that loses its level while it waits costs what the next one pays more', async () => {
  expect(await costsOf({ side: 'buy', kind: 'perpetual', move: 20 })).toEqual({
    paid: '1021',
    arrivalBps: 210,
    sliceBps: 210,
    children: 2,
    shortfall: '64.5315',
    improvement: 0,
  });
});

// 1 of 1000 is 10 bps; 3 and a fee of 0.0005 × 3003, for the sale 0.0005 × 2997.
test.each([
  { side: 'buy', move: 1, paid: '1001', shortfall: '4.5015' },
  { side: 'sell', move: -1, paid: '999', shortfall: '4.4985' },
] as const)(
  'without a speed bump a $side in the same market costs the touch of its decision',
  async ({ side, move, paid, shortfall }) => {
    expect(await costsOf({ side, kind: 'spot', move })).toEqual({
      paid,
      arrivalBps: 10,
      sliceBps: 10,
      children: 1,
      shortfall,
      improvement: 0,
    });
  },
);
