// Backtests of options over a recorded chain: several legs, a hedge, limits in volatility.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerOf } from '../../../src/recorder/recorded-kinds.ts';
import { must } from '../../../src/values/assert.ts';
import type { BacktestReport } from '../../../src/virtual/backtest/backtest-report.ts';
import { RecordingFolder } from '../../adapters/recorded-market/recorded-market-files.ts';
import { warmCli } from '../../main/warm-cli.ts';
import {
  CALLS,
  CHAIN_HEADER,
  callAt,
  PERPETUAL,
  writeChain,
  writeTerms,
} from './option-chain-rows.ts';

const [LOWER, UPPER] = CALLS;
const SECONDS = 700;
/** Marked at 55 % for five minutes, then at 45 %. */
const FALLS_AT = 300;
const volatilityAt = (second: number): number => (second < FALLS_AT ? 0.55 : 0.45);

const steady = new RecordingFolder();
const falling = new RecordingFolder();
const narrowing = new RecordingFolder();
/** With the terms that `twapd record` writes. */
const recorded = new RecordingFolder();

beforeAll(() => {
  writeChain(steady, { seconds: SECONDS, volatilityAt: () => 0.5 });
  writeChain(recorded, { seconds: SECONDS, volatilityAt: () => 0.5 });
  writeChain(falling, { seconds: SECONDS, volatilityAt });
  const halfTicksAt = (second: number): number => (second < FALLS_AT ? 8 : 1);
  writeChain(narrowing, { seconds: SECONDS, volatilityAt: () => 0.5, halfTicksAt });
});
afterAll(() => {
  for (const folder of [steady, falling, narrowing, recorded]) folder.remove();
});

interface Leg {
  readonly instrument: string;
  readonly [field: string]: unknown;
}

const option = (instrument: string, side: 1 | 2, priceOptions: object): Leg => ({
  instrument,
  instrumentType: 'OPTION',
  side,
  quantity: '6',
  priceOptions,
});
const MARKET = { priceType: 'MARKET' };

type Printed = BacktestReport & { readonly traceHash: string; readonly notes: readonly string[] };

function ran(folder: RecordingFolder, legs: readonly Leg[], execution: object = {}) {
  const file = join(folder.path, 'portfolio.json');
  const body = {
    accountId: 10001,
    portfolioType: 'TWAP',
    legs,
    twapTrade: { durationSec: 600, frequencySec: 60 },
    execution: { endAction: 'cancel', ...execution },
  };
  writeFileSync(file, JSON.stringify(body));
  return warmCli.run(['backtest', file, '--data', folder.path, '--latency', '0', '--json']);
}

async function run(
  folder: RecordingFolder,
  legs: readonly Leg[],
  execution: object = {},
): Promise<Printed> {
  const { out, err, code } = await ran(folder, legs, execution);
  expect(err).not.toContain('accepted');
  expect(code).toBe(0);
  return JSON.parse(out);
}

describe('options in backtests over a recorded chain', () => {
  test('the terms that a recording has beside it are used instead of inferred ones', async () => {
    writeTerms(recorded);
    const { status, notes } = await run(recorded, [option(LOWER, 1, MARKET)]);
    expect(status).toBe('filled');
    expect(notes.join('\n')).not.toContain('from the sizes');
    const chain = headerOf('options_chain').split(',');
    expect(CHAIN_HEADER.split(',')).toEqual(chain);
  });

  test('two options of one chain are bought and sold at its best prices', async () => {
    const { status, legs } = await run(steady, [
      option(LOWER, 1, MARKET),
      option(UPPER, 2, MARKET),
    ]);
    expect(status).toBe('filled');
    expect(legs.map(({ filled }) => filled)).toEqual(['6', '6']);
    const [bought, sold] = [must(legs[0], 'a leg'), must(legs[1], 'a leg')].map((leg) =>
      Number(leg.averagePrice),
    );
    expect(bought).toBeCloseTo(callAt(60_000, 0.5, 300).price, 2);
    expect(bought).toBeGreaterThan(callAt(60_000, 0.5, 0).price);
    expect(sold).toBeLessThan(callAt(65_000, 0.5, 0).price);
    expect(sold).toBeCloseTo(callAt(65_000, 0.5, 300).price, 2);
  });

  test('the perpetual hedges the fills of an option in step with them', async () => {
    const perpetual = {
      instrument: PERPETUAL,
      instrumentType: 'PERPETUAL',
      side: 2,
      quantity: '180000',
      hedge: true,
      priceOptions: MARKET,
    };
    const { status, legs } = await run(steady, [option(LOWER, 1, MARKET), perpetual]);
    expect(status).toBe('filled');
    expect(legs.map(({ filled }) => filled)).toEqual(['6', '180000']);
    const [bought, hedged] = legs.map(({ path }) => path);
    for (const { at, share } of must(hedged, 'the hedge')) {
      const before = must(bought, 'the option').filter((point) => point.at <= at);
      expect(share).toBeLessThanOrEqual(must(before.at(-1), 'an earlier fill').share + 0.001);
    }
  });

  test('a limit in volatility buys only when the chain is offered at it', async () => {
    const limit = { priceType: 'LIMIT', price: '0.5', priceIn: 'IV' };
    const { legs } = await run(falling, [option(LOWER, 1, limit)], { maxCatchUp: 6 });
    const leg = must(legs[0], 'a leg');
    expect(Number(leg.filled)).toBeGreaterThan(0);
    expect(Number(leg.averagePrice)).toBeLessThanOrEqual(callAt(60_000, 0.5, FALLS_AT).price);
    const fellAt = Date.UTC(2024, 2, 1) + FALLS_AT * 1_000;
    for (const { at } of leg.path) expect(Number(at)).toBeGreaterThanOrEqual(fellAt);
  });

  test('a reference with an offset in volatility follows the recorded volatility of the mark', async () => {
    const rule = {
      priceType: 'DYNAMIC',
      dynamicPriceStrategy: 'MARK',
      dynamicPriceOffset: '0.03',
      dynamicMs: 1000,
      price: '1',
      priceIn: 'IV',
    };
    const { legs } = await run(falling, [option(LOWER, 1, rule)]);
    const leg = must(legs[0], 'a leg');
    expect(leg.filled).toBe('6');
    // Half of it at either volatility, each three points above it at most.
    const most = (callAt(60_000, 0.58, 0).price + callAt(60_000, 0.48, FALLS_AT).price) / 2;
    expect(Number(leg.averagePrice)).toBeLessThan(most);
  });

  test('a bound on the spread in volatility points holds orders back while the chain is wide', async () => {
    const { legs } = await run(narrowing, [option(LOWER, 1, MARKET)], {
      spreadMaxVol: 4,
      maxCatchUp: 6,
    });
    const leg = must(legs[0], 'a leg');
    expect(leg.filled).toBe('6');
    const narrowAt = Date.UTC(2024, 2, 1) + FALLS_AT * 1_000;
    for (const { at } of leg.path) expect(Number(at)).toBeGreaterThanOrEqual(narrowAt);
    expect(leg.waits).not.toEqual({});
  });
});
