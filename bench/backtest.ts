// Measures backtests: of days that the bench makes itself, and of recorded days with their results, which are the examples in
// strategies/backtest on the recordings they were written for. Those are not part of the project; without them the first are all.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { portfolioBodySchema } from '../src/gateway/portfolios/submit/submit-schema.ts';
import { backtestSettings } from '../src/main/commands/backtest/backtest-options.ts';
import { type BacktestRun, runBacktest } from '../src/main/commands/backtest/backtest-run.ts';
import { readSubmission } from '../src/main/commands/submission-file.ts';
import { benchBacktestDay } from './backtest-day.ts';
import type { Row } from './row.ts';

interface Case {
  readonly strategy: string;
  readonly folder: string;
  readonly maxGap: string;
}

const CASES: readonly Case[] = [
  { strategy: 'gemini-ethusd-day', folder: 'gemini_ethusd', maxGap: '10' },
  {
    strategy: 'deribit-btc-perpetual-half-hour',
    folder: 'deribit_btc_perpetual_1s',
    maxGap: '10',
  },
  { strategy: 'binance-nexousdt-day', folder: 'binance_nexousdt', maxGap: '60' },
];
const DAY_MS = 86_400_000;

/** Looks for recordings in TWAPD_DATA, otherwise alongside the clone. */
export async function benchBacktest(
  data = process.env['TWAPD_DATA'] ?? join(import.meta.dirname, '../../shared/data'),
): Promise<Row[]> {
  const rows: Row[] = await benchBacktestDay();
  for (const each of CASES) {
    const folder = join(data, each.folder);
    if (existsSync(folder)) rows.push(...(await measure(each, folder)));
    else rows.push({ what: `backtest ${each.strategy}`, value: `no recording at ${folder}` });
  }
  return rows;
}

async function measure({ strategy, maxGap }: Case, folder: string): Promise<Row[]> {
  const path = join(import.meta.dirname, `../strategies/backtest/${strategy}.yaml`);
  const form = portfolioBodySchema.parse(readSubmission(path).body);
  const settings = backtestSettings({
    data: folder,
    maxGap,
    latency: '0',
    seed: '1',
    queue: 'arrival',
  });
  const from = performance.now();
  const { outcome }: BacktestRun = await runBacktest(form, settings);
  const elapsedMs = performance.now() - from;
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  const { report, rows, traceHash } = outcome;
  const days = (Date.parse(report.end) - Date.parse(report.start)) / DAY_MS;
  const [leg] = report.legs;
  return [
    {
      what: `backtest ${strategy}`,
      value: `${(elapsedMs / 1_000).toFixed(2)} s for ${days.toFixed(2)} days, ${Math.round((rows * 1_000) / elapsedMs)} rows/s, trace ${traceHash}`,
      yardstick: '10 s a day',
    },
    {
      what: '  its result',
      value: `${leg?.filled} of ${leg?.quantity} at ${leg?.averagePrice}; TWAP ${leg?.market.twap} (${leg?.slippage.twapBps} bps), VWAP ${leg?.market.vwap} (${leg?.slippage.vwapBps} bps), ${leg?.market.holes.length} holes`,
    },
  ];
}

if (import.meta.main) {
  for (const { what, value, yardstick = '' } of await benchBacktest()) {
    process.stdout.write(`${what.padEnd(42)} ${value}  ${yardstick}\n`);
  }
}
