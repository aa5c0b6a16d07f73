// A connection's life: heartbeats and silence by a clock of the test's own, cancel on disconnect, credits and floods.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../src/values/instant.ts';
import { until } from '../../../adapters/until.ts';
import { STRANGER, TAKER } from '../../gateway-under-test.ts';
import { BTC, RidStage } from '../../order-api/rid-stage.ts';
import { type Frame, FrameClient, withSecret } from './frame-client.ts';

let stage: RidStage;
beforeEach(async () => {
  stage = await RidStage.start({ checkMs: 5 });
});
afterEach(() => stage.close());

const open = (): Promise<FrameClient> => FrameClient.open(stage.gateway.url);
const loggedIn = (): Promise<FrameClient> => FrameClient.of(stage.gateway.url, TAKER);

const heartbeats = (client: FrameClient): string[] =>
  client.frames
    .filter(({ method }: Frame) => method === 'heartbeat')
    .map(({ params }: Frame) => params.type);

describe('a heartbeat', () => {
  test('a heartbeat is sent at every interval in which the client sent something, until it is disabled', async () => {
    const client = await open();
    expect((await client.request('public/set_heartbeat', { interval: 10 })).result).toBe('ok');
    for (let n = 1; n <= 3; n += 1) {
      await client.request('public/get_time');
      stage.gateway.nowMs += 10 * SECOND_MS;
      await until(() => heartbeats(client).length === n);
    }
    expect(heartbeats(client)).toEqual(['heartbeat', 'heartbeat', 'heartbeat']);
    expect((await client.request('public/disable_heartbeat')).result).toBe('ok');
    stage.gateway.nowMs += MINUTE_MS;
    await client.request('public/get_time');
    expect(heartbeats(client)).toHaveLength(3);
    await client.close();
  });

  test('asks a silent client for a test, and continues when it is answered', async () => {
    const client = await open();
    await client.request('public/set_heartbeat', { interval: 10 });
    for (let n = 1; n <= 2; n += 1) {
      stage.gateway.nowMs += 10 * SECOND_MS;
      await until(() => heartbeats(client).length === n);
      await client.request('public/test');
    }
    expect(heartbeats(client)).toEqual(['test_request', 'heartbeat']);
    await client.close();
  });

  test('a test request that is not answered within an interval closes the connection', async () => {
    const client = await open();
    await client.request('public/set_heartbeat', { interval: 10 });
    stage.gateway.nowMs += 10 * SECOND_MS;
    await until(() => heartbeats(client).length === 1);
    stage.gateway.nowMs += 10 * SECOND_MS;
    expect(await client.end()).toEqual({ code: 1008, reason: 'test request not answered' });
  });

  test.each([9, 0, '9'])('of %j s is refused as too short', async (interval) => {
    const client = await open();
    expect((await client.request('public/set_heartbeat', { interval })).error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: { reason: 'value must be >= 10', param: 'interval' },
    });
    await client.close();
  });
});

describe('a connection', () => {
  test('a connection that is silent for ten minutes is closed, unless it sends ping frames', async () => {
    const [silent, pinging] = [await open(), await open()];
    stage.gateway.nowMs += 6 * MINUTE_MS;
    let isPonged = false;
    pinging.socket.once('pong', () => {
      isPonged = true;
    });
    pinging.socket.ping();
    await until(() => isPonged);
    stage.gateway.nowMs += 5 * MINUTE_MS;
    expect(await silent.end()).toMatchObject({ code: 1008 });
    expect(await pinging.request('public/get_time')).toHaveProperty('result');
    await pinging.close();
  });

  test('without a login is refused above the number allowed per address', async () => {
    await stage.close();
    stage = await RidStage.start({ connectionsPerStrangerMax: 2 });
    const clients = [await open(), await open()];
    await expect(open()).rejects.toThrow(/429/);
    await clients[0]?.logIn(TAKER);
    clients.push(await open());
    for (const client of clients) await client.close();
  });

  test('a connection that logs in beside too many others of its key is closed', async () => {
    await stage.close();
    stage = await RidStage.start({ connectionsPerKeyMax: 2 });
    const clients = [await loggedIn(), await loggedIn()];
    const third = await open();
    third.send(JSON.stringify({ id: 1, method: 'public/auth', params: withSecret(TAKER) }));
    expect(await third.end()).toMatchObject({ code: 1008, reason: 'too_many_requests' });
    for (const client of clients) {
      expect(await client.request('private/get_open_orders')).toHaveProperty('result');
      await client.close();
    }
  });
});

const openOrders = async (): Promise<number> => {
  const { result } = await stage.post('private/get_open_orders', {});
  return result.length;
};

async function resting(client: FrameClient): Promise<void> {
  const price = Number(await stage.restingPrice('buy'));
  const order = { instrument_name: BTC, amount: 10, price, label: 'mine' };
  expect(await client.request('private/buy', order)).toHaveProperty('result.order');
}

describe('cancel on disconnect', () => {
  test('of a connection cancels its own orders, and no others', async () => {
    const [leaving, staying] = [await loggedIn(), await loggedIn()];
    await leaving.request('private/enable_cancel_on_disconnect');
    expect((await leaving.request('private/get_cancel_on_disconnect')).result).toEqual({
      scope: 'connection',
      enabled: true,
    });
    expect((await staying.request('private/get_cancel_on_disconnect')).result.enabled).toBe(false);
    await resting(leaving);
    await resting(staying);
    leaving.socket.terminate();
    await until(async () => (await openOrders()) === 1);
    expect((await stage.actions.find({ limit: 1 }))[0]).toMatchObject({
      method: 'cancel_on_disconnect',
      keyId: TAKER.id,
      outcome: 'done',
    });
    await staying.close();
    expect(await openOrders()).toBe(1);
  });

  test('of an account applies to every later connection of it, and to none that is open already', async () => {
    const before = await loggedIn();
    const setting = await loggedIn();
    await setting.request('private/enable_cancel_on_disconnect', { scope: 'account' });
    const later = await loggedIn();
    await resting(before);
    await resting(later);
    await later.close();
    await until(async () => (await openOrders()) === 1);
    await before.close();
    expect(await openOrders()).toBe(1);
    await setting.request('private/disable_cancel_on_disconnect', { scope: 'account' });
    const last = await loggedIn();
    expect((await last.request('private/get_cancel_on_disconnect')).result.enabled).toBe(false);
    await last.close();
    await setting.close();
  });

  test('cancel on disconnect does not run after a logout', async () => {
    const client = await loggedIn();
    await client.request('private/enable_cancel_on_disconnect');
    await resting(client);
    client.send('{"id":1,"method":"private/logout","params":{}}');
    await client.end();
    const other = await loggedIn();
    await other.request('private/get_open_orders');
    expect(await openOrders()).toBe(1);
    await other.close();
  });

  test('runs when a heartbeat is not answered', async () => {
    const client = await loggedIn();
    await client.request('private/enable_cancel_on_disconnect');
    await resting(client);
    await client.request('public/set_heartbeat', { interval: 10 });
    stage.gateway.nowMs += 10 * SECOND_MS;
    await until(() => heartbeats(client).length === 1);
    stage.gateway.nowMs += 10 * SECOND_MS;
    await client.end();
    await until(async () => (await openOrders()) === 0);
  });

  test('needs the right to change the account', async () => {
    const client = await FrameClient.of(stage.gateway.url, TAKER, { scope: 'account:read' });
    const { error } = await client.request('private/enable_cancel_on_disconnect');
    expect(error.code).toBe(13021);
    await client.close();
  });
});

describe('credits', () => {
  const counted = { deribit: { credits: 'on', tier: 4 } } as const;

  test('let an account place twenty orders at once, and end the session with the next', async () => {
    stage.gateway.reload(counted);
    const client = await loggedIn();
    const codes: unknown[] = [];
    for (let n = 0; n < 21; n += 1) {
      codes.push((await client.request('private/cancel', { order_id: '1' })).error.code);
    }
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 10_004), 10_028]);
    expect(await client.end()).toEqual({ code: 1008, reason: 'too_many_requests' });
  });

  test('come back with time, are of the account over all of its connections, and of no other account', async () => {
    stage.gateway.reload(counted);
    const [first, second] = [await loggedIn(), await loggedIn()];
    for (let n = 0; n < 20; n += 1) {
      await (n % 2 === 0 ? first : second).request('private/cancel', { order_id: '1' });
    }
    const other = await FrameClient.of(stage.gateway.url, STRANGER);
    expect((await other.request('private/cancel', { order_id: '1' })).error.code).toBe(10_004);
    stage.gateway.nowMs += 199;
    expect((await second.request('private/cancel', { order_id: '1' })).error.code).toBe(10_028);
    stage.gateway.nowMs += 1;
    expect((await first.request('private/cancel', { order_id: '1' })).error.code).toBe(10_004);
    await first.close();
    await other.close();
  });

  test('of an emergency cancel are apart from those of orders', async () => {
    stage.gateway.reload(counted);
    const client = await loggedIn();
    for (let n = 0; n < 20; n += 1) await client.request('private/cancel', { order_id: '1' });
    expect(await client.request('private/cancel_all')).toHaveProperty('result');
    await client.close();
  });

  test('of a client without a login are those of its address', async () => {
    stage.gateway.reload(counted);
    const client = await open();
    const answers = await Promise.all(
      Array.from({ length: 101 }, () => client.request('public/get_time')),
    );
    expect(answers.filter(({ error }) => error?.code === 10_028)).toHaveLength(1);
    await client.end();
  });

  test('credits are not counted where they are off', async () => {
    const client = await loggedIn();
    for (let n = 0; n < 30; n += 1) {
      expect((await client.request('private/cancel', { order_id: '1' })).error.code).toBe(10_004);
    }
    await client.close();
  });
});

describe('a flood', () => {
  test('of frames is read in turn and slows no other client down to nothing', async () => {
    const flooding = await open();
    for (let n = 0; n < 3_000; n += 1) {
      flooding.send(`{"id":${n},"method":"public/get_time","params":{}}`);
    }
    const client = await loggedIn();
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    await until(() => flooding.frames.length === 3_000);
    expect(flooding.frames.map(({ id }) => id)).toEqual([...Array(3_000).keys()]);
    await flooding.close();
    await client.close();
  });

  test('beyond the rates of the gateway ends the session', async () => {
    stage.gateway.reload({
      rid: {
        ...DEFAULT_LIMITS.rid,
        rates: { ...DEFAULT_LIMITS.rid.rates, query: { perSecond: 1, burst: 5 } },
      },
    });
    const client = await open();
    const codes: unknown[] = [];
    for (let n = 0; n < 6; n += 1)
      codes.push((await client.request('public/get_time')).error?.code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => undefined), 10_028]);
    await client.end();
  });
});
