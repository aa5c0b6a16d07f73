// Backtests over recordings that lack greeks, an index or ticks: what is not recorded is unknown, and no other figure stands for it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  QUOTES_HEADER,
  RecordingFolder,
} from '../../adapters/recorded-market/recorded-market-files.ts';
import { warmCli } from '../../main/warm-cli.ts';
import { CHAIN_HEADER } from './option-chain-rows.ts';

const DAY = '2026-03-02';
const CALL = 'BTC-27MAR26-90000-C';
const EXPIRING = 'BTC-2MAR26-90000-P';
const SECONDS = 90;
const START_MS = Date.UTC(2026, 2, 2, 7, 59);

let folder: RecordingFolder;
const folders: RecordingFolder[] = [];
beforeEach(() => {
  folder = new RecordingFolder();
  folders.push(folder);
});
afterAll(() => {
  for (const each of folders) each.remove();
});

const each = (row: (us: number) => string): string[] =>
  Array.from({ length: SECONDS }, (_, second) => row((START_MS + second * 1_000) * 1_000));

function quotes(symbol: string, bid: string, ask: string, size: string): void {
  const rows = each((us) => `deribit,${symbol},${us},${us},${size},${ask},${bid},${size}`);
  folder.write(`deribit_quotes_${DAY}_${symbol}.csv`, [QUOTES_HEADER, ...rows]);
}

function chain(greeks: string): void {
  const expiry = Date.UTC(2026, 2, 27, 8) * 1_000;
  const rows = each((us) =>
    [
      'deribit',
      CALL,
      us,
      us,
      'call',
      90_000,
      expiry,
      '',
      '',
      '0.05',
      '20.1',
      '',
      '0.0535',
      '20.1',
      '',
      '0.0517',
      '',
      '',
      '88000',
      greeks,
    ].join(','),
  );
  folder.write(`deribit_options_chain_${DAY}_OPTIONS.csv`, [CHAIN_HEADER, ...rows]);
}

interface Leg {
  readonly instrument: string;
  readonly [field: string]: unknown;
}

const option = (instrument: string, change: object = {}): Leg => ({
  instrument,
  instrumentType: 'OPTION',
  side: 1,
  quantity: '4',
  priceOptions: { priceType: 'MARKET' },
  ...change,
});
const HEDGE: Leg = {
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'PERPETUAL',
  side: 2,
  quantity: '40000',
  hedge: true,
  priceOptions: { priceType: 'MARKET' },
};

async function run(legs: readonly Leg[]) {
  const [file, report] = [join(folder.path, 'p.json'), join(folder.path, 'report.json')];
  const twapTrade = { durationSec: 40, frequencySec: 10 };
  writeFileSync(file, JSON.stringify({ accountId: 1, portfolioType: 'TWAP', legs, twapTrade }));
  const options = ['--data', folder.path, '--latency', '0', '--report', report, '--json'];
  const { out, err, code } = await warmCli.run(['backtest', file, ...options]);
  if (code !== 0) return { err };
  return { printed: JSON.parse(out), costs: JSON.parse(readFileSync(report, 'utf8')) };
}

describe('greeks of an option', () => {
  test('without any the delta of a package is unknown', async () => {
    chain(',,,,');
    quotes('BTC-PERPETUAL', '87999.5', '88000.5', '50010');
    const { printed, costs } = await run([option(CALL), HEDGE]);
    expect(printed.status).toBe('filled');
    expect(costs.package.delta).toBe(null);
  });

  test('the delta counts where the others are empty', async () => {
    chain('0.45,,,,');
    quotes('BTC-PERPETUAL', '87999.5', '88000.5', '50010');
    const { costs } = await run([option(CALL), HEDGE]);
    // Four calls of 0.45, and 40,000 USD sold at a mark price of 88,000.
    expect(costs.package.delta.final).toBeCloseTo(4 * 0.45 - 40_000 / 88_000, 3);
  });
});

describe('the index of an option', () => {
  test('the own premium does not stand for it: costs in USD are unknown, and it is noted', async () => {
    quotes(CALL, '0.05', '0.0535', '20.1');
    const { printed, costs } = await run([option(CALL)]);
    expect(printed.status).toBe('filled');
    expect(costs.package.usd).toBe(null);
    expect(printed.notes).toContainEqual(
      `${CALL}: no index and no underlying_price is recorded: values in USD are unknown, and it expires unsettled`,
    );
    expect(printed.notes).toContainEqual(
      `limits in USD and controls.strategy are not applied: no index is recorded for ${CALL}`,
    );
  });

  test('a put that expires without one is not settled', async () => {
    quotes(EXPIRING, '0.021', '0.023', '20.1');
    const { printed } = await run([option(EXPIRING)]);
    expect(printed.status).toBe('filled');
  });
});

describe('ticks of an option', () => {
  const at = (price: string) =>
    run([option(CALL, { priceOptions: { priceType: 'LIMIT', price, priceIn: 'BTC' } })]);

  test('a price between two steps is refused as on the exchange, without an instruments file', async () => {
    quotes(CALL, '0.05', '0.0535', '20.1');
    expect((await at('0.0503')).err).toContain('0.0503');
    expect((await at('0.0505')).err).toBe(undefined);
  });
});
