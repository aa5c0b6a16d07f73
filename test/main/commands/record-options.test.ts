// Options recorded from the paper market by a real process, then traded on that recording: two calls, one of them priced in
// volatility, and the perpetual that hedges them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

const scratch = mkdtempSync(join(tmpdir(), 'twapd-record-options-'));
const folder = join(scratch, 'recording');
const RECORDED_S = 110;

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

interface ChainRow {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly iv: number;
}

/** Read here again, in the columns that the header names. */
function chainRows(): readonly ChainRow[] {
  const name = must(
    readdirSync(folder).find((each) => each.includes('_options_chain_')),
    'a chain was recorded',
  );
  const [header = '', ...lines] = gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .split('\n');
  const names = header.split(',');
  return lines
    .filter((line) => line !== '' && line !== header)
    .map((line) => {
      const fields = line.split(',');
      const field = (column: string): string => fields[names.indexOf(column)] ?? '';
      return {
        symbol: field('symbol'),
        bid: Number(field('bid_price')),
        ask: Number(field('ask_price')),
        iv: Number(field('mark_iv')) / 100,
      };
    });
}

describe('options recorded from a running market', () => {
  test('a backtest over a live recording fills option legs and their hedge at recorded prices', async () => {
    const words = ['--instruments', 'BTC-PERPETUAL,BTC-*-100000-C', '--to', folder];
    const ran = await twapd(['record', ...words, '--for', `${RECORDED_S}s`]);
    expect(ran).toMatchObject({ code: 0 });

    const rows = chainRows();
    const quoted = rows.filter(({ bid, ask }) => bid > 0 && ask > 0);
    const counts = Map.groupBy(quoted, ({ symbol }) => symbol);
    const [bought = '', sold = ''] = [...counts]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([symbol]) => symbol);
    expect(sold).toMatch(/^BTC-.+-100000-C$/);
    const ofBought = rows.filter(({ symbol }) => symbol === bought);
    const iv = Math.max(...ofBought.map((row) => row.iv)) + 0.1;

    const file = join(scratch, 'options.json');
    const option = (instrument: string, side: 1 | 2, priceOptions: object) => ({
      instrument,
      instrumentType: 'OPTION',
      side,
      quantity: '0.5',
      priceOptions,
    });
    const body = {
      accountId: 10001,
      portfolioType: 'TWAP',
      twapTrade: { durationSec: 60, frequencySec: 12 },
      legs: [
        option(bought, 1, { priceType: 'LIMIT', price: iv.toFixed(4), priceIn: 'IV' }),
        option(sold, 2, { priceType: 'MARKET' }),
        {
          instrument: 'BTC-PERPETUAL',
          instrumentType: 'PERPETUAL',
          side: 2,
          quantity: '10000',
          hedge: true,
          priceOptions: { priceType: 'MARKET' },
        },
      ],
      execution: { endAction: 'market' },
    };
    writeFileSync(file, JSON.stringify(body));
    const run = () => warmCli.run(['backtest', file, '--data', folder, '--json']);
    const first = await run();
    expect(first.err).toBe('');
    expect(first.code).toBe(0);
    const report = JSON.parse(first.out);
    expect(report.status).toBe('filled');
    const filled = report.legs.map((leg: { filled: string }) => leg.filled);
    expect(filled).toEqual(['0.5', '0.5', '10000']);

    const [call, other] = report.legs.map((leg: { averagePrice: string }) =>
      Number(leg.averagePrice),
    );
    const lowestAsk = Math.min(...quoted.filter((r) => r.symbol === bought).map((r) => r.ask));
    const highestBid = Math.max(...quoted.filter((r) => r.symbol === sold).map((r) => r.bid));
    expect(call).toBeGreaterThanOrEqual(lowestAsk);
    expect(other).toBeLessThanOrEqual(highestBid);
    // Terms come with the recording, and the second run takes the cache.
    expect(report.notes.join('\n')).not.toContain('read as');
    expect(readdirSync(folder)).toContain('.twapd-cache');
    const second = JSON.parse((await run()).out);
    expect(second.traceHash).toBe(report.traceHash);
  }, 600_000);
});
