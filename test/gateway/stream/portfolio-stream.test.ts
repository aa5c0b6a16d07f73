import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { signedQuery } from '../../../src/gateway/auth/signed-stamp.ts';
import { DEFAULT_LIMITS, type StreamLimits } from '../../../src/gateway/limits/limits.ts';
import { NO_COUNTS } from '../../../src/gateway/wire/gateway-counts-port.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import {
  GatewayUnderTest,
  NOTHING,
  NOW_MS,
  PATH,
  perpetualBody,
  READER,
  STRANGER,
  TAKER,
} from '../gateway-under-test.ts';
import { STREAM, StreamListener } from '../stream-listener.ts';

let gateway: GatewayUnderTest;

async function start(stream: Partial<StreamLimits> = {}): Promise<GatewayUnderTest> {
  gateway = await GatewayUnderTest.start({ stream: { ...DEFAULT_LIMITS.stream, ...stream } });
  return gateway;
}
afterEach(() => gateway.close());

const listen = (channel: string, account?: number) => ({
  id: 'a',
  op: 'subscribe',
  ...(account === undefined ? {} : { accountId: account }),
  data: [{ channel }],
});

/** The answer to a refused upgrade. */
async function refusal(query: string): Promise<{ status: number; code: number }> {
  const { socket } = new StreamListener(gateway.url, query);
  socket.on('error', () => undefined);
  const [, answer] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { code } = JSON.parse(Buffer.concat(chunks).toString());
  return { status: answer.statusCode, code };
}

let version = 0;
async function news(account: string): Promise<PortfolioNews> {
  await gateway.submit(perpetualBody({ accountId: 10001 }));
  const record = [...gateway.operations.records.values()].at(-1);
  if (record === undefined) throw new Error('nothing was submitted');
  version += 1;
  return {
    messageType: 'PORTFOLIO_CANCELLING',
    portfolio: portfolioId(record.portfolio),
    account: accountId(account),
    version,
    at: instant(NOW_MS + version),
    reason: 'user_request',
    record: { ...record, account, status: 'cancelling' },
  };
}

describe('the portfolio stream', () => {
  it('the portfolio stream acknowledges every channel separately', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    const answer = await listener.say({
      id: '1',
      op: 'subscribe',
      data: [{ channel: 'trade-news' }, { channel: 'order.change.any' }, { channel: 'weather' }],
    });
    expect(answer).toEqual({
      id: '1',
      op: 'subscribe',
      code: 0,
      data: [
        { channel: 'trade-news', success: true, errorMsg: null, sequence: expect.any(String) },
        {
          channel: 'order.change.any',
          success: false,
          errorMsg: expect.stringContaining('accountId'),
        },
        { channel: 'weather', success: false, errorMsg: expect.stringContaining('trade-news') },
      ],
    });
    const orders = await listener.say(listen('order.change.any', 10001));
    expect(orders.data).toMatchObject([
      { success: false, errorMsg: 'accountId: has no orders of its own' },
    ]);
  });

  it('the portfolio stream publishes news with the whole record, in order', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    await listener.say(listen('trade-news'));
    const [first, second] = [await news('10001'), await news('20001')];
    gateway.bus.publish([first, second]);
    expect(await listener.heard(1)).toEqual({
      op: 'push',
      channel: 'trade-news',
      timestamp: String(first.at),
      sequence: expect.stringMatching(/^\d+$/),
      data: {
        messageType: 'PORTFOLIO_CANCELLING',
        portfolioId: first.portfolio,
        accountId: '10001',
        portfolioType: 'TWAP',
        portfolioStatus: 4,
        version: first.version,
        reason: 'user_request',
        portfolio: expect.objectContaining({ portfolioId: first.portfolio, portfolioStatus: 4 }),
      },
    });
    expect((await listener.heard(2)).data.version).toBe(second.version);
    const { json } = await gateway.request(`${PATH}/info?portfolioId=${first.portfolio}`);
    const pushed = listener.frames[1].data.portfolio;
    expect(Object.keys(pushed).sort()).toEqual(Object.keys(json.value).sort());
  });

  it('the portfolio stream publishes news only to the owners of the account', async () => {
    await start();
    const [taker, stranger, reader] = [
      await StreamListener.open(gateway.url, TAKER),
      await StreamListener.open(gateway.url, STRANGER),
      await StreamListener.open(gateway.url, READER),
    ];
    await taker.say(listen('trade-news', 20001));
    await stranger.say(listen('trade-news'));
    await reader.say(listen('trade-news'));
    const foreign = await stranger.say(listen('trade-news', 10001));
    expect(foreign.data).toMatchObject([{ success: false }]);
    const [ofTaker, ofStranger, ofDummy] = [
      await news('10001'),
      await news('10002'),
      await news('20001'),
    ];
    gateway.bus.publish([ofTaker, ofStranger, ofDummy]);
    await taker.heard(1);
    for (const one of [taker, stranger, reader]) await one.say({ op: 'heartbeat' });
    const accounts = (listener: StreamListener) =>
      listener.frames.filter((one) => one.op === 'push').map((one) => one.data.accountId);
    expect(accounts(taker)).toEqual(['20001']);
    expect(accounts(stranger)).toEqual(['10002']);
    expect(accounts(reader)).toEqual(['10001']);
  });

  it.each(['un-subscribe', 'unsubscribe'])('the portfolio stream stops after %s', async (op) => {
    await start();
    const [listener, other] = [
      await StreamListener.open(gateway.url),
      await StreamListener.open(gateway.url),
    ];
    await listener.say(listen('trade-news'));
    await other.say(listen('trade-news'));
    const answer = await listener.say({ id: 7, op, data: [{ channel: 'trade-news' }] });
    expect(answer).toMatchObject({ id: 7, op: 'un-subscribe', code: 0 });
    gateway.bus.publish([await news('10001')]);
    await other.heard(1);
    expect(await listener.say({ id: 'h', op: 'heartbeat' })).toEqual({
      id: 'h',
      op: 'heartbeat',
      code: 0,
    });
  });

  it.each([
    ['noise', 'hello', 'is not JSON'],
    ['an unknown op', { id: 1, op: 'dance' }, 'op: is "dance"; accepted: subscribe'],
    ['no channels', { op: 'subscribe' }, 'data: is missing'],
    ['an unknown field', { op: 'heartbeat', x: 1 }, 'x: is not known here'],
    ['a prototype key', '{"__proto__":{}}', '__proto__'],
  ])(
    'the portfolio stream answers %s with the accepted form, and stays open',
    async (_what, frame, message) => {
      await start();
      const listener = await StreamListener.open(gateway.url);
      const answer = await listener.say(frame);
      expect(answer.code).toBe(40001);
      expect(answer.message).toContain(message);
      expect(await listener.say({ op: 'heartbeat' })).toMatchObject({ code: 0 });
    },
  );

  it('the portfolio stream echoes ids above 2^53 as text, digit by digit', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    const answer = await listener.say('{"id":18446744073709551617,"op":"heartbeat"}');
    expect(answer.id).toBe('18446744073709551617');
  });
});

describe('admission to the stream', () => {
  const query = (key: ApiKey, nowMs = NOW_MS) =>
    signedQuery({ ...key, keyId: key.id }, nowMs, STREAM);

  it('admission to the stream is refused for the same reasons as a REST request', async () => {
    await start();
    const once = query(TAKER);
    const { socket } = new StreamListener(gateway.url, once);
    await new Promise((resolve) => socket.on('open', resolve));
    expect(await refusal(once)).toEqual({ status: 401, code: 40103 });
    expect(await refusal('')).toEqual({ status: 401, code: 40101 });
    expect(await refusal(query({ ...TAKER, secret: STRANGER.secret }))).toEqual({
      status: 401,
      code: 40101,
    });
    expect(await refusal(query(TAKER, NOW_MS - 20_000))).toEqual({ status: 401, code: 40102 });
    expect(await refusal(query(NOTHING))).toEqual({ status: 403, code: 40301 });
    gateway.nonceStoreUp = false;
    expect(await refusal(query(TAKER))).toEqual({ status: 503, code: 50301 });
  });

  it('admission to the stream is limited per key, and closed connections do not count', async () => {
    await start({ connectionsPerKeyMax: 1 });
    const first = await StreamListener.open(gateway.url);
    expect(await refusal(query(TAKER))).toEqual({ status: 429, code: 42901 });
    await StreamListener.open(gateway.url, STRANGER);
    first.socket.close();
    await first.closed();
    const again = await StreamListener.open(gateway.url);
    expect(again.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('clients that misbehave', () => {
  it('clients are disconnected after too long a silence, and only then', async () => {
    await start({ idleMs: 60 });
    const [silent, alive] = [
      await StreamListener.open(gateway.url),
      await StreamListener.open(gateway.url),
    ];
    gateway.nowMs += 50;
    await alive.say({ op: 'heartbeat' });
    gateway.nowMs += 50;
    expect(await silent.closed()).toBe(1008);
    expect(await alive.say({ op: 'heartbeat' })).toMatchObject({ code: 0 });
  });

  it('clients are disconnected if they send binary, too much, or too often', async () => {
    await start({ rate: { perSecond: 1, burst: 3 }, frameBytesMax: 1_000 });
    const [binary, large, many] = [
      await StreamListener.open(gateway.url),
      await StreamListener.open(gateway.url),
      await StreamListener.open(gateway.url),
    ];
    binary.socket.send(Buffer.from('{}'));
    expect(await binary.closed()).toBe(1003);
    large.socket.send('x'.repeat(1_001));
    expect(await large.closed()).toBe(1009);
    for (let n = 0; n < 5; n += 1) many.socket.send('{"op":"heartbeat"}');
    expect(await many.closed()).toBe(1008);
  });

  it('clients are disconnected if they do not read, while others receive everything', async () => {
    await start({ bufferedBytesMax: 100_000 });
    const [slow, quick] = [
      await StreamListener.open(gateway.url),
      await StreamListener.open(gateway.url),
    ];
    await slow.say(listen('trade-news'));
    await quick.say(listen('trade-news'));
    slow.socket.pause();
    const one = await news('10001');
    const big = { ...one, detail: 'x'.repeat(200_000) };
    // Until the kernel's buffers are full too, nothing waits in the server.
    const sent = 100;
    for (let n = 0; n < sent; n += 1) {
      gateway.bus.publish([{ ...big, version: n }]);
      await quick.heard(n + 1);
    }
    slow.socket.resume();
    expect([1006, 1013]).toContain(await slow.closed());
    expect(slow.frames.length).toBeLessThan(sent);
    expect(quick.frames.slice(1).map((frame) => frame.data.version)).toEqual(
      Array.from({ length: sent }, (_, n) => n),
    );
  });
});

describe('the counts of streams', () => {
  it('the counts of streams contain openings, closings, and why the gateway closed a stream', async () => {
    const told: string[] = [];
    gateway = await GatewayUnderTest.start(
      {},
      {
        counts: {
          ...NO_COUNTS,
          socketOpened: (path) => told.push(`opened ${path}`),
          socketClosed: () => told.push('closed'),
          socketDropped: (why) => told.push(why),
        },
      },
    );
    const listener = await StreamListener.open(gateway.url);
    listener.socket.send(Buffer.from('x'));
    await listener.closed();
    await refusal('');
    expect(told).toEqual(['opened /ws/portfolio', 'protocol', 'closed', 'unauthorised']);
  });
});

describe('closing', () => {
  it('closing the server disconnects streams with 1012', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    const closed = listener.closed();
    await gateway.close();
    expect(await closed).toBe(1012);
  });
});
