// Portfolios through the production engine against a synthetic recording.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { legPlan } from '../../../src/core/schedule/slice-plan.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import type { RecordedEvent } from '../../../src/values/recorded-event.ts';
import {
  type BacktestOptions,
  type BacktestOutcome,
  backtest,
} from '../../../src/virtual/backtest/run-backtest.ts';
import { form, legForm, settle } from '../../support/engine/engine-world.ts';
import { book, DAY, inBatches, recordedSpot, SYMBOL, trade, walk } from '../recorded-rows.ts';

type Done = Extract<BacktestOutcome, { kind: 'done' }>;

const asked = (change: Partial<PortfolioForm> = {}, leg: Parameters<typeof legForm>[0] = {}) =>
  form({
    twapTrade: { durationSec: 60, frequencySec: 10 },
    legs: [
      legForm({
        instrument: SYMBOL,
        instrumentType: 'spot',
        quantity: quantity('6'),
        ...leg,
      }),
    ],
    ...change,
  });

async function run(
  rows: readonly RecordedEvent[],
  of: PortfolioForm,
  change: Partial<BacktestOptions> = {},
): Promise<Done> {
  const outcome = await backtest({
    form: of,
    instruments: [recordedSpot()],
    rows: inBatches(rows),
    startAt: DAY,
    dataTo: later(DAY, 86_400_000),
    rowsUntil: later(DAY, 86_400_000),
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
    settle,
    ...change,
  });
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome;
}

const onlyLeg = ({ report }: Done) => {
  const [leg] = report.legs;
  if (leg === undefined) throw new Error('no leg');
  return leg;
};

/** Unchanged quotes, repeated each second. */
const still = (from: number, to: number): readonly RecordedEvent[] =>
  Array.from({ length: to - from }, (_, i) => book(from + i, [99, '1.5'], [101, `${2 + (i % 2)}`]));

const dynamic = (dynamicPriceStrategy: 'mid' | 'bid' | 'ask') => ({
  priceOptions: {
    priceType: 'dynamic' as const,
    dynamicPriceStrategy,
    dynamicMs: 1_000,
    price: price('100'),
    priceIn: 'USD',
  },
});

describe('backtesting a market leg', () => {
  test('a market leg takes the shown quotes slice by slice, and the figures match a manual calculation', async () => {
    // The price rises by 10 after 29.5 s: mids 100, then 110 for 30.5 s.
    const rows = [
      ...Array.from({ length: 30 }, (_, i) => book(i, [99, '5'], [101, `${5 + (i % 2)}`])),
      ...Array.from({ length: 31 }, (_, i) => book(29.5 + i, [109, '5'], [111, `${5 + (i % 2)}`])),
      trade(60, 'buy', [111, '0.1']),
    ].toSorted((a, b) => a.atUs - b.atUs);
    rows.splice(3, 0, trade(2.5, 'sell', [99, '3']), trade(2.6, 'buy', [101, '1']));
    const done = await run(rows, asked());
    const leg = onlyLeg(done);
    expect(done.report.status).toBe('filled');
    // Slices of 1 at 0, 10, 20 s pay 101, at 30, 40, 50 s 111.
    expect(leg.averagePrice).toBe('106');
    expect(leg.market).toMatchObject({
      arrivalMid: '100',
      // (29.5×100 + 30.5×110) / 60, to a half millionth of a tick
      twap: '105.0833335',
      twapCoverage: 1,
      // (3×99 + 1×101 + 0.1×111) / 4.1
      vwap: '99.780488',
      traded: '4.1',
      trades: 3,
      holes: [],
    });
    expect(leg.slippage.arrivalBps).toBe(600);
    expect(leg.slippage.twapBps).toBeCloseTo((106 / (100 + 305 / 60) - 1) * 10_000, 2);
    expect(leg.slices).toEqual({ planned: 6, placed: 6, missed: 0 });
    expect([leg.takerShare, leg.makerShare]).toEqual([1, 0]);
    // Right after the first slice: a sixth is filled while nothing is planned yet.
    expect(leg.schedule?.greatest).toBeCloseTo(1 / 6, 10);
    expect(leg.schedule?.at).toBe('2024-03-01T00:00:00.000Z');
    // Between slices the lead falls from 1/6 to 0: half of that on average.
    expect(leg.schedule?.mean).toBeCloseTo(1 / 12, 6);
    expect(leg.fees).toEqual([{ currency: 'USD', amount: '0.318' }]);
  });

  test('a market leg takes no more than the recorded depth and catches up later', async () => {
    const rows = Array.from({ length: 61 }, (_, i) => book(i, [99, '1'], [101 + (i % 2), '0.5']));
    const leg = onlyLeg(await run(rows, asked()));
    expect(leg.filled).toBe('6');
    expect(leg.fills).toBeGreaterThan(6);
  });

  test('a sale below the benchmark has positive slippage', async () => {
    const rows = Array.from({ length: 61 }, (_, i) => book(i, [99, `${5 + (i % 2)}`], [101, '5']));
    const leg = onlyLeg(await run(rows, asked({}, { side: 'sell' })));
    expect(leg.averagePrice).toBe('99');
    expect(leg.slippage.arrivalBps).toBe(100);
  });
});

test('a backtest places its slices at the times and in the sizes of the plan', async () => {
  const of = asked({ execution: { endAction: 'market', phase: 0.5 } });
  const { events } = await run(walk('parity', 90), of);
  const { instrument } = recordedSpot();
  const schedule = { startAt: DAY, durationMs: 60_000, frequencyMs: 10_000, phase: 0.5 };
  const plan = legPlan(schedule, quantity('6'), instrument);
  const started = events.filter((event) => event.kind === 'slice_started');
  const planned = Array.from({ length: plan.slices }, (_, slice) => ({
    dueAt: plan.dueAt(slice) as number,
    planned: text(plan.planned(slice)),
  }));
  expect(started.slice(0, 6).map(({ dueAt, planned }) => ({ dueAt, planned }))).toEqual(planned);
  expect(started.slice(0, 6).every(({ at, dueAt }) => at === dueAt)).toBe(true);
});

describe('backtesting a resting leg', () => {
  test('a resting leg does not follow its own order: the mid is that of the recording', async () => {
    const { events } = await run(still(0, 61), asked({}, dynamic('mid')));
    const placed = events.filter((event) => event.kind === 'child_intended' && event.slice < 6);
    expect(new Set(placed.map((event) => 'price' in event && event.price))).toEqual(
      new Set(['100']),
    );
    expect(events.some(({ kind }) => kind === 'edit_intended')).toBe(false);
  });

  test('a resting order is filled after the recorded orders ahead of it in the queue', async () => {
    const rows = [
      ...still(0, 61),
      trade(3.5, 'sell', [99, '1.5']),
      trade(4.5, 'sell', [99, '0.4']),
    ].toSorted((a, b) => a.atUs - b.atUs);
    const done = await run(rows, asked({ execution: { endAction: 'cancel' } }, dynamic('bid')));
    const leg = onlyLeg(done);
    expect(leg.filled).toBe('0.4');
    expect(leg.averagePrice).toBe('99');
    expect(leg.makerShare).toBe(1);
    expect(leg.path).toEqual([{ at: DAY + 4_500, share: 0.4 / 6 }]);
    expect([done.report.status, done.report.reason, leg.residual]).toEqual([
      'cancelled',
      'time_limit',
      '5.6',
    ]);
  });

  test('a resting order is filled by a quote that crosses it', async () => {
    const rows = [...still(0, 5), book(5, [97, '1'], [98, '9']), ...still(6, 61)];
    const done = await run(rows, asked({ execution: { endAction: 'cancel' } }, dynamic('bid')));
    const leg = onlyLeg(done);
    expect([leg.filled, leg.averagePrice]).toEqual(['1', '99']);
  });
});

describe('a gap in the recording', () => {
  const rows = [...still(0, 15), ...still(45, 61)];

  test('during a gap nothing is placed, the gap is reported, and the rest is caught up', async () => {
    const done = await run(rows, asked());
    const leg = onlyLeg(done);
    const intended = done.events.filter(({ kind }) => kind === 'child_intended');
    const during = intended.filter(({ at }) => at > DAY + 24_000 && at < DAY + 45_000);
    expect(during).toEqual([]);
    expect(leg.waits['stale_reference']).toBeGreaterThan(0);
    expect(leg.market.holes).toEqual([
      { from: '2024-03-01T00:00:14.000Z', to: '2024-03-01T00:00:45.000Z', seconds: 31 },
    ]);
    // 10 s of the old mid are still considered valid, 21 s are not counted.
    expect(leg.market.twapCoverage).toBeCloseTo(39 / 60, 3);
    expect(done.report.status).toBe('filled');
  });

  test('during a gap not even a limit order that the old quotes would fill is filled', async () => {
    const limit = {
      priceOptions: { priceType: 'limit' as const, price: price('105'), priceIn: 'USD' },
    };
    const { events } = await run(rows, asked({}, limit));
    const fills = events.filter(({ kind }) => kind === 'fill_booked');
    expect(fills.filter(({ at }) => at > DAY + 24_001 && at < DAY + 45_000)).toEqual([]);
    expect(fills.length).toBeGreaterThan(0);
  });

  test('a longer time without data can be allowed', async () => {
    const leg = onlyLeg(await run(rows, asked(), { holeMs: 60_000 }));
    expect(leg.market.holes).toEqual([]);
    expect(leg.waits['stale_reference']).toBeUndefined();
  });

  test('a recording that ends early ends the portfolio with a residual', async () => {
    const done = await run(still(0, 15), asked());
    expect(done.report.reason).toBe('time_limit');
    expect(onlyLeg(done).filled).toBe('3');
    expect(onlyLeg(done).residual).toBe('3');
  });
});

test('prices without sizes get the assumed size, again with each row', async () => {
  const rows = still(0, 61).map((row) =>
    row.kind === 'book' ? { ...row, bids: [{ price: '99' }], asks: [{ price: '101' }] } : row,
  );
  const assumed = recordedSpot({ assumedLots: 5 });
  const { events } = await run(rows, asked(), { instruments: [assumed] });
  const fills = events.filter((event) => event.kind === 'fill_booked');
  expect(new Set(fills.map(({ quantity }) => quantity))).toEqual(new Set(['0.5']));
});

test('a slower exchange replies later, and the total is the same', async () => {
  const done = await run(walk('slow', 90), asked(), {
    latency: { minMs: 80, maxMs: 80, seed: '' },
  });
  expect(onlyLeg(done).filled).toBe('6');
  const live = done.events.find(({ kind }) => kind === 'fill_booked');
  expect(live?.at).toBe(DAY + 80);
});

test('a backtest refuses what a submit refuses', async () => {
  const outcome = await backtest({
    form: asked({}, { quantity: quantity('0.05') }),
    instruments: [recordedSpot()],
    rows: inBatches(still(0, 61)),
    startAt: DAY,
    dataTo: later(DAY, 86_400_000),
    rowsUntil: later(DAY, 86_400_000),
    holeMs: 10_000,
    latency: { minMs: 0, maxMs: 0, seed: '' },
    settle,
  });
  expect(outcome.kind === 'refused' && outcome.rejections[0]?.field).toBe('legs[0].quantity');
});

describe('determinism of a backtest', () => {
  const of = asked({ twapTrade: { durationSec: 600, frequencySec: 20 } }, dynamic('mid'));

  test('the same recording gives the same trace, in batches of any size', async () => {
    const rows = walk('course', 660);
    const first = await run(rows, of);
    for (const size of [1, 7, 5_000]) {
      const again = await run(rows, of, { rows: inBatches(rows, size) });
      expect(again.traceHash).toBe(first.traceHash);
      expect(again.report).toEqual(first.report);
    }
    const other = await run(walk('another', 660), of);
    expect(other.traceHash).not.toBe(first.traceHash);
  });

  test('the same recording gives the same trace in another process', async () => {
    const here = await run(walk('course', 660), of);
    const script = new URL('./backtest-course.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout.trim()).toBe(here.traceHash);
  });
});
