// The real daemon on its own Redis and PostgreSQL, killed with -9 repeatedly while it works: what becomes of its portfolio, of
// the news of it, and of a group of market maker protection. The paper exchange's journal shows what was actually placed.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/postgres/private-server/embedded-postgres.ts';
import type { VenueTrade } from '../../src/core/order/venue-report.ts';
import { must } from '../../src/values/assert.ts';
import { accountId } from '../../src/values/ids.ts';
import { request } from '../support/daemon/daemon-deployment.ts';
import {
  allowLongEnds,
  type Daemon,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';
import { inOrder } from '../support/in-order.ts';

inOrder();

const QUIET = { info: () => undefined, warn: () => undefined };
const ACCOUNT = accountId('10001');
const files = daemonFiles('kill');
allowLongEnds(files);
let daemon: Daemon | undefined;

afterAll(async () => {
  await daemon?.end('SIGTERM');
  files.remove();
});

const running = (): Daemon => must(daemon, 'a daemon that runs');

/** The news of one client that reconnects after every kill with its last sequence number. */
class Follower {
  readonly heard: string[] = [];
  first: string | undefined;
  #last: string | undefined;
  #listening = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  async begin({ client }: Daemon): Promise<void> {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const items = client.watch('all', { signal, after: this.#last });
    const first = await items.next();
    expect(first.value).toMatchObject({ kind: 'listening' });
    if (first.value?.kind === 'listening') {
      this.#last ??= first.value.sequence;
      this.first ??= first.value.sequence;
    }
    this.#ended = this.#follow(items);
  }

  /** Resolves when this connection receives nothing more. */
  async end(): Promise<void> {
    this.#listening.abort();
    await this.#ended;
  }

  async #follow(items: ReturnType<Daemon['client']['watch']>): Promise<void> {
    for await (const item of items) {
      if (item.kind === 'resync') throw new Error(`told to begin anew: ${item.reason}`);
      if (item.kind !== 'news') continue;
      this.#last = item.frame.sequence;
      const { portfolioId, version, messageType } = item.frame.data;
      this.heard.push(`${portfolioId} ${version} ${messageType}`);
    }
  }
}

/** Orders in a group of market maker protection, of another account than the portfolio's. */
const MMP_ACCOUNT = 10002;
const BTC = { instrumentName: 'BTC-PERPETUAL' };
const INDEX = { indexName: 'btc_usd' };

const asked = (method: string, params: object) => request(running(), MMP_ACCOUNT, method, params);

/** An order at the mark price times `factor`, rounded to the tick. */
async function flagged(factor: number, more: object = {}) {
  const { result } = await asked('public/ticker', BTC);
  const price = String(Math.round(Number(result.markPrice) * factor));
  return asked('private/buy', { ...BTC, quantity: '1000', price, mmp: true, ...more });
}

/** Freezes the group by a trade, until it is reset. */
async function tripGroup(): Promise<void> {
  const set = { ...INDEX, interval: 60, frozenTime: 0, quantityLimit: '0.01' };
  expect(await asked('block/rfqs/set_mmp_config', set)).toMatchObject({
    result: { results: [{ frozenTime: 0, quantityLimit: '0.01' }] },
  });
  const resting = await flagged(0.9);
  const { orderId } = resting.result.order;
  const taken = await flagged(1.005, { timeInForce: 'immediate_or_cancel' });
  expect(taken).toMatchObject({ result: { order: { orderState: 'filled' } } });
  const state = async () => (await asked('private/get_order_state', { orderId })).result;
  while ((await state()).orderState === 'open') await sleep(10);
  expect(await state()).toMatchObject({ mmpCancelled: true, cancelReason: 'mmp_trigger' });
  expect(await flagged(0.9)).toMatchObject({ error: { code: 13030, message: 'mmp_trigger' } });
}

/** Everything published since `after`, as received by a new client. */
async function rebuiltNews({ client }: Daemon, after: string): Promise<string[]> {
  const heard: string[] = [];
  const listening = new AbortController();
  for await (const item of client.watch('all', { after, signal: listening.signal })) {
    if (item.kind !== 'news') continue;
    const { portfolioId, version, messageType } = item.frame.data;
    heard.push(`${portfolioId} ${version} ${messageType}`);
    if (messageType === 'PORTFOLIO_FILLED') listening.abort();
  }
  return heard;
}

async function eventually<T>(find: () => Promise<T | undefined>, withinMs: number): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms:\n${daemon?.output()}`);
    await sleep(100);
  }
}

describe('the daemon under kill -9', () => {
  const follower = new Follower();
  let portfolioId: string;
  let lives = 1;

  beforeAll(async () => {
    daemon = await startDaemon(files);
    await follower.begin(daemon);
    const submitted = await daemon.client.submit(TWO_LEGS, 'kill-test');
    if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
    portfolioId = String(submitted.value.portfolioId);
    for (const afterMs of [1_300, 2_150, 900]) {
      await sleep(afterMs);
      if (lives === 1) await tripGroup();
      expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      await follower.end();
      daemon = await startDaemon(files);
      lives += 1;
      await follower.begin(daemon);
      const again = await daemon.client.submit(TWO_LEGS, 'kill-test');
      expect(again).toMatchObject({ value: { portfolioId: submitted.value.portfolioId } });
    }
  }, 720_000);

  test('an MMP group stays frozen over kill -9 until it is reset', async () => {
    expect(lives).toBe(4);
    expect((await asked('private/get_mmp_status', {})).result).toEqual({
      results: [{ ...INDEX, frozenUntil: 0, overshoot: '0' }],
    });
    expect(await flagged(0.9)).toMatchObject({ error: { code: 13030 } });
    expect(await flagged(0.9, { mmp: false })).toMatchObject({ result: { order: {} } });
    const metrics = await (await fetch(`${running().url}/metrics`)).text();
    expect(metrics).toMatch(/twapd_mmp_groups\{kind="order",status="waiting"\} 1/);

    // The first second of a freeze cannot be reset.
    while ((await asked('private/reset_mmp', INDEX)).result !== 'ok') await sleep(50);
    expect(await flagged(0.9)).toMatchObject({
      result: { order: { orderState: 'open', mmp: true } },
    });
  });

  test('a daemon locks its data folder, reports its health, and keeps its secrets', async () => {
    const { client, url, output } = running();
    const health = async () => (await fetch(`${url}/readyz`)).json();
    await expect.poll(health).toEqual({ ready: true, reasons: [] });
    const page = await client.page({ accountId: '10001', portfolioType: 'TWAP' });
    expect(page).toMatchObject({ kind: 'done', value: { totalCount: 1 } });
    const second = await startDaemon(files).catch((error: unknown) => String(error));
    expect(second).toContain('in use by the daemon');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('twapd_slice_lateness_seconds_bucket');
    for (const secret of ['dHdhcGQtZGVtby10YWtlci1z', 'dHdhcGQtZGVtby1tYWtlci1z']) {
      expect(output()).not.toContain(secret);
    }
  });

  test('a daemon killed three times in mid-run ends with the exact total and places nothing twice', async () => {
    const { client } = running();
    const record = await eventually(async () => {
      const info = await client.info(portfolioId);
      return info.kind === 'done' && info.value.portfolioStatus === 2 ? info.value : undefined;
    }, 180_000);
    await eventually(
      async () => follower.heard.at(-1)?.endsWith(' PORTFOLIO_FILLED') || undefined,
      60_000,
    );
    await follower.end();
    expect(new Set(follower.heard).size).toBe(follower.heard.length);
    expect(follower.heard).toEqual(await rebuiltNews(running(), follower.first ?? ''));
    expect(record.legs.map((leg) => leg.filledQuantity)).toEqual(['14000', '0.28']);
    expect(record.legs.map((leg) => leg.remainingQuantity)).toEqual(['0', '0']);
    expect(await running().end('SIGTERM')).toBe(0);
    daemon = undefined;

    const trades = await tradesInJournal(files.dataDir, ACCOUNT);
    expect(sumOf(trades, 'BTC-PERPETUAL')).toBe('14000');
    expect(sumOf(trades, 'BTC_USDC')).toBe('0.28');
    const ordersOf = new Map<string, Set<string>>();
    for (const trade of trades) {
      ordersOf.set(trade.label, (ordersOf.get(trade.label) ?? new Set()).add(trade.orderId));
    }
    for (const [label, orders] of ordersOf) expect(orders.size, label).toBe(1);
    await expectLedgerAgrees(trades);
  }, 720_000);
});

/** Every trade of the exchange is in the ledger once, and nothing else is. */
async function expectLedgerAgrees(trades: readonly VenueTrade[]): Promise<void> {
  const server = await startEmbeddedPostgres({
    dataDir: join(files.dataDir, 'postgres'),
    log: QUIET,
  });
  const database = new Database({ connectionString: server.address });
  await database.connect();
  try {
    const { rows } = await database.query('SELECT trade_id, quantity::text FROM fill');
    const stored = rows.map((row: { trade_id: string }) => row.trade_id).sort();
    expect(stored).toEqual(trades.map((trade) => String(trade.tradeId)).sort());
    const { rows: twice } = await database.query(
      "SELECT data->>'label' AS label FROM event WHERE kind = 'child_intended' GROUP BY 1 HAVING count(*) > 1",
    );
    expect(twice).toEqual([]);
  } finally {
    await database.end();
    await server.stop();
  }
}
