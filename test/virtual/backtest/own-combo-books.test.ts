// Backtests of combos that have a recorded book of their own, at prices of zero and below. The books of their legs imply other
// prices, so that a fill shows which book it came from; what it should have cost is computed here from the rows that were written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import type { BacktestReport } from '../../../src/virtual/backtest/backtest-report.ts';
import {
  QUOTES_HEADER,
  RecordingFolder,
  TRADES_HEADER,
} from '../../adapters/recorded-market/recorded-market-files.ts';
import { warmCli } from '../../main/warm-cli.ts';

const DATE = '2024-03-01';
const [FAR, NEAR] = ['BTC-28JUN24', 'BTC-PERPETUAL'];
const CALENDAR = 'BTC-FS-28JUN24_PERP';
const CUSTOM = 'BTC-CC-28JUN24-1A2B3C4D';
const SECONDS = 700;

/** In half dollars, from below zero to above: bids of the calendar spread at -4.5 to 4.5, offers one dollar higher. */
const calendarBid = (second: number): number => (second % 19) - 9;
/** The custom combo buys one far future and sells two perpetuals: about -60 000. */
const customBid = (second: number): number => -120_195 + (second % 5);

const dollars = (halves: number): string => String(halves / 2);
const usAt = (second: number): number => (Date.UTC(2024, 2, 1) + second * 1_000) * 1_000;

const folder = new RecordingFolder();
const withoutTape = new RecordingFolder();

function write(to: RecordingFolder, hasTape: boolean): void {
  const rows = (of: (second: number, stamp: (symbol: string) => string) => string): string[] =>
    Array.from({ length: SECONDS }, (_, second) => {
      const us = usAt(second);
      return of(second, (symbol) => `deribit,${symbol},${us},${us}`);
    });
  const quotes = (symbol: string, fields: (second: number) => string): void => {
    const lines = rows((second, stamp) => `${stamp(symbol)},${fields(second)}`);
    to.write(`deribit_quotes_${DATE}_${symbol}.csv.gz`, [QUOTES_HEADER, ...lines]);
  };
  const size = (second: number): number => 500 + (second % 2) * 10;
  quotes(FAR, (second) => `${size(second)},59902.5,59900,500`);
  quotes(NEAR, (second) => `${size(second)},60000.5,60000,3000`);
  quotes(CALENDAR, (second) => {
    const bid = calendarBid(second);
    return `${size(second)},${dollars(bid + 2)},${dollars(bid)},800`;
  });
  quotes(CUSTOM, (second) => {
    const bid = customBid(second);
    return `${size(second)},${dollars(bid + 3)},${dollars(bid)},800`;
  });
  to.write('combos.csv', [
    'exchange,symbol,leg,ratio',
    `deribit,${CUSTOM},${FAR},1`,
    `deribit,${CUSTOM},${NEAR},-2`,
  ]);
  if (!hasTape) return;
  const trades = rows(
    (second, stamp) => `${stamp(CALENDAR)},t${second},sell,${dollars(calendarBid(second))},30`,
  );
  to.write(`deribit_trades_${DATE}_${CALENDAR}.csv.gz`, [TRADES_HEADER, ...trades]);
}

beforeAll(() => {
  write(folder, true);
  write(withoutTape, false);
});
afterAll(() => {
  folder.remove();
  withoutTape.remove();
});

type Printed = BacktestReport & { readonly traceHash: string; readonly notes: readonly string[] };

interface Asked {
  readonly instrument: string;
  readonly side?: 1 | 2;
  readonly quantity?: string;
  readonly priceOptions?: object;
}

async function run(
  { instrument, side = 1, quantity = '600', priceOptions = { priceType: 'MARKET' } }: Asked,
  { path }: RecordingFolder = folder,
  options: readonly string[] = [],
): Promise<Printed> {
  const file = join(path, 'portfolio.json');
  const leg = { instrument, instrumentType: 'FUTURE_COMBO', side, quantity, priceOptions };
  const body = {
    accountId: 10001,
    portfolioType: 'TWAP',
    legs: [leg],
    twapTrade: { durationSec: 600, frequencySec: 60 },
    execution: { endAction: 'cancel' },
  };
  writeFileSync(file, JSON.stringify(body));
  // Between two rows, so that each slice is due while one row is in force.
  const from = ['--from', `${DATE}T00:00:00.500Z`];
  const words = ['backtest', file, '--data', path, ...from, '--latency', '0', '--json', ...options];
  const { out, err, code } = await warmCli.run(words);
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

const legOf = ({ legs }: Printed) => must(legs[0], 'a leg');

/** The mean price in dollars of ten equal slices, one each minute. */
const meanOf = (halvesAt: (second: number) => number): number =>
  Array.from({ length: 10 }, (_, slice) => halvesAt(slice * 60)).reduce((sum, at) => sum + at, 0) /
  20;

describe('a combo with a recorded book of its own', () => {
  test('a buyer of the combo pays its own offers, below and above zero', async () => {
    const report = await run({ instrument: CALENDAR });
    const { filled, averagePrice, market, takerShare } = legOf(report);
    expect(report.status).toBe('filled');
    expect({ filled, takerShare }).toEqual({ filled: '600', takerShare: 1 });
    expect(Number(averagePrice)).toBeCloseTo(
      meanOf((second) => calendarBid(second) + 2),
      9,
    );
    expect(Number(market.arrivalMid)).toBe(calendarBid(0) / 2 + 0.5);
    expect(report.notes.join('\n')).toContain(
      `${CALENDAR}: its own recorded book is used; its mark price and price limits follow from those of ${FAR}, ${NEAR}`,
    );
  });

  test('a seller of the combo gets its own bids', async () => {
    const { averagePrice } = legOf(await run({ instrument: CALENDAR, side: 2 }));
    expect(Number(averagePrice)).toBeCloseTo(meanOf(calendarBid), 9);
  });

  test('its own trades at prices of zero and below are its volume and support its fills', async () => {
    const { market, support } = legOf(await run({ instrument: CALENDAR, side: 2 }));
    const during = Array.from({ length: 600 }, (_, before) => calendarBid(before + 1));
    expect(market.traded).toBe(String(600 * 30));
    expect(Number(market.vwap)).toBeCloseTo(during.reduce((sum, at) => sum + at, 0) / 600 / 2, 6);
    expect(support).toMatchObject({ unsupportedFills: 0 });
  });

  test('a resting buy at a price below zero is filled by recorded sellers who go through it', async () => {
    const priceOptions = { priceType: 'LIMIT', price: '-4', priceIn: 'USD' };
    const { filled, averagePrice, makerShare } = legOf(
      await run({ instrument: CALENDAR, quantity: '100', priceOptions }),
    );
    expect(filled).toBe('100');
    expect(makerShare).toBe(1);
    expect(averagePrice).toBe('-4');
  });

  test('a run from the cache is that from the files', async () => {
    const asked = { instrument: CALENDAR, side: 2 } as const;
    const [files, first, again] = [
      await run(asked, folder, ['--no-cache']),
      await run(asked),
      await run(asked),
    ];
    expect(first.traceHash).toBe(files.traceHash);
    expect(again.traceHash).toBe(files.traceHash);
  });

  test('notes say of a combo without a tape that resting orders fill only where quotes cross them', async () => {
    const report = await run({ instrument: CALENDAR }, withoutTape);
    expect(report.notes.join('\n')).toContain(`${CALENDAR}: no trades are recorded`);
    expect(legOf(report).support).toBeNull();
  });
});

describe('a custom combo whose legs were recorded', () => {
  test('a buyer pays its own offers, although its name does not say its legs', async () => {
    const report = await run({ instrument: CUSTOM });
    const { filled, averagePrice } = legOf(report);
    expect(report.status).toBe('filled');
    expect(filled).toBe('600');
    expect(Number(averagePrice)).toBeCloseTo(
      meanOf((second) => customBid(second) + 3),
      9,
    );
  });
});
