// Market maker protection in the real daemon: configured over HTTP, tripped by a trade, still frozen after kill -9,
// ended by a reset.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const BTC = { instrumentName: 'BTC-PERPETUAL' };
const INDEX = { indexName: 'btc_usd' };
const files = daemonFiles('mmpt');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
async function request(method: string, params: object): Promise<any> {
  const target = `/api/${method}`;
  const body = Buffer.from(JSON.stringify(params));
  const headers = signedHeaders(KEY, Date.now(), { method: 'POST', target, body });
  const response = await fetch(`${daemon?.url}${target}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return await response.json();
}

/** The mark price times `factor`, rounded to the tick. */
async function priceAt(factor: number): Promise<string> {
  const { result } = await request('public/ticker', BTC);
  return String(Math.round(Number(result.markPrice) * factor));
}

const flagged = async (factor: number, more: object = {}) =>
  request('private/buy', {
    ...BTC,
    quantity: '1000',
    price: await priceAt(factor),
    mmp: true,
    ...more,
  });

describe('market maker protection in the daemon', () => {
  test('an MMP group stays frozen over kill -9 until it is reset', async () => {
    daemon = await startDaemon(files);
    const set = { ...INDEX, interval: 60, frozenTime: 0, quantityLimit: '0.01' };
    expect(await request('block/rfqs/set_mmp_config', set)).toMatchObject({
      result: { results: [{ frozenTime: 0, quantityLimit: '0.01' }] },
    });
    const resting = await flagged(0.9);
    const { orderId } = resting.result.order;
    const taken = await flagged(1.005, { timeInForce: 'immediate_or_cancel' });
    expect(taken).toMatchObject({ result: { order: { orderState: 'filled' } } });
    const state = async () => (await request('private/get_order_state', { orderId })).result;
    while ((await state()).orderState === 'open') await sleep(10);
    expect(await state()).toMatchObject({ mmpCancelled: true, cancelReason: 'mmp_trigger' });
    expect(await flagged(0.9)).toMatchObject({ error: { code: 13030, message: 'mmp_trigger' } });

    expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
    daemon = await startDaemon(files);
    expect((await request('private/get_mmp_status', {})).result).toEqual({
      results: [{ ...INDEX, frozenUntil: 0 }],
    });
    expect(await flagged(0.9)).toMatchObject({ error: { code: 13030 } });
    expect(await flagged(0.9, { mmp: false })).toMatchObject({ result: { order: {} } });
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(metrics).toMatch(/twapd_mmp_groups\{kind="order",status="waiting"\} 1/);

    // The first second of a freeze cannot be reset.
    while ((await request('private/reset_mmp', INDEX)).result !== 'ok') await sleep(50);
    expect(await flagged(0.9)).toMatchObject({
      result: { order: { orderState: 'open', mmp: true } },
    });
  });
});
