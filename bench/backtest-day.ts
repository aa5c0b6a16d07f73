// Measures backtests of a day of quotes each second with two legs of 1 440 slices, from the files and from the cache, and of ten
// million trades while nothing is due. It makes the recordings itself, and every run is a process of its own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { BacktestAsked, BacktestTook } from './backtest-child.ts';
import { percentile } from './percentile.ts';
import { DAY_MS, PAIR, writeQuotes, writeTrades } from './recorded-day.ts';
import type { Row } from './row.ts';

const RUNS = 5;
const TRADES = 10_000_000;
/** The latest schedule that ends within the recording. */
const DURATION_S = DAY_MS / 1_000 - 10;

const MARKET = { priceType: 'MARKET' };
const mid = (priceIn: string) => ({
  priceType: 'DYNAMIC',
  dynamicPriceStrategy: 'MID',
  dynamicMs: 1_000,
  price: '61000',
  priceIn,
});

const legOf = (instrument: string, side: 1 | 2, priceOptions: object) => ({
  instrument,
  instrumentType: 'SPOT',
  side,
  quantity: '14.4',
  priceOptions,
});
const bodyOf = (frequencySec: number, legs: readonly object[]) => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  legs,
  twapTrade: { durationSec: DURATION_S, frequencySec },
  execution: { endAction: 'market' },
});
const [FIRST, SECOND] = PAIR;
const taking = bodyOf(60, [legOf(FIRST, 1, MARKET), legOf(SECOND, 2, MARKET)]);
const resting = bodyOf(60, [legOf(FIRST, 1, mid('USDT')), legOf(SECOND, 2, mid('USDC'))]);

export async function benchBacktestDay(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-bench-backtest-'));
  try {
    return [...(await pairOfLegs(folder)), ...(await manyTrades(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pairOfLegs(data: string): Promise<Row[]> {
  for (const symbol of PAIR) writeQuotes(data, symbol);
  const cache = join(data, 'cache');
  const rows: Row[] = [];
  for (const [name, body] of [
    ['at market', taking],
    ['resting at the mid, followed each second', resting],
  ] as const) {
    const files = await runs({ body, data });
    await took({ body, data, cache });
    const cached = await runs({ body, data, cache });
    const each = await runs({ body, data, cache, showsEachRow: true });
    same([files, cached, each].flat());
    rows.push(
      { what: `a day, two legs ${name}: from the files`, ...figures(files, '2 s') },
      { what: '  from the cache', ...figures(cached, '1 s') },
      { what: '  the same with every row shown', ...figures(each, '') },
      {
        what: '  processor, every row shown / passed over',
        value: `${(cpuOf(each) / cpuOf(cached)).toFixed(2)} times`,
      },
    );
  }
  return rows;
}

async function manyTrades(data: string): Promise<Row[]> {
  await writeTrades(data, FIRST, TRADES);
  const body = bodyOf(14_400, [legOf(FIRST, 1, MARKET)]);
  const cache = join(data, 'cache');
  const first = await took({ body, data, cache });
  const cached = await runs({ body, data, cache });
  same([first, ...cached]);
  const perSecond = (row: BacktestTook): number => (row.rows * 1_000) / row.wallMs;
  const rate = (value: number): string => `${Math.round(value).toLocaleString('en')} rows/s`;
  const median = percentile(cached.map(perSecond), 0.5);
  return [
    {
      what: '10 M trades while nothing is due: from the files',
      value: `${rate(perSecond(first))}, ${first.rows} rows`,
    },
    { what: '  from the cache', value: rate(median), yardstick: '500,000 rows/s' },
  ];
}

const cpuOf = (all: readonly BacktestTook[]): number =>
  percentile(
    all.map(({ cpuMs }) => cpuMs),
    0.5,
  );

function figures(
  all: readonly BacktestTook[],
  yardstick: string,
): { readonly value: string; readonly yardstick: string } {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
  const of = (pick: (one: BacktestTook) => number): string =>
    seconds(percentile(all.map(pick), 0.5));
  const wall = of(({ wallMs }) => wallMs);
  const best = seconds(Math.min(...all.map(({ wallMs }) => wallMs)));
  const value = `${wall} s wall (best ${best}), ${seconds(cpuOf(all))} s processor, ${of(({ openMs }) => openMs)} s to open, p50 of ${all.length}`;
  return { value, yardstick };
}

/** Whatever was measured took the same course. */
function same(all: readonly BacktestTook[]): void {
  const courses = new Set(all.map(({ traceHash }) => traceHash));
  if (courses.size !== 1) throw new Error(`traces differ: ${[...courses].join(', ')}`);
}

async function runs(asked: BacktestAsked): Promise<readonly BacktestTook[]> {
  const all: BacktestTook[] = [];
  for (let run = 0; run < RUNS; run += 1) all.push(await took(asked));
  return all;
}

async function took(asked: BacktestAsked): Promise<BacktestTook> {
  const child = new URL('./backtest-child.ts', import.meta.url).pathname;
  // With the options that the launcher gives a command.
  const words = [...process.execArgv, child, JSON.stringify(asked)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as BacktestTook;
}
