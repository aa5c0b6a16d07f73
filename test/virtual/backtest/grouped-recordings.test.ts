// Backtests over files of many symbols, as tardis.dev groups them, and of instruments that a strategy chooses from them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  QUOTES_HEADER,
  RecordingFolder,
  TRADES_HEADER,
} from '../../adapters/recorded-market/recorded-market-files.ts';
import { warmCli } from '../../main/warm-cli.ts';
import { CHAIN_DATE, writeChain } from './option-chain-rows.ts';

const DAY = '2024-03-01';
const START_MS = Date.UTC(2024, 2, 1);
const SECONDS = 90;
const PERPETUALS = ['BTC-PERPETUAL', 'ETH-PERPETUAL'] as const;

let folder: RecordingFolder;
const folders: RecordingFolder[] = [];
beforeEach(() => {
  folder = new RecordingFolder();
  folders.push(folder);
});
afterAll(() => {
  for (const each of folders) each.remove();
});

const priceOf = (symbol: string): number => (symbol === 'BTC-PERPETUAL' ? 60_000 : 3_000);
const seconds = Array.from({ length: SECONDS }, (_, second) => (START_MS + second * 1_000) * 1_000);

function write(type: 'quotes' | 'trades', group: string, symbols: readonly string[], up = 0): void {
  const rows = seconds.flatMap((us) =>
    symbols.map((symbol) => {
      const price = priceOf(symbol) + up;
      return type === 'quotes'
        ? `deribit,${symbol},${us},${us},50010,${price + 0.5},${price},50010`
        : `deribit,${symbol},${us},${us},,buy,${price + 0.5},10`;
    }),
  );
  const header = type === 'quotes' ? QUOTES_HEADER : TRADES_HEADER;
  folder.write(`deribit_${type}_${DAY}_${group}.csv.gz`, [header, ...rows]);
}

async function ran(leg: object, ...words: readonly string[]) {
  const file = join(folder.path, 'p.json');
  const body = {
    accountId: 1,
    portfolioType: 'TWAP',
    twapTrade: { durationSec: 40, frequencySec: 10 },
    legs: [{ side: 1, priceOptions: { priceType: 'MARKET' }, ...leg }],
  };
  writeFileSync(file, JSON.stringify(body));
  const fixed = ['--data', folder.path, '--latency', '0', '--json'];
  const { out, err, code } = await warmCli.run(['backtest', file, ...fixed, ...words]);
  return { code, err, printed: code === 0 ? JSON.parse(out) : undefined };
}

const perpetual = (instrument: string) => ({
  instrument,
  instrumentType: 'PERPETUAL',
  quantity: '4000',
});

describe('a file of many symbols', () => {
  test.each(['PERPETUALS', 'FUTURES', 'SPOT'])('%s is read by its column symbol', async (group) => {
    write('quotes', 'ETH-PERPETUAL', PERPETUALS.slice(1));
    write('trades', 'ETH-PERPETUAL', PERPETUALS.slice(1));
    const own = (await ran(perpetual('ETH-PERPETUAL'))).printed;
    expect(own.legs[0].market.trades).toBe(41);
    folder = new RecordingFolder();
    folders.push(folder);
    write('quotes', group, PERPETUALS);
    write('trades', group, PERPETUALS);
    const { printed, err } = await ran(perpetual('ETH-PERPETUAL'));
    expect(err).toBe('');
    expect(printed.traceHash).toBe(own.traceHash);
    expect(printed.legs).toEqual(own.legs);
  });

  test('what a symbol has in a file of its own is not read from the group as well', async () => {
    write('quotes', 'PERPETUALS', PERPETUALS, 100);
    write('trades', 'PERPETUALS', PERPETUALS, 100);
    write('quotes', 'ETH-PERPETUAL', PERPETUALS.slice(1));
    const { printed } = await ran(perpetual('ETH-PERPETUAL'));
    expect(printed.legs[0].averagePrice).toBe('3000.5');
    expect(printed.legs[0].market.trades).toBe(41);
  });

  test('a symbol that the files do not have is refused with those that they have, and the advice holds', async () => {
    write('quotes', 'PERPETUALS', PERPETUALS);
    const { code, err } = await ran(perpetual('SOL-PERPETUAL'));
    expect(code).toBe(1);
    expect(err).toContain(
      'no row of SOL-PERPETUAL; files of several symbols have BTC-PERPETUAL, ETH-PERPETUAL; name one with --map LEG=SYMBOL',
    );
    const map = ['--map', 'SOL-PERPETUAL=ETH-PERPETUAL'];
    const { printed } = await ran(perpetual('SOL-PERPETUAL'), ...map);
    expect(printed.legs[0].averagePrice).toBe('3000.5');
  });
});

describe('an instrument that a strategy chooses', () => {
  const choice = (instrument: string) => ({ instrument, instrumentType: 'OPTION', quantity: '4' });

  test('a chosen option is that of the recorded chain whose strike is next to the index at the start', async () => {
    writeChain(folder, { seconds: SECONDS, volatilityAt: () => 0.5 });
    const { printed, err } = await ran(choice('BTC-{>=7d}-{atm+5%}-C'));
    expect(err).toBe('');
    // The calls of the chain have the strikes 60000 and 65000; the index is 60000, so 63000 is requested.
    expect(printed.legs[0].instrument).toBe('BTC-29MAR24-65000-C');
    expect(printed.notes[0]).toContain(`BTC-29MAR24-65000-C, chosen at ${CHAIN_DATE}`);
    const lower = await ran(choice('BTC-{>=7d}-{atm+4%}-C'));
    expect(lower.printed.legs[0].instrument).toBe('BTC-29MAR24-60000-C');
  });

  test('a choice that no recorded option meets is refused with the reason', async () => {
    writeChain(folder, { seconds: SECONDS, volatilityAt: () => 0.5 });
    const { code, err } = await ran(choice('BTC-{>=90d}-{atm}-C'));
    expect(code).toBe(1);
    expect(err).toContain('legs[0].instrument');
    expect(err).toContain('no BTC call expires on or after 2024-05-30');
  });
});
