// Floods of frames without a key: what is answered, what is refused, and what waits in memory.
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { WorkRules } from '../../../src/gateway/limits/limits.ts';
import { DEFAULT_LIMITS, type RidLimits } from '../../../src/gateway/limits/limits.ts';
import { until } from '../../adapters/until.ts';
import { TAKER } from '../gateway-under-test.ts';
import { RidClient } from './rid-client.ts';
import { BTC, RidStage } from './rid-stage.ts';

let stage: RidStage;
afterEach(() => stage.close());

const start = async (limits: Partial<RidLimits> = {}, work?: WorkRules): Promise<RidStage> => {
  stage = await RidStage.start({ checkMs: 10, ...limits }, undefined, undefined, undefined, work);
  return stage;
};

const INSTRUMENTS = { method: 'public/get_instruments', params: { currency: 'any' } };

/** Text frames of a client, masked with zeros, in one write. */
function framesOf(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.map((text) => {
      const body = Buffer.from(text);
      return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
    }),
  );
}

/** Sends all frames in one write, behind a handshake, and reads nothing. */
function unread(frames: Buffer): ReturnType<typeof connect> {
  const port = Number(new URL(stage.gateway.url).port);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  const lines = [
    'GET /ws/api HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.once('readable', () => socket.write(frames));
  return socket;
}

describe('a burst of queries for all instruments', () => {
  test('a burst of queries for all instruments is answered until its work budget is used up; the rest is refused with 10028 and the time to retry', async () => {
    const little = { perSecond: 1, burst: 100 };
    await start({}, { ...DEFAULT_LIMITS.work, address: little });
    const client = await RidClient.connect(stage, null);
    const asked = Array.from({ length: 300 }, () =>
      client.request(INSTRUMENTS.method, INSTRUMENTS.params),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(answers.length - refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeLessThan(50);
    for (const { error } of refused) {
      expect(error).toMatchObject({ code: 10028, data: { retryAfterSec: expect.any(Number) } });
    }
    expect(client.closed).toBeUndefined();
    const other = await RidClient.connect(stage, TAKER);
    expect(await other.get(INSTRUMENTS.method, INSTRUMENTS.params)).not.toHaveLength(0);
  });

  test('a burst of queries for all instruments is not processed beyond the answers that a client without reading can buffer', async () => {
    const pausedBytes = 64 * 1_024;
    await start({ pausedBytes });
    const { result } = await stage.post(INSTRUMENTS.method, INSTRUMENTS.params, null);
    const answerBytes = JSON.stringify(result).length;
    const socket = unread(
      framesOf(Array.from({ length: 300 }, (_, rid) => JSON.stringify({ rid, ...INSTRUMENTS }))),
    );
    await until(() => stage.answers.length > 1);
    // A client that asks after it is answered in its turn, and others have been worked by then if they could.
    const other = await RidClient.connect(stage, null);
    for (let n = 0; n < 50; n += 1) await other.get('public/get_time');
    expect(stage.backlog('/ws/api')).toBeLessThanOrEqual(pausedBytes + 2 * answerBytes);
    const worked = stage.answers.filter((one) => one.includes(INSTRUMENTS.method)).length;
    expect(worked).toBeLessThan(50);
    socket.destroy();
  });

  test('a burst of queries for all instruments gets the same bytes as over HTTP, and as each instrument alone', async () => {
    await start();
    const client = await RidClient.connect(stage, null);
    const params = { currency: 'BTC', kind: 'future' };
    const listed = await client.get(INSTRUMENTS.method, params);
    expect((await stage.post(INSTRUMENTS.method, params, null)).result).toEqual(listed);
    const first = await client.get('public/get_instrument', { instrumentName: BTC });
    expect(listed).toContainEqual(first);
  });
});

describe('frames of a disconnected client', () => {
  test('frames of a disconnected client are processed if a key sent them, so that a last cancel is not lost', async () => {
    await start();
    const price = await stage.restingPrice('buy');
    const client = await RidClient.connect(stage, TAKER);
    const order = { instrumentName: BTC, quantity: '100', price, label: 'last' };
    await client.get('private/buy', order);
    for (let n = 0; n < 200; n += 1)
      void client.request('public/get_instrument', { instrumentName: BTC });
    void client.request('private/cancel_all');
    client.socket.close();
    await until(async () => (await stage.post('private/get_open_orders')).result.length === 0);
  });
});

describe('invalid frames', () => {
  const faulty: readonly (readonly [string, unknown])[] = [
    ['an unknown method', { rid: 1, method: 'public/nothing', params: {} }],
    ['params that are not accepted', { rid: 1, method: 'public/ticker', params: { x: 1 } }],
    ['a method that needs a key', { rid: 1, method: 'private/get_open_orders', params: {} }],
    ['no method', { rid: 1 }],
    ['an envelope with more in it', { rid: 1, method: 'public/test', more: 1 }],
  ];

  test.each(faulty)('invalid frames with %s take a token like valid ones', async (_, frame) => {
    const loose = { perSecond: 1_000, burst: 1_000 };
    const query = { perSecond: 0.01, burst: 3 };
    await start({ rates: { order: loose, order_cancel: loose, query } });
    const client = await RidClient.connect(stage, null);
    for (let n = 0; n < 6; n += 1) client.socket.send(JSON.stringify(frame));
    expect(await client.end()).toMatchObject({ code: 1008, reason: 'too_many_requests' });
    expect(client.frames).toHaveLength(4);
    expect(client.frames.at(-1).error.code).toBe(10028);
    expect(client.frames.slice(0, 3).every(({ error }) => error.code !== 10028)).toBe(true);
  });

  test('invalid frames close the connection if more arrive than fit into one read of the socket', async () => {
    await start();
    const socket = unread(framesOf(Array.from({ length: 40_000 }, () => '')));
    socket.resume();
    await until(() => stage.drops.includes('protocol'));
    socket.destroy();
  });
});
