// What the text of a backtest and the tables of a sweep show of a leg, from a report in which no two figures are alike.
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import {
  type FinishedBacktest,
  printBacktest,
} from '../../../../src/main/commands/backtest/backtest-text.ts';
import {
  type CellRun,
  rowsOf,
  SWEEP_TABLES,
} from '../../../../src/main/commands/sweep/sweep-tables.ts';
import type { BacktestReport } from '../../../../src/virtual/backtest/backtest-report.ts';
import { silentTerminal } from '../../captured-terminal.ts';

const START = '2026-11-30T12:00:00.000Z';
const REPORT: BacktestReport = {
  portfolio: '179',
  status: 'cancelled',
  reason: 'time_limit',
  start: START,
  end: '2026-11-30T12:30:00.000Z',
  over: '2026-11-30T12:31:00.000Z',
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      side: 'sell',
      quantity: '1000',
      quantityIn: 'USD',
      filled: '610',
      filledShare: 0.61,
      residual: '390',
      averagePrice: '99101.5',
      market: {
        arrivalMid: '99102.5',
        finalMid: '99103.5',
        twap: '99104.5',
        twapCoverage: 0.95,
        vwap: '99105.5',
        traded: '10600',
        trades: 17,
        books: 18,
        holes: [{ from: '2026-11-30T12:01:00.000Z', to: '2026-11-30T12:01:20.000Z', seconds: 20 }],
      },
      slippage: { arrivalBps: 2.11, twapBps: -2.22, vwapBps: 2.33 },
      schedule: { greatest: -0.31, at: '2026-11-30T12:03:00.000Z', mean: 0.032 },
      makerShare: 0.7,
      takerShare: 0.3,
      fees: [{ currency: 'BTC', amount: '0.00041' }],
      slices: { planned: 42, placed: 43, missed: 44 },
      children: 51,
      refused: 52,
      reprices: 53,
      fills: 54,
      support: { participation: 0.0575, unsupportedFills: 6, unsupported: '61' },
      waits: { wide_spread: 7, no_price: 8 },
      path: [{ at: Date.parse(START), share: 0.61 }],
    },
  ],
  balance: null,
};

test('the text of a backtest has the figures of each leg at their names', () => {
  const lines: string[] = [];
  const finished = {
    name: 'sale.yaml',
    run: { files: ['a.csv', 'b.csv'], notes: ['as recorded'] },
    outcome: { kind: 'done', report: REPORT, rows: 3_000, traceHash: 'abc' },
    elapsedMs: 1_500,
  } as unknown as FinishedBacktest;
  printBacktest(finished, { ...silentTerminal, print: (text) => lines.push(text) });
  const text = stripVTControlCharacters(lines.join('\n'));
  const isDrawn = (line: string): boolean => /^(filled|schedule)[ ▁-█]*$/.test(line);
  const written = text.split('\n').filter((line) => line !== '' && !isDrawn(line));
  expect(written.map((line) => line.trim().split(/ {2,}/))).toEqual([
    [
      'sale.yaml',
      '2026-11-30 12:00:00 to 2026-11-30 12:30:00 UTC, 30:00',
      'CANCELLED (time_limit)',
    ],
    ['SELL BTC-PERPETUAL', '610 of 1000 USD (61.0 %), 390 left'],
    ['price', 'slippage (bps)'],
    ['average fill', '99101.5'],
    ['arrival mid', '99102.5', '+2.11'],
    ['interval TWAP', '99104.5', '-2.22', 'mid known 95.00 % of the time'],
    ['interval VWAP', '99105.5', '+2.33', '17 trades, 10600 USD'],
    ['work'],
    ['slices', '42 planned, 43 placed, 44 missed'],
    ['orders', '51 placed, 52 refused, 53 reprices, 54 fills'],
    ['made / taken', '70.00 % / 30.00 %'],
    ['fees', '0.00041 BTC'],
    ['recorded trades', '5.75 % of their volume filled; 6 of 54 fills without one'],
    ['schedule', 'at most 31.00 % behind, at 12:03:00.000; 3.20 % on average'],
    ['waited for', 'wide_spread 7, no_price 8'],
    ['1 data hole, 00:20 together: 2026-11-30 12:01:00 for 00:20'],
    ['notes'],
    ['as recorded'],
    ['3,000 rows of 2 files in 1.5 s (2000/s); trace abc'],
  ]);
});

test('a row of the results of a sweep has every figure of its leg in its column', () => {
  const run: CellRun = {
    cell: { key: 'k', variant: 1, window: 2, settings: [], startAt: null, seed: 'seed-3' },
    variant: 'frequencySec=20',
    kept: {
      format: 'twapd.sweep-cell/2',
      key: 'digest',
      version: '9.9.9',
      settings: [],
      startAt: null,
      outcome: { kind: 'done', report: REPORT, traceHash: 'abc' },
    } as unknown as CellRun['kept'],
  };
  const [row = {}, ...others] = rowsOf('results', run);
  expect(others).toEqual([]);
  expect(Object.keys(row).toSorted()).toEqual(Object.keys(SWEEP_TABLES.results).toSorted());
  expect(row).toEqual({
    variant: 'frequencySec=20',
    window: 2,
    window_start: Date.parse(START),
    seed: 'seed-3',
    inputs: 'digest',
    version: '9.9.9',
    trace: 'abc',
    leg: 0,
    instrument: 'BTC-PERPETUAL',
    side: 'sell',
    status: 'cancelled',
    reason: 'time_limit',
    start: Date.parse(START),
    end: Date.parse('2026-11-30T12:30:00.000Z'),
    over: Date.parse('2026-11-30T12:31:00.000Z'),
    quantity: '1000',
    filled: '610',
    residual: '390',
    average_price: '99101.5',
    arrival_mid: '99102.5',
    market_twap: '99104.5',
    market_vwap: '99105.5',
    arrival_bps: 2.11,
    twap_bps: -2.22,
    vwap_bps: 2.33,
    filled_share: 0.61,
    maker_share: 0.7,
    participation: 0.0575,
    unsupported_fills: 6,
    fills: 54,
    children: 51,
    reprices: 53,
    slices_planned: 42,
    slices_placed: 43,
    slices_missed: 44,
  });
});
