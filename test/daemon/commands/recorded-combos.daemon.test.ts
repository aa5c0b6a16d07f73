// `twapd record` of combos of a real exchange over Deribit's wire, and a backtest of them over what was recorded: a calendar
// spread and a custom combo, whose name does not say its legs and whose price is far below zero.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { TRADER } from '../../clients/client-stage.ts';
import { postRpc } from '../../gateway/deribit/raw-client.ts';
import { twapd } from '../../main/cli-world.ts';
import {
  type Daemon,
  daemonFiles,
  deribitUrl,
  startExchange,
} from '../../support/daemon/daemon-process.ts';

const PERPETUAL = 'BTC-PERPETUAL';
const files = daemonFiles('rcmb', 'config/exchange.yaml');
const scratch = mkdtempSync(join(tmpdir(), 'twapd-recorded-combos-'));
const folder = join(scratch, 'recording');
const config = join(scratch, 'remote.yaml');
let exchange: Daemon | undefined;

beforeAll(async () => {
  exchange = await startExchange(files);
  const remote = readFileSync('config/paper-remote.yaml', 'utf8');
  writeFileSync(config, remote.replace(/ws:\/\/[^\s]+/, deribitUrl(exchange.url)));
});
afterAll(async () => {
  await exchange?.end('SIGTERM');
  files.remove();
  rmSync(scratch, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
async function asked(method: string, params: object): Promise<any> {
  const { url } = must(exchange, 'an exchange');
  const { result, error } = await postRpc(url, { method, params, by: TRADER });
  return error === undefined ? result : Promise.reject(new Error(JSON.stringify(error)));
}

async function datedFuture(): Promise<string> {
  const futures: { instrument_name: string; settlement_period: string }[] = await asked(
    'public/get_instruments',
    { currency: 'BTC', kind: 'future' },
  );
  const last = futures.filter(({ settlement_period: period }) => period !== 'perpetual').at(-1);
  return must(last, 'a dated future').instrument_name;
}

/** Buys `far` and sells the perpetual, each in tens of dollars. */
const created = async (far: string, perpetuals: number): Promise<string> =>
  (
    await asked('private/create_combo', {
      trades: [
        { instrument_name: far, amount: 10, direction: 'buy' },
        { instrument_name: PERPETUAL, amount: perpetuals, direction: 'sell' },
      ],
    })
  ).id;

/** The rows of every day so far, by column, oldest first. */
function rowsOf(kind: string, symbol: string): readonly Readonly<Record<string, string>>[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names
    .filter((name) => name.startsWith(`deribit_${kind}_`) && name.endsWith(`_${symbol}.csv.gz`))
    .flatMap((name) => {
      const [header = '', ...lines] = gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .trimEnd()
        .split('\n');
      const columns = header.split(',');
      return lines.map((line) => {
        const fields = line.split(',');
        return Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? '']));
      });
    });
}

interface Noted {
  readonly recording: { readonly recordedUntil: number };
  readonly files: Readonly<Record<string, number>>;
}

function noted(): Noted | undefined {
  const path = join(folder, 'RECORDING.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

const isWritten = (kind: string, symbol: string): boolean =>
  Object.keys(noted()?.files ?? {}).some(
    (name) => name.endsWith(`_${symbol}.csv.gz`) && name.includes(`_${kind}_`),
  );

const recordedUs = (): number => noted()?.recording.recordedUntil ?? 0;

/** Records both combos until each has traded and half a minute has passed since. */
async function record(combos: readonly string[]): Promise<void> {
  let child: ChildProcess | undefined;
  const words = ['--instruments', combos.join(','), '--kinds', 'quotes,trades,derivative_ticker'];
  const ended = twapd(['record', ...words, '--config', config, '--to', folder], {
    onStart: (started) => {
      child = started;
    },
  });
  const isQuoted = (): boolean => combos.every((combo) => isWritten('quotes', combo));
  const early = ended.then(({ code, err }) => Promise.reject(new Error(`record: ${code} ${err}`)));
  await Promise.race([early, expect.poll(isQuoted, { timeout: 120_000 }).toBe(true)]);
  const traded = async (): Promise<boolean> => {
    for (const combo of combos) {
      if (!isWritten('trades', combo)) {
        await asked('private/buy', { instrument_name: combo, amount: 10, type: 'market' });
      }
    }
    return combos.every((combo) => isWritten('trades', combo));
  };
  await expect.poll(traded, { timeout: 120_000, interval: 1_000 }).toBe(true);
  const enoughUs = recordedUs() + 30_000_000;
  await expect.poll(recordedUs, { timeout: 120_000 }).toBeGreaterThan(enoughUs);
  early.catch(() => undefined);
  child?.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
}

/** What the combo was offered at in the recording at `at`, in milliseconds. */
function offerAt(combo: string, at: number): string {
  const before = rowsOf('quotes', combo).filter(
    (row) => Number(row['local_timestamp']) <= at * 1_000,
  );
  return must(before.at(-1), 'a row before the fill')['ask_price'] ?? '';
}

test('recorded combos are bought in a backtest at what they were offered at, below zero too', async () => {
  const far = await datedFuture();
  const [calendar, custom] = [await created(far, 10), await created(far, 20)];
  expect(calendar).toBe(`BTC-FS-${far.slice('BTC-'.length)}_PERP`);
  expect(custom).toMatch(/^BTC-CC-/);
  await record([calendar, custom]);

  expect(Number(rowsOf('trades', custom)[0]?.['price'])).toBeLessThan(0);
  for (const leg of [far, PERPETUAL]) expect(rowsOf('quotes', leg).length).toBeGreaterThan(0);
  const combos = readFileSync(join(folder, 'combos.csv'), 'utf8').trim().split('\n').sort();
  const wanted = [
    `deribit,${calendar},${far},1`,
    `deribit,${calendar},${PERPETUAL},-1`,
    `deribit,${custom},${far},1`,
    `deribit,${custom},${PERPETUAL},-2`,
  ].sort();
  expect(combos).toEqual([...wanted, 'exchange,symbol,leg,ratio'].sort());

  const legs = [calendar, custom].map((instrument) => ({
    instrument,
    instrumentType: 'FUTURE_COMBO',
    side: 1,
    quantity: '10',
    priceOptions: { priceType: 'MARKET' },
  }));
  const file = join(scratch, 'combos.json');
  const twapTrade = { durationSec: 10, frequencySec: 10 };
  writeFileSync(file, JSON.stringify({ accountId: 10001, portfolioType: 'TWAP', twapTrade, legs }));
  const words = ['backtest', file, '--data', folder, '--latency', '0', '--json'];
  const { code, out, err } = await twapd(words);
  expect({ code, err }).toMatchObject({ code: 0 });
  const report = JSON.parse(out);
  expect(report.status).toBe('filled');
  for (const [at, combo] of [calendar, custom].entries()) {
    const { averagePrice, filled, fills, takerShare, path } = report.legs[at];
    expect({ combo, filled, fills, takerShare }).toEqual({
      combo,
      filled: '10',
      fills: 1,
      takerShare: 1,
    });
    expect(averagePrice).toBe(offerAt(combo, path[0].at));
    expect(report.notes.join('\n')).toContain(`${combo}: its own recorded book is used`);
  }
  expect(Number(report.legs[1].averagePrice)).toBeLessThan(-1_000);
}, 600_000);
