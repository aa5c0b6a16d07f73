// ccxt, unmodified, against the daemon itself: its orders stand beside those of a portfolio, pass the trading switches,
// and are in the action log.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../adapters/until.ts';
import { twapd } from '../../../main/cli-world.ts';
import { type Daemon, daemonFiles, startDaemon } from '../../../support/daemon/daemon-process.ts';
import { TWO_LEGS } from '../../../support/engine/two-legs.ts';
import { type Ccxt, ccxtDeribit, ccxtErrors } from './ccxt-deribit.ts';
import { TRADER } from './client-stage.ts';

const PERPETUAL = 'BTC/USD:BTC';
const files = daemonFiles('drbt', 'config/paper.yaml', 'apart');
let daemon: Daemon;
let ccxt: Ccxt;

beforeAll(async () => {
  daemon = await startDaemon(files);
  ccxt = await ccxtDeribit(daemon.url, TRADER);
  await ccxt.loadMarkets();
});
afterAll(async () => {
  await ccxt?.close();
  await daemon.end('SIGTERM');
  files.remove();
});

const resting = async (label: string): Promise<Ccxt> => {
  const price = Math.round((await ccxt.fetchTicker(PERPETUAL)).markPrice * 0.98);
  return await ccxt.createOrder(PERPETUAL, 'limit', 'buy', 100, price, { label });
};

test('an order of a client stands beside the children of a portfolio', async () => {
  const submitted = await daemon.client.submit(TWO_LEGS);
  expect(submitted.kind).toBe('done');
  const order = await resting('beside');
  expect(order.status).toBe('open');
  await until(async () => {
    // Within the rate of queries, however long the first slice takes.
    await sleep(100);
    const trades: Ccxt[] = await ccxt.fetchMyTrades(PERPETUAL);
    return trades.some(({ info }) => info.label.startsWith('tw1-'));
  });
  expect((await ccxt.fetchOrder(order.id)).status).toBe('open');
  await ccxt.cancelOrder(order.id);
});

test('a label of the daemon’s own children is refused', async () => {
  await expect(resting('tw1-drbt-1-0-0-1')).rejects.toThrow(/label/);
});

test('a halt cancels the orders of clients and refuses new ones until it is lifted', async () => {
  const errors = await ccxtErrors();
  const order = await resting('before the halt');
  const of = { scope: 'deployment', reason: 'drill' } as const;
  expect(await daemon.client.setSwitch({ ...of, state: 'halted' })).toMatchObject({ kind: 'done' });
  await until(async () => (await ccxt.fetchOrder(order.id)).status === 'canceled');
  await expect(resting('during the halt')).rejects.toThrow(errors['ExchangeError']);
  expect(await daemon.client.setSwitch({ ...of, state: 'active' })).toMatchObject({
    kind: 'done',
  });
  const after = await resting('after the halt');
  expect(after.status).toBe('open');
  await ccxt.cancelOrder(after.id);
});

test('the action log has who did what, and no secret is in the log', async () => {
  const words = ['actions', '--config', files.configPath, '--json'];
  const logged = async (): Promise<{ label?: string; keyId: string; outcome: string }[]> =>
    JSON.parse((await twapd(words)).out);
  await until(async () => (await logged()).some(({ label }) => label === 'after the halt'));
  const mine = (await logged()).filter(({ label }) => label === 'after the halt');
  expect(mine[0]).toMatchObject({ keyId: TRADER.id, outcome: 'done' });
  expect(daemon.output()).not.toContain(TRADER.secret);
});
