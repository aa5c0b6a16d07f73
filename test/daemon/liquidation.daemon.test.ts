// The real daemon on a recorded market that falls: of two accounts one is liquidated. What that leaves in its records, at the
// auditor and with the people who are notified.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '../../src/values/assert.ts';
import { instant, later } from '../../src/values/instant.ts';
import type { RecordedEvent } from '../../src/values/recorded-event.ts';
import { type HttpReceiver, httpReceiver } from '../adapters/notices/http-receiver.ts';
import { RecordingFolder, writeDay } from '../adapters/recorded-market/recorded-market-files.ts';
import { until } from '../adapters/until.ts';
import { twapd } from '../main/cli-world.ts';
import { type Account, request } from '../support/daemon/daemon-deployment.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';

const BTC = 'BTC-PERPETUAL';
const RECORDED_AT = instant(Date.UTC(2021, 6, 1, 9));
const [HIGH, LOW] = [100_000, 95_000];
/** Long enough for orders on a busy machine; the recording begins again after twice this time. */
const PHASE_SEC = 40;
const WAIT_MS = 240_000;

const rows = Array.from({ length: 2 * PHASE_SEC }, (_, second): RecordedEvent => {
  const at = later(RECORDED_AT, second * 1_000);
  const price = second < PHASE_SEC ? HIGH : LOW;
  // The lot of 10 USD is inferred from the sizes.
  const bids = [{ price: String(price), amount: '5000010' }];
  const asks = [{ price: `${price}.5`, amount: '5000000' }];
  return { kind: 'book', symbol: BTC, at, atUs: at * 1_000, bids, asks };
});

let recordings: RecordingFolder;
let files: DaemonFiles;
let hook: HttpReceiver;
let daemon: Daemon;
const environment: Record<string, string> = {};

beforeAll(async () => {
  recordings = new RecordingFolder();
  writeDay(recordings, { exchange: 'deribit', date: '2021-07-01', symbol: BTC }, rows);
  hook = await httpReceiver();
  environment['TWAPD_TEST_HOOK'] = `${hook.url}/hook`;
  files = daemonFiles('liqd');
  const config = readFileSync(files.configPath, 'utf8').replace(
    /startingBalances: .*/,
    `startingBalances: { BTC: "0.55" }\n    market: { kind: recorded, folder: ${recordings.path} }`,
  );
  writeFileSync(files.configPath, config);
  appendFileSync(
    files.configPath,
    '\nnotify:\n  channels:\n    desk: { kind: slack, url: env:TWAPD_TEST_HOOK, happenings: [liquidated, breach], digestSec: 1 }\n',
  );
  daemon = await startDaemon(files, environment);
});
afterAll(async () => {
  await daemon.end('SIGTERM');
  await hook.close();
  recordings.remove();
  files.remove();
});

const call = async (account: Account, method: string, params: object) =>
  must((await request(daemon, account, method, params)).result, method);

const sizeOf = async (account: Account): Promise<number> =>
  Number((await call(account, 'private/get_position', { instrumentName: BTC })).size);

/** Buys at the high price: an order at the low one fills too, and is closed again. */
async function buy(account: Account, quantity: string): Promise<void> {
  const order = { instrumentName: BTC, quantity, timeInForce: 'immediate_or_cancel' };
  await until(async () => {
    const { result } = await request(daemon, account, 'private/buy', { ...order, price: '100500' });
    if (result === undefined || Number(result.order.filledQuantity) === 0) return false;
    if (Number(result.order.averagePrice) >= HIGH) return true;
    const close = { ...order, price: '94500', reduceOnly: true };
    await call(account, 'private/sell', close);
    return false;
  }, WAIT_MS);
}

const liquidated = async (account: Account) => {
  const page = { instrumentName: BTC, count: 100 };
  const { trades } = await call(account, 'private/get_user_trades_by_instrument', page);
  return trades.filter((one: { liquidation?: string }) => one.liquidation !== undefined);
};

/** How often the auditor has compared positions. */
async function audits(): Promise<number> {
  const text = await (await fetch(`${daemon.url}/metrics`)).text();
  const line = /^twapd_audit_runs_total\{[^}]*check="position"[^}]*\} (\d+)/m.exec(text);
  return Number(line?.[1] ?? 0);
}

test('an over-leveraged account is reduced, the other is not; books agree, nothing is a breach, and people are notified', async () => {
  await buy(10002, '50000');
  await buy(10001, '900000');
  await until(async () => (await liquidated(10001)).length > 0, WAIT_MS);
  const [trade] = await liquidated(10001);
  expect(trade).toMatchObject({ side: 'sell', liquidity: 'T', liquidation: 'T' });
  const order = await call(10001, 'private/get_order_state', { orderId: trade.orderId });
  expect(order).toMatchObject({ isLiquidation: true, reduceOnly: true, label: '' });
  expect(await sizeOf(10001)).toBeLessThan(900_000);
  expect(await sizeOf(10002)).toBe(50_000);
  expect(await liquidated(10002)).toEqual([]);
  await until(
    () => hook.received.some(({ body }) => body.includes('is liquidating account 10001')),
    WAIT_MS,
  );

  const words = ['reconcile', '--account', '10001', '--config', files.configPath, '--json'];
  await until(async () => {
    const ran = await twapd([...words, '--url', daemon.url], {});
    return ran.code === 0 && JSON.parse(ran.out).compared.entries >= 2;
  }, WAIT_MS);
  const { out } = await twapd([...words, '--url', daemon.url], {});
  expect(JSON.parse(out).differences).toEqual([]);

  const before = await audits();
  await until(async () => (await audits()) >= before + 3, WAIT_MS);
  expect(hook.received.filter(({ body }) => body.includes('the auditor found'))).toEqual([]);
  const held = (await liquidated(10001)).length;
  await daemon.end('SIGKILL');
  daemon = await startDaemon(files, environment);
  expect((await liquidated(10001)).length).toBeGreaterThanOrEqual(held);
}, 600_000);
