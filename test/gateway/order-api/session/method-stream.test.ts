// The order methods over a real WebSocket: pipelining, ordering, limits, heartbeats and cancel-on-disconnect.
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { RidLimits } from '../../../../src/gateway/limits/limits.ts';
import { until } from '../../../adapters/until.ts';
import { NOTHING, READER, STRANGER } from '../../gateway-under-test.ts';
import { RidClient } from '../rid-client.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
const start = async (limits: Partial<RidLimits> = {}): Promise<RidStage> => {
  stage = await RidStage.start({ checkMs: 10, ...limits });
  return stage;
};
afterEach(() => stage.close());

const aBuy = async (more: Record<string, unknown> = {}) => ({
  instrumentName: BTC,
  quantity: '100',
  price: await stage.restingPrice('buy'),
  ...more,
});

describe('requests', () => {
  it('requests are answered by rid and keep their order per account', async () => {
    await start();
    const client = await RidClient.connect(stage);
    const order = await aBuy();
    const asked = Array.from({ length: 200 }, (_, n) =>
      client.get('private/buy', { ...order, label: `n-${n}` }),
    );
    const ids = (await Promise.all(asked)).map((worked) => Number(worked.order.orderId));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const open = await client.get('private/get_open_orders');
    expect(open).toHaveLength(200);
    expect(await client.get('private/cancel_all')).toBe(200);
  });

  it('requests keep huge and text rids, and get a specific error for an invalid frame', async () => {
    await start();
    const client = await RidClient.connect(stage);
    const texts: string[] = [];
    client.socket.on('message', (raw) => texts.push(String(raw)));
    const frames = [
      '{"rid":9007199254740993123,"method":"public/test","params":{}}',
      '{"rid":"abc","method":"public/get_time"}',
      '{"rid":1,"method":"private/nothing"}',
      '{"method":"public/test"}',
      '{"rid":2}',
      '{',
      JSON.stringify({ rid: 3, method: 'public/test', params: { x: 'y'.repeat(40_000) } }),
    ];
    for (const frame of frames) client.socket.send(frame);
    await until(() => texts.length === frames.length);
    expect(texts[0]).toMatch(/^\{"rid":9007199254740993123,"result":/);
    expect(texts[1]).toMatch(/^\{"rid":"abc","result":\d+\}$/);
    const errors = texts.slice(2).map((text) => JSON.parse(text));
    expect(stage.answers).toEqual([
      '/ws/api public/test 200',
      '/ws/api public/get_time 200',
      'undefined 404',
    ]);
    expect(errors.map(({ rid, error }) => [rid, error.code])).toEqual([
      [1, -32601],
      [null, 11050],
      [2, 11050],
      [null, -32700],
      [null, -32600],
    ]);
    expect(stage.gateway.reported).toEqual([]);
  });

  it('requests without a key reach public methods only', async () => {
    await start();
    const client = await RidClient.connect(stage, null);
    expect(await client.get('public/ticker', { instrumentName: BTC })).toHaveProperty('markPrice');
    expect((await client.request('private/get_open_orders')).error).toMatchObject({ code: 13009 });
    const raw = await client.request('public/subscribe', { channels: [`book.${BTC}.raw`] });
    expect(raw.error).toMatchObject({ code: 13778, data: { param: 'channels' } });
  });

  it('requests sent faster than answers are read wait in the socket, and all are answered', async () => {
    await start({ inFlightMax: 8, pausedBytes: 10_000 });
    const client = await RidClient.connect(stage);
    const asked = Array.from({ length: 2_000 }, () =>
      client.get('public/get_instrument', { instrumentName: BTC }),
    );
    expect(await Promise.all(asked)).toHaveLength(2_000);
  });

  it("requests are read again after a pause caused by less than the socket's own threshold", async () => {
    await start({ pausedBytes: 2_000 });
    const client = await RidClient.connect(stage);
    const request = () => client.get('public/get_instrument', { instrumentName: BTC });
    for (let round = 0; round < 5; round += 1) {
      expect(await Promise.all(Array.from({ length: 10 }, request))).toHaveLength(10);
    }
  });

  it('requests above the rate are refused, and the connection is closed', async () => {
    const one = { perSecond: 1, burst: 5 };
    const loose = { perSecond: 1_000, burst: 1_000 };
    await start({ rates: { order: loose, order_cancel: loose, query: one } });
    const client = await RidClient.connect(stage);
    for (let n = 0; n < 10; n += 1) client.socket.send('{"rid":1,"method":"public/get_time"}');
    expect(await client.end()).toMatchObject({ code: 1008, reason: 'too_many_requests' });
    expect(client.frames.at(-1).error).toMatchObject({ code: 10028, message: 'too_many_requests' });
  });
});

describe('a handshake', () => {
  const refused = async (headers: Record<string, string>): Promise<number | undefined> => {
    const socket = new WebSocket(`${stage.gateway.url.replace('http', 'ws')}/ws/api`, { headers });
    return await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode);
        response.destroy();
      });
      socket.on('error', () => undefined);
    });
  };

  it('a handshake with wrong credentials or without a read scope is refused', async () => {
    await start();
    expect(await refused({ Authorization: 'Bearer taker' })).toBe(401);
    await expect(RidClient.connect(stage, NOTHING)).rejects.toThrow('403');
  });

  it('a handshake is refused above the number of connections per key', async () => {
    await start({ connectionsPerKeyMax: 1 });
    await RidClient.connect(stage, READER);
    const second = RidClient.connect(stage, READER);
    await expect(second).rejects.toThrow('429');
    await RidClient.connect(stage, STRANGER);
  });
});

describe('a connection', () => {
  it('a connection that is silent for ten minutes is closed', async () => {
    await start();
    const client = await RidClient.connect(stage);
    stage.gateway.nowMs += 601_000;
    expect(await client.end()).toMatchObject({ code: 1008 });
  });

  it('a connection with heartbeats gets a test request, and is closed without an answer', async () => {
    await start();
    const client = await RidClient.connect(stage);
    const few = await client.request('public/set_heartbeat', { interval: 5 });
    expect(few.error).toMatchObject({ code: -32602, data: { param: 'interval' } });
    expect(few.error.data.reason).toContain('value must be >= 10');
    expect(await client.get('public/set_heartbeat', { interval: 10 })).toBe('ok');
    const beats = (type: string): number =>
      client.frames.filter((one) => one.method === 'heartbeat' && one.params.type === type).length;
    stage.gateway.nowMs += 10_000;
    await until(() => beats('test_request') === 1);
    await client.get('public/test');
    stage.gateway.nowMs += 10_000;
    await until(() => beats('heartbeat') === 1);
    stage.gateway.nowMs += 10_000;
    await until(() => beats('test_request') === 2);
    stage.gateway.nowMs += 10_000;
    expect(await client.end()).toMatchObject({ code: 1008, reason: 'test request not answered' });
  });

  it('a connection that sends binary frames is closed', async () => {
    await start();
    const client = await RidClient.connect(stage);
    client.socket.send(Buffer.from('{}'));
    expect(await client.end()).toMatchObject({ code: 1003 });
  });
});

describe('orders of a closed connection', () => {
  const openLabels = async (): Promise<string[]> => {
    const { result } = await stage.post('private/get_open_orders');
    return result.map((order: { label: string }) => order.label).sort();
  };

  it('orders of a closed connection stay by default, and are cancelled if cancel-on-disconnect was enabled', async () => {
    await start();
    const order = await aBuy();
    const keeping = await RidClient.connect(stage);
    await keeping.get('private/buy', { ...order, label: 'stays' });
    keeping.socket.terminate();

    const leaving = await RidClient.connect(stage);
    await leaving.get('private/buy', { ...order, label: 'goes-1' });
    const scope = { scope: 'connection' };
    expect(await leaving.get('private/get_cancel_on_disconnect')).toEqual({
      ...scope,
      enabled: false,
    });
    expect(await leaving.get('private/enable_cancel_on_disconnect', scope)).toBe('ok');
    const last = await leaving.get('private/buy', { ...order, label: 'goes-2' });
    expect(await openLabels()).toEqual(['goes-1', 'goes-2', 'stays']);
    leaving.socket.terminate();
    await until(async () => (await openLabels()).length === 1);
    expect(await openLabels()).toEqual(['stays']);
    const { orderId } = last.order;
    const { result } = await stage.post('private/get_order_state', { orderId });
    expect(result).toMatchObject({
      orderState: 'cancelled',
      cancelReason: 'cancel_on_disconnect',
    });
  });

  it('orders of a closed connection are cancelled for every later connection if the rule was set for the account', async () => {
    await start();
    const order = await aBuy();
    const first = await RidClient.connect(stage);
    const scope = { scope: 'account' };
    await first.get('private/enable_cancel_on_disconnect', scope);
    const second = await RidClient.connect(stage);
    const own = await second.get('private/get_cancel_on_disconnect', { scope: 'connection' });
    expect(own.enabled).toBe(true);
    await second.get('private/buy', { ...order, label: 'second' });
    await second.close();
    await until(async () => (await openLabels()).length === 0);

    await first.get('private/disable_cancel_on_disconnect', scope);
    await first.get('private/buy', { ...order, label: 'first' });
    await first.close();
    const third = await RidClient.connect(stage);
    expect((await third.get('private/get_cancel_on_disconnect', scope)).enabled).toBe(false);
    expect(await openLabels()).toEqual(['first']);
  });

  it('orders of a closed connection are cancelled if it stopped answering, including requests in flight', async () => {
    await start();
    const order = await aBuy();
    const client = await RidClient.connect(stage);
    await client.get('private/enable_cancel_on_disconnect', {});
    for (let n = 0; n < 50; n += 1)
      void client.request('private/buy', { ...order, label: `l${n}` });
    await until(() => client.frames.length > 5);
    client.socket.terminate();
    await until(async () => (await openLabels()).length === 0);

    const silent = await RidClient.connect(stage);
    await silent.get('private/enable_cancel_on_disconnect', {});
    await silent.get('private/buy', order);
    stage.gateway.nowMs += 601_000;
    await until(async () => (await openLabels()).length === 0);
  });
});

describe('a client that does not read', () => {
  it('a client that does not read is visible in the backlog reported by the gateway', async () => {
    await start({ bufferedBytesMax: 50_000_000 });
    const client = await RidClient.connect(stage);
    const scopes = ['any.any', 'any.BTC', 'future.any', 'future.BTC', BTC];
    const channels = scopes.map((scope) => `user.orders.${scope}.raw`);
    await client.get('private/subscribe', { channels });
    const waiting = (): number => stage.backlog('/ws/api');
    expect(waiting()).toBe(0);
    client.socket.pause();
    const order = await aBuy();
    for (let round = 0; round < 400 && waiting() === 0; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => stage.post('private/buy', order)));
      await stage.post('private/cancel_all');
    }
    expect(waiting()).toBeGreaterThan(0);
    client.socket.resume();
    await until(() => waiting() === 0);
    client.socket.close();
  });

  it('a client that does not read is disconnected when its backlog is too large', async () => {
    await start({ bufferedBytesMax: 20_000 });
    const client = await RidClient.connect(stage);
    const scopes = ['any.any', 'any.BTC', 'future.any', 'future.BTC', BTC];
    const channels = scopes.map((scope) => `user.orders.${scope}.raw`);
    await client.get('private/subscribe', { channels });
    client.socket.pause();
    const order = await aBuy();
    let cut = false;
    for (let round = 0; round < 400 && !cut; round += 1) {
      const placing = Array.from({ length: 20 }, () => stage.post('private/buy', order));
      await Promise.all(placing);
      await stage.post('private/cancel_all');
      cut = stage.drops.includes('slow');
    }
    expect(cut).toBe(true);
    client.socket.resume();
    await client.end();
  });
});
