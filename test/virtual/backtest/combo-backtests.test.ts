// Backtests of combos: over a recorded option chain and over futures, in books that follow from those of their legs.
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
import { CALLS, CHAIN_DATE, callAt, writeChain } from './option-chain-rows.ts';

const [LOWER, UPPER] = CALLS;
const SPREAD = 'BTC-CS-29MAR24-60000_65000';
const SECONDS = 700;
const TICK = 0.0005;
const [FAR, NEAR] = ['BTC-28JUN24', 'BTC-PERPETUAL'];
const CALENDAR = 'BTC-FS-28JUN24_PERP';

const chain = new RecordingFolder();
const futures = new RecordingFolder();
const silent = new RecordingFolder();

const usAt = (second: number): number => (Date.UTC(2024, 2, 1) + second * 1_000) * 1_000;

/** A future below the perpetual, so that their spread costs less than nothing; both are quoted in steps of 2.5 and 0.5. */
function writeFutures(
  folder: RecordingFolder,
  of: { readonly isFarQuoted: (second: number) => boolean; readonly hasTrades: boolean },
): void {
  const files = new Map(
    [FAR, NEAR].map((name) => [name, { quotes: [] as string[], trades: [] as string[] }]),
  );
  for (let second = 0; second < SECONDS; second += 1) {
    const us = usAt(second);
    const step = 2.5 * (second % 7);
    const quotes: readonly (readonly [string, string])[] = [
      [FAR, `${800 + (second % 2) * 10},${59_902.5 + step},${59_900 + step},500`],
      [NEAR, `${4_000 + (second % 3) * 10},${60_000.5},${60_000},3000`],
    ];
    for (const [name, fields] of quotes) {
      if (name === FAR && !of.isFarQuoted(second)) continue;
      files.get(name)?.quotes.push(`deribit,${name},${us},${us},${fields}`);
    }
    if (!of.hasTrades) continue;
    files.get(FAR)?.trades.push(`deribit,${FAR},${us},${us},f${second},buy,${59_902.5 + step},20`);
    files.get(NEAR)?.trades.push(`deribit,${NEAR},${us},${us},n${second},sell,60000,20`);
  }
  for (const [name, { quotes, trades }] of files) {
    folder.write(`deribit_quotes_${CHAIN_DATE}_${name}.csv.gz`, [QUOTES_HEADER, ...quotes]);
    if (of.hasTrades) {
      folder.write(`deribit_trades_${CHAIN_DATE}_${name}.csv.gz`, [TRADES_HEADER, ...trades]);
    }
  }
}

beforeAll(() => {
  writeChain(chain, { seconds: SECONDS, volatilityAt: () => 0.5 });
  writeFutures(futures, { isFarQuoted: () => true, hasTrades: true });
  writeFutures(silent, {
    isFarQuoted: (second) => second < 200 || second >= 400,
    hasTrades: false,
  });
});
afterAll(() => {
  for (const folder of [chain, futures, silent]) folder.remove();
});

interface Leg {
  readonly instrument: string;
  readonly [field: string]: unknown;
}

type Printed = BacktestReport & { readonly traceHash: string; readonly notes: readonly string[] };

const MARKET = { priceType: 'MARKET' };

function ran(folder: RecordingFolder, legs: readonly Leg[], options: readonly string[] = []) {
  const file = join(folder.path, 'portfolio.json');
  const body = {
    accountId: 10001,
    portfolioType: 'TWAP',
    legs,
    twapTrade: { durationSec: 600, frequencySec: 60 },
    execution: { endAction: 'cancel' },
  };
  writeFileSync(file, JSON.stringify(body));
  const words = ['backtest', file, '--data', folder.path, '--latency', '0', '--json', ...options];
  return warmCli.run(words);
}

async function run(...given: Parameters<typeof ran>): Promise<Printed> {
  const { out, err, code } = await ran(...given);
  expect(err).not.toContain('accepted');
  expect(code).toBe(0);
  return JSON.parse(out);
}

const callSpread: Leg = {
  instrument: SPREAD,
  instrumentType: 'OPTION_COMBO',
  side: 1,
  quantity: '6',
  priceOptions: MARKET,
};
const calendar = (side: 1 | 2, quantity: string, priceOptions: object = MARKET): Leg => ({
  instrument: CALENDAR,
  instrumentType: 'FUTURE_COMBO',
  side,
  quantity,
  priceOptions,
});

const legOf = ({ legs }: Printed) => must(legs[0], 'a leg');

describe('a combo in a backtest', () => {
  test('a call spread costs what its bought call is offered at, less the bid of the call it sells', async () => {
    const report = await run(chain, [callSpread]);
    const { filled, averagePrice, slippage, market } = legOf(report);
    expect(report.status).toBe('filled');
    expect(filled).toBe('6');
    const costs = Array.from({ length: 10 }, (_, slice) => {
      const [lower, upper] = [60_000, 65_000].map(
        (strike) => callAt(strike, 0.5, slice * 60).price,
      );
      const ask = Math.ceil((lower ?? 0) / TICK) * TICK;
      return ask - Math.floor((upper ?? 0) / TICK) * TICK;
    });
    expect(Number(averagePrice)).toBeCloseTo(costs.reduce((sum, one) => sum + one, 0) / 10, 8);
    // A share of a price that may be zero says nothing.
    expect(slippage).toEqual({ arrivalBps: null, twapBps: null, vwapBps: null });
    expect(Number(market.arrivalMid)).toBeGreaterThan(0);
    expect(report.notes.join('\n')).toContain(
      `${SPREAD}: its book is not recorded and follows from those of ${LOWER}, ${UPPER}`,
    );
  });

  test('its fees are those of its legs, of which the cheaper side is free', async () => {
    const { fees } = legOf(await run(chain, [callSpread]));
    // Three hundredths of a percent of one leg; the cap of an eighth of the price does not apply here.
    expect(fees).toEqual([{ currency: 'BTC', amount: '0.0018' }]);
  });

  test('a combo and single legs are worked side by side', async () => {
    const option = {
      instrument: LOWER,
      instrumentType: 'OPTION',
      side: 1,
      quantity: '3',
      priceOptions: MARKET,
    };
    const { status, legs } = await run(chain, [callSpread, option]);
    expect(status).toBe('filled');
    expect(legs.map(({ instrument, filled }) => [instrument, filled])).toEqual([
      [SPREAD, '6'],
      [LOWER, '3'],
    ]);
  });

  test('a spread of futures that costs less than nothing fills, and trades of both legs support it', async () => {
    const { filled, averagePrice, support, market } = legOf(
      await run(futures, [calendar(1, '600')]),
    );
    expect(filled).toBe('600');
    expect(Number(averagePrice)).toBeLessThan(0);
    expect(Number(averagePrice)).toBeGreaterThanOrEqual(59_902.5 - 60_000);
    expect(Number(market.twap)).toBeLessThan(0);
    expect(support).toMatchObject({ unsupportedFills: 0, unsupported: '0' });
    expect(market.traded).toBe('12020');
  });

  test('more than its legs traded is counted as unsupported', async () => {
    const report = await run(futures, [calendar(1, '7000')]);
    const { support, filled } = legOf(report);
    expect(filled).toBe('7000');
    expect(support?.unsupportedFills).toBeGreaterThan(5);
    expect(report.notes.join('\n')).toContain('not supported by a recorded trade');
  });

  test('a limit below the offer rests, and fills when its legs come to it', async () => {
    const limit = { priceType: 'LIMIT', price: '-97', priceIn: 'USD' };
    const { filled, averagePrice, makerShare } = legOf(
      await run(futures, [calendar(1, '600', limit)]),
    );
    expect(filled).toBe('600');
    expect(Number(averagePrice)).toBeLessThanOrEqual(-97);
    expect(makerShare).toBeGreaterThan(0);
  });

  test('nothing is placed while one of its legs is silent', async () => {
    const report = await run(silent, [calendar(1, '600')], ['--max-gap', '30']);
    const { filled, waits, market, path } = legOf(report);
    expect(filled).toBe('600');
    expect(Object.values(waits).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(market.holes.length).toBeGreaterThan(0);
    const startsAt = Date.UTC(2024, 2, 1);
    for (const { at } of path) {
      const second = (at - startsAt) / 1_000;
      expect(second < 232 || second >= 400, `filled at ${second} s`).toBe(true);
    }
  });

  test('the same run has the same trace', async () => {
    const [first, second] = [
      await run(futures, [calendar(2, '600')]),
      await run(futures, [calendar(2, '600')]),
    ];
    expect(second.traceHash).toBe(first.traceHash);
  });

  test('a combo whose name does not say its legs is refused, and told what is accepted', async () => {
    const { err, code } = await ran(chain, [
      { ...callSpread, instrument: 'BTC-CC-29MAR24-1A2B3C4D' },
    ]);
    expect(code).toBe(1);
    expect(err).toContain(
      'legs[0].instrument: BTC-CC-29MAR24-1A2B3C4D is a combo whose name does not say its legs',
    );
    expect(err).toContain('accepted: a name such as BTC-FS-27MAR26_PERP');
  });

  test('a combo of which one leg is not recorded is refused by the name of that leg', async () => {
    const instrument = 'BTC-CS-29MAR24-60000_70000';
    const { err, code } = await ran(chain, [{ ...callSpread, instrument }]);
    expect(code).toBe(1);
    expect(err).toContain('no row of BTC-29MAR24-70000-C');
  });
});
