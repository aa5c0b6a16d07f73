import { afterEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { NewsFeed } from '../../../src/engine/news/news-feed.ts';
import { DEFAULT_LIMITS, type StreamLimits } from '../../../src/gateway/limits/limits.ts';
import { type GatewayCounts, NO_COUNTS } from '../../../src/gateway/wire/gateway-counts-port.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { lives } from '../../support/daemon/lives.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { inOrder } from '../../support/in-order.ts';
import { GatewayUnderTest, STRANGER, TAKER } from '../gateway-under-test.ts';
import { StreamListener } from '../stream-listener.ts';

inOrder();

const LIVES = await lives();
const VERSIONS = LIVES.flatMap(({ news }) =>
  news.map(({ portfolio, version }) => `${portfolio}/${version}`),
);
const observer = witness();
const ledger = new MemoryLedger({ now: () => NOON });
const bus = new MemoryEventBus(fail);
let log: TurnLog = ledger.turnLog;
let gateway: GatewayUnderTest;

function fail(error: unknown): never {
  throw error;
}

/** Starts a new gateway without state, as after a restart. */
async function start(
  stream: Partial<StreamLimits> = {},
  counts: GatewayCounts = NO_COUNTS,
): Promise<void> {
  const news = new NewsFeed({ bus, ledger, log, clock: new SystemClock(), observer });
  const limits = { stream: { ...DEFAULT_LIMITS.stream, ...stream } };
  gateway = await GatewayUnderTest.start(limits, { news, counts });
}
afterEach(async () => {
  log = ledger.turnLog;
  await gateway.close();
});

const subscribe = (after?: string) => ({
  id: 'a',
  op: 'subscribe',
  ...(after === undefined ? {} : { after }),
  data: [{ channel: 'trade-news' }],
});
const pushed = (listener: StreamListener) =>
  listener.frames
    .filter(({ op }) => op === 'push')
    .map(({ sequence, data }) => ({
      sequence: sequence as string,
      name: `${data.portfolioId}/${data.version}`,
      data,
    }));

describe('a reconnecting client', () => {
  it('a reconnecting client receives missed news once and in order, from any sequence', async () => {
    await start();
    const first = await StreamListener.open(gateway.url);
    const { data } = await first.say(subscribe());
    const begin = data[0].sequence as string;
    for (const [index, { turn, news }] of LIVES.entries()) {
      await ledger.commit([turn]);
      // For every third turn the process dies before publishing.
      if (index % 3 > 0) bus.publish(news);
    }
    await first.heard(VERSIONS.length);
    const all = pushed(first);
    expect(all.map(({ name }) => name)).toEqual(VERSIONS);
    await gateway.close();
    await start();
    const places = [begin, ...all.map(({ sequence }) => sequence)];
    for (const [count, after] of places.entries()) {
      const again = await StreamListener.open(gateway.url);
      const answer = await again.say(subscribe(after));
      expect(answer.data).toEqual([
        { channel: 'trade-news', success: true, errorMsg: null, sequence: after },
      ]);
      if (count < all.length) await again.heard(all.length - count);
      await again.say({ op: 'heartbeat' });
      expect(pushed(again)).toEqual(all.slice(count));
      again.socket.terminate();
    }
  });

  it('a reconnecting client gets a resync if its sequence is unknown', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    await listener.say(subscribe('999999999999999999999999'));
    const frame = await listener.heard(1);
    expect(frame).toEqual({
      op: 'resync',
      channel: 'trade-news',
      sequence: expect.stringMatching(/^\d+$/),
      reason: 'forgotten',
      message: expect.stringContaining('read the portfolios again'),
    });
    const again = await StreamListener.open(gateway.url);
    await again.say(subscribe(frame.sequence));
    expect(await again.say({ op: 'heartbeat' })).toMatchObject({ op: 'heartbeat' });
  });

  it('a reconnecting client gets a resync if it missed too much', async () => {
    await start({ missedMax: 3 });
    const listener = await StreamListener.open(gateway.url);
    await listener.say(subscribe('0'));
    const frame = await listener.until(({ op }) => op === 'resync');
    expect(frame.reason).toBe('too_much');
    expect(pushed(listener)).toHaveLength(3);
  });

  it('a reconnecting client receives nothing of foreign accounts', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url, STRANGER);
    await listener.say(subscribe('0'));
    await listener.say({ op: 'heartbeat' });
    expect(pushed(listener)).toEqual([]);
  });

  it.each([
    ['x', 'after: is "x"; accepted: the sequence of a message'],
    [-1, 'after: is -1; accepted'],
    [1.5, 'after: is 1.5; accepted'],
  ])('a reconnecting client is refused with after %s', async (after, message) => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    const answer = await listener.say({ ...subscribe(), after });
    expect(answer).toMatchObject({ code: 40001, message: expect.stringContaining(message) });
  });

  it('a reconnecting client is refused an earlier sequence while it is subscribed', async () => {
    await start();
    const listener = await StreamListener.open(gateway.url);
    await listener.say(subscribe());
    const { data } = await listener.say(subscribe('0'));
    expect(data).toMatchObject([{ success: false, errorMsg: expect.stringContaining('after') }]);
    await listener.say({ op: 'un-subscribe', data: [{ channel: 'trade-news' }] });
    const { data: granted } = await listener.say(subscribe('0'));
    expect(granted).toMatchObject([{ success: true }]);
    await listener.heard(3 + VERSIONS.length - 1);
  });
});

describe('while the ledger is unavailable', () => {
  const away = () => Promise.reject(new Error('away'));

  it('a subscription is refused, and the connection stays open', async () => {
    log = { newestPosition: away, groupsFrom: away };
    await start();
    const listener = await StreamListener.open(gateway.url, TAKER);
    const { data } = await listener.say(subscribe());
    expect(data).toMatchObject([{ success: false, errorMsg: expect.stringContaining('again') }]);
    expect(await listener.say({ op: 'heartbeat' })).toMatchObject({ code: 0 });
    expect(gateway.reported).toHaveLength(1);
  });

  it('a client in the middle of a replay is disconnected with 1013', async () => {
    log = { newestPosition: () => ledger.turnLog.newestPosition(), groupsFrom: away };
    await start();
    const listener = await StreamListener.open(gateway.url, TAKER);
    const closed = listener.closed();
    listener.socket.send(JSON.stringify(subscribe('0')));
    expect(await closed).toBe(1013);
  });
});

describe('a client that requests a replay and never reads', () => {
  it('a client that requests a replay and never reads is disconnected before the whole replay is buffered', async () => {
    const REPEATS = 1_000;
    const inner = ledger.turnLog;
    const newest = await inner.newestPosition();
    // The same history repeated: more than the kernel buffers.
    log = {
      newestPosition: () => Promise.resolve(newest * BigInt(REPEATS)),
      groupsFrom: async (from, limit) => {
        const groups = await inner.groupsFrom(from % newest, limit);
        return groups?.map((group, index) => ({ ...group, position: from + BigInt(index) }));
      },
    };
    let notify: (why: string) => void = () => undefined;
    const cut = new Promise<string>((resolve) => {
      notify = resolve;
    });
    const limits = { roomMs: 200, missedMax: 1_000_000, bufferedBytesMax: 50_000 };
    await start(limits, { ...NO_COUNTS, socketDropped: (why) => notify(why) });
    const listener = await StreamListener.open(gateway.url, TAKER);
    listener.socket.send(JSON.stringify(subscribe('0')));
    listener.socket.pause();
    expect(await cut).toBe('slow');
    const closed = listener.closed();
    listener.socket.resume();
    expect([1006, 1013]).toContain(await closed);
    expect(listener.frames.length).toBeLessThan(VERSIONS.length * REPEATS);
  });
});
