// `twapd export` against a real daemon: every fill that it writes, as CSV and as Parquet, is a trade of the exchange's journal,
// and every trade is a fill.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VenueTrade } from '../../../src/core/order/venue-report.ts';
import { accountId } from '../../../src/values/ids.ts';
import { type Ran, twapd } from '../../main/cli-world.ts';
import {
  allowLongEnds,
  type Daemon,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';
import { tradesInJournal } from '../../support/daemon/journal-trades.ts';
import { course } from '../../support/engine/two-legs.ts';
import { readParquet } from '../../support/read-parquet.ts';

type Row = Readonly<Record<string, string>>;

const WAIT_MS_MAX = 200_000;
const SECONDS = [10, 12] as const;
const files = daemonFiles('expo');
allowLongEnds(files);
const folder = mkdtempSync(join(tmpdir(), 'twapd-export-'));
let daemon: Daemon | undefined;
let trades: readonly VenueTrade[];
const portfolios: string[] = [];
/** Written while the daemon ran, and after it had ended. */
const written: { csv: Row[]; parquet: Awaited<ReturnType<typeof readParquet>> }[] = [];

beforeAll(async () => {
  daemon = await startDaemon(files);
  for (const seconds of SECONDS) portfolios.push(await submitted(daemon, seconds));
  for (const id of portfolios) await filled(daemon, id);
  await exportBoth('running');
  expect(await daemon.end('SIGTERM')).toBe(0);
  daemon = undefined;
  trades = await tradesInJournal(files.dataDir, accountId('10001'));
  await exportBoth('ended');
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  files.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function submitted({ client }: Daemon, seconds: number): Promise<string> {
  for (const end = Date.now() + WAIT_MS_MAX; ; await sleep(500)) {
    const answer = await client.submit(course(seconds), `export-${seconds}`);
    if (answer.kind === 'done') return String(answer.value.portfolioId);
    if (Date.now() > end) throw new Error(JSON.stringify(answer));
  }
}

async function filled({ client }: Daemon, id: string): Promise<void> {
  for (const end = Date.now() + WAIT_MS_MAX; ; await sleep(200)) {
    const info = await client.info(id);
    if (info.kind === 'done' && info.value.portfolioStatus === 2) return;
    if (Date.now() > end) throw new Error(JSON.stringify(info));
  }
}

const exported = (table: string, ...words: readonly string[]): Promise<Ran> =>
  twapd(['export', table, '--config', files.configPath, ...words]);

async function rowsOf(table: string, ...words: readonly string[]): Promise<Row[]> {
  const { code, out, err } = await exported(table, ...words);
  const rows = parse<Row>(out, { columns: true });
  expect([code, err]).toEqual([
    0,
    `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} written\n`,
  ]);
  return rows;
}

async function exportBoth(name: string): Promise<void> {
  const path = join(folder, `${name}.parquet`);
  const { code, out, err } = await exported('fills', '--parquet', '--out', path);
  expect([code, out, err]).toEqual([0, '', expect.stringMatching(/^\d+ rows written\n$/)]);
  written.push({ csv: await rowsOf('fills'), parquet: await readParquet(path) });
}

/** A trade of the journal with the address that its label carries, as text. */
function expected(trade: VenueTrade): Row {
  const [, , portfolio = '', leg = '', slice = '', attempt = ''] = trade.label.split('-');
  return {
    portfolio: Number.parseInt(portfolio, 36).toString(),
    account: '10001',
    strategy: '',
    leg,
    slice,
    attempt,
    instrument: trade.instrument,
    side: trade.side,
    traded_at: new Date(trade.at).toISOString(),
    quantity: trade.quantity.toString(),
    price: trade.price.toString(),
    fee: trade.fee.toString(),
    fee_currency: trade.feeCurrency,
    liquidity: trade.liquidity,
    is_block: 'false',
    label: trade.label,
    order_id: trade.orderId,
    trade_id: trade.tradeId,
  };
}

const byTrade = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => (`${a['trade_id']}` < `${b['trade_id']}` ? -1 : 1));

test('every fill in CSV is a trade of the exchange, to the last digit, and every trade is in it', () => {
  expect(trades.length).toBeGreaterThan(20);
  for (const { csv } of written) {
    const rows = csv.map(({ booked_at: _, ...row }) => row);
    expect(byTrade(rows)).toEqual(byTrade(trades.map(expected)));
    for (const { traded_at: traded, booked_at: booked } of csv) {
      expect(Date.parse(booked ?? '')).toBeGreaterThan(Date.parse(traded ?? '') - 60_000);
    }
  }
});

test('every fill in Parquet is a trade of the exchange: amounts are exact decimals, times instants', () => {
  for (const { parquet } of written) {
    const rows = parquet.rows.map(({ booked_at: booked, traded_at: traded, ...row }) => {
      expect(booked).toBeInstanceOf(Date);
      const texts = Object.entries(row).map(([name, cell]) => [name, String(cell ?? '')]);
      return { ...Object.fromEntries(texts), traded_at: (traded as Date).toISOString() };
    });
    expect(byTrade(rows)).toEqual(byTrade(trades.map(expected)));
    const decimal = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, precision: 38, scale: 18 };
    for (const name of ['quantity', 'price', 'fee']) {
      expect(parquet.schema.get(name)).toMatchObject({ ...decimal, converted_type: 'DECIMAL' });
    }
    expect(parquet.schema.get('traded_at')?.logical_type).toEqual({
      type: 'TIMESTAMP',
      isAdjustedToUTC: true,
      unit: 'MILLIS',
    });
  }
});

test('children, slices, legs and portfolios agree with the trades that they led to', async () => {
  const [children, slices] = [await rowsOf('children'), await rowsOf('slices')];
  const [legs, all] = [await rowsOf('legs'), await rowsOf('portfolios')];
  const sum = (rows: readonly Row[], name: string): number =>
    rows.reduce((total, row) => total + Math.round(Number(row[name]) * 1e6), 0);
  const traded = trades.reduce(
    (total, one) => total + Math.round(one.quantity.toNumber() * 1e6),
    0,
  );
  for (const rows of [children, slices, legs]) expect(sum(rows, 'filled')).toBe(traded);
  const sent = new Set(children.map(({ label }) => label));
  expect(sent.size).toBe(children.length);
  expect(trades.filter(({ label }) => !sent.has(label))).toEqual([]);
  for (const child of children) {
    const own = trades.filter(({ label }) => label === child['label']);
    const total = own.reduce((units, one) => units + Math.round(one.quantity.toNumber() * 1e6), 0);
    expect(Math.round(Number(child['filled']) * 1e6), child['label']).toBe(total);
    if (own[0] !== undefined) expect(child['order_id']).toBe(own[0].orderId);
  }
  const told = all.map(({ portfolio, status, legs: count, fills }) => [
    portfolio,
    status,
    count,
    fills,
  ]);
  const counted = portfolios.map((id) => [
    id,
    'filled',
    '2',
    String(
      trades.filter(
        ({ label }) => expected({ ...trades[0], label } as VenueTrade)['portfolio'] === id,
      ).length,
    ),
  ]);
  expect(told).toEqual(counted);
  for (const [at, id] of portfolios.entries()) {
    const own = slices.filter(({ portfolio, leg }) => portfolio === id && leg === '0');
    const start = Date.parse(all[at]?.['start_at'] ?? '');
    const planned = own.slice(0, SECONDS[at]);
    expect(planned.map(({ due_at: due }) => Date.parse(due ?? ''))).toEqual(
      planned.map((_, slice) => start + slice * 1_000),
    );
    expect(sum(planned, 'planned')).toBe((SECONDS[at] ?? 0) * 1_000 * 1e6);
  }
});

test('consecutive periods have every fill once, and --to with a zone is read on its clocks', async () => {
  const times = trades.map(({ at }) => Number(at)).sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const before = await rowsOf('fills', '--to', String(middle));
  const after = await rowsOf('fills', '--from', new Date(middle).toISOString());
  expect(before.length).toBeGreaterThan(0);
  expect(before.every((row) => Date.parse(row['traded_at'] ?? '') < middle)).toBe(true);
  expect(byTrade([...before, ...after])).toEqual(byTrade(written[1]?.csv ?? []));
  const wall = new Date(middle + 330 * 60_000).toISOString().replace('Z', '');
  const zoned = await rowsOf('fills', '--to', wall, '--tz', 'Asia/Kolkata');
  expect(zoned.map((row) => row['trade_id'])).toEqual(before.map((row) => row['trade_id']));
  expect(zoned[0]?.['traded_at']).toMatch(/\+05:30$/);
  expect(await rowsOf('fills', '--account', '10002')).toEqual([]);
});
