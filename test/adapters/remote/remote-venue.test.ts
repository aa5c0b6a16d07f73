// Behaviour of the remote venue beyond the conformance suite: its quotes, its connection, malformed messages
// from the venue, and the rules by which it waits.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Pace } from '../../../src/adapters/remote/connection/pace.ts';
import { VenueClock } from '../../../src/adapters/remote/connection/venue-clock.ts';
import { bestOfOthers } from '../../../src/adapters/remote/market/quote-board.ts';
import type { RemoteVenue } from '../../../src/adapters/remote/remote-venue.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import {
  isLess,
  type Price,
  price,
  quantity,
  ratio,
  scaled,
  text,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { Backoff } from '../../../src/values/backoff.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { onTick, passiveTick, tickAt } from '../../../src/values/instrument.ts';
import { rng } from '../../../src/values/rng.ts';
import { keyOf } from '../../support/engine/venue-records.ts';
import { ACCOUNT, anOrder, BTC, OTHER, type StageOrder } from '../paper/paper-stage.ts';
import { until } from '../until.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { connectTo, KEY, noonClock, serveExchange } from './remote-stage.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const QUICK = { timeoutMs: 500, probeMs: 200, backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 } };

async function staged(options: Parameters<typeof connectTo>[1] = {}) {
  const exchange = await serveExchange();
  closers.push(() => exchange.close());
  const proxy = await CuttingProxy.to(exchange.port);
  closers.push(() => proxy.close());
  const connected = await connectTo(proxy.url, { rules: QUICK, ...options });
  closers.push(() => connected.venue.close());
  return { exchange, proxy, ...connected };
}

async function orderOf(venue: RemoteVenue, name = BTC): Promise<StageOrder> {
  venue.watch(name);
  await until(() => venue.quote(name)?.bid !== undefined);
  return anOrder(venue, {
    instrument: name,
    quantity: must(venue.instrument(name), 'listed').minAmount,
    price: must(venue.quote(name)?.bid, 'a bid').price,
  });
}

/** An option whose spread has room for one of our orders. */
async function wideOption(venue: RemoteVenue): Promise<InstrumentName> {
  const options = venue.instruments().filter(({ kind }) => kind === 'option');
  for (const { name, tickSize } of options) {
    const { bid, ask } = must(await venue.market.ticker(name), 'a ticker');
    if (bid === undefined || ask === undefined) continue;
    if (ask.price.minus(bid.price).gte(tickSize.mul(40))) return name;
  }
  throw new Error('no option has a wide spread');
}

const resting = (order: StageOrder, venue: RemoteVenue): StageOrder => {
  const terms = must(venue.instrument(order.instrument), 'listed');
  return { ...order, price: passiveTick(terms, 'buy', scaled(order.price, ratio('0.98'))) };
};

describe('quotes', () => {
  test('exclude our own orders, of all our accounts', async () => {
    const { venue } = await staged();
    const option = await wideOption(venue);
    const terms = must(venue.instrument(option), 'listed');
    for (const account of [ACCOUNT, OTHER]) {
      const rest = await orderOf(venue, option);
      const tick = tickAt(terms, scaled(rest.price, ratio('1.1')));
      const order = { ...rest, price: onTick(terms, rest.price.plus(tick.mul(2)) as Price, 'up') };
      const answer = await venue.place({ ...order, account });
      expect(answer).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
      const inBook = async (): Promise<boolean> => {
        const book = must(await venue.market.book(option, 100), 'a book');
        return book.bids.some((level) => level.price.eq(order.price));
      };
      expect(await inBook()).toBe(true);
      const shown = must(venue.quote(option)?.bid, 'a bid').price;
      expect(isLess(shown, order.price)).toBe(true);
      await venue.cancel({ account, of: keyOf(order) });
    }
  });

  test('subtract our own quantities from their price levels, best first', () => {
    const level = (at: string, size: string) => ({ price: price(at), quantity: quantity(size) });
    const levels = [level('10', '5'), level('9', '7'), level('8', '1')];
    const best = (own: Record<string, string>) => {
      const entries = Object.entries(own).map(([at, size]) => [at, quantity(size)] as const);
      const found = bestOfOthers(levels, new Map(entries));
      return found && [text(found.price), text(found.quantity)];
    };
    expect(best({})).toEqual(['10', '5']);
    expect(best({ 10: '2' })).toEqual(['10', '3']);
    expect(best({ 10: '5' })).toEqual(['9', '7']);
    expect(best({ 10: '6', 9: '7' })).toEqual(['8', '1']);
    expect(best({ 10: '5', 9: '7', 8: '1' })).toBeUndefined();
  });
});

describe('a connection', () => {
  test('that breaks drops its quotes, sends nothing, and publishes its return', async () => {
    const { venue, proxy, faults } = await staged();
    const order = resting(await orderOf(venue), venue);
    const heard: VenueNotice[] = [];
    venue.subscribe((notice) => heard.push(notice));
    proxy.goDown();
    // Each account has its own connection: the last to detect the break may be the one with the quotes.
    await until(() => venue.trouble() !== undefined && venue.quote(BTC) === undefined);
    await expect(venue.market.ticker(BTC)).rejects.toThrow(MarketUnanswered);
    expect(await venue.place(order)).toMatchObject({
      kind: 'refused',
      class: 'later',
      code: 13028,
    });
    const unsent = { kind: 'refused', details: { reason: expect.stringContaining('not sent: ') } };
    expect(await venue.reconcile(order)).toMatchObject(unsent);
    expect(await venue.openOrders({ account: ACCOUNT })).toMatchObject(unsent);
    expect(await tradesSince(venue, ACCOUNT, instant(0))).toMatchObject(unsent);
    expect(await venue.positions({ account: ACCOUNT })).toMatchObject(unsent);
    expect(venue.instruments().length).toBeGreaterThan(0);
    proxy.restore();
    await until(() => venue.trouble() === undefined);
    await until(() => venue.quote(BTC)?.bid !== undefined);
    const accounts = heard.flatMap((one) => (one.kind === 'reconnected' ? one.accounts : []));
    expect(accounts).toContain(ACCOUNT);
    expect(accounts).toContain(OTHER);
    expect(faults.map(String).join()).toContain('connection of desk');
    expect(await venue.reconcile(order)).toMatchObject({ kind: 'done', value: { orders: [] } });
    const valid = { ...order, validUntil: later(venue.venueNow(), 5_000) };
    expect(await venue.place(valid)).toMatchObject({ kind: 'done' });
  });

  test('that stops answering is replaced, and an order sent on it is unknown until a query finds it', async () => {
    const { venue, proxy } = await staged();
    const order = resting(await orderOf(venue), venue);
    proxy.arm('silence_after_request');
    expect(await venue.place(order)).toMatchObject({ kind: 'unknown' });
    await until(async () => {
      const found = await venue.reconcile(order);
      return found.kind === 'done' && found.value.orders.length > 0;
    });
    const found = await venue.reconcile(order);
    expect(found).toMatchObject({ value: { orders: [{ state: 'open', label: order.label }] } });
  });

  test('that is lost has its orders cancelled if cancel on disconnect is set', async () => {
    const { venue, proxy, exchange } = await staged({ cancelOnDisconnect: true });
    const order = resting(await orderOf(venue), venue);
    expect(await venue.place(order)).toMatchObject({ value: { order: { state: 'open' } } });
    proxy.cut();
    const { account } = order;
    await until(async () => {
      const [found] = await exchange.venue
        .ordersLabelled({ account, label: order.label })
        .then((reply) => (reply.kind === 'done' ? reply.value : []));
      return found?.cancelReason === 'cancel_on_disconnect';
    });
  });

  test('with a key that the exchange does not know is reported with the reason', async () => {
    const exchange = await serveExchange();
    closers.push(() => exchange.close());
    const secret = Buffer.from('another secret of this desk').toString('base64');
    const credentials = [{ keyId: KEY.id, secret, bindBody: false, accounts: [ACCOUNT] }];
    const stranger = await connectTo(exchange.url, { credentials, rules: QUICK, firstWaitMs: 200 });
    closers.push(() => stranger.venue.close());
    await until(() => stranger.venue.trouble()?.includes('HTTP 401') === true);
    expect(stranger.venue.instruments()).toEqual([]);
    // A repeated reason is reported as one fault.
    expect(stranger.faults).toHaveLength(1);
  });

  test('to an exchange whose clock is too far from ours places nothing', async () => {
    const exchange = await serveExchange();
    closers.push(() => exchange.close());
    const clock = noonClock();
    const now = () => later(clock.now(), -5_000);
    const slow = {
      now,
      monotonicMs: () => clock.monotonicMs(),
      at: (dueAt: ReturnType<typeof now>, then: () => void) => clock.at(later(dueAt, 5_000), then),
    };
    const { venue } = await connectTo(exchange.url, { clock: slow, skewMaxMs: 1_000 });
    closers.push(() => venue.close());
    const order = await orderOf(venue);
    expect(await venue.place(order)).toMatchObject({ kind: 'refused', class: 'later' });
    expect(venue.trouble()).toMatch(/clock is (49|50)\d\d ms from ours/);
  });
});

/** A venue that completes the handshake and then sends what a test specifies. */
async function scripted(say: (client: WebSocket, method: string, rid: number) => boolean) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (client) => {
    client.on('message', (raw) => {
      const { rid, method, params } = JSON.parse(String(raw));
      if (say(client, method, rid)) return;
      const result: Record<string, unknown> = {
        'public/get_time': noonClock().now(),
        'public/set_heartbeat': 'ok',
        'private/subscribe': params.channels,
        'private/get_open_orders': [],
        'public/get_instruments': [],
        'block/rfqs/get_user_info': { isMaker: false, alias: null },
      };
      client.send(JSON.stringify({ rid, result: result[method] ?? null }));
    });
  });
  closers.push(async () => {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connected = await connectTo(url, { rules: { ...QUICK, probeMs: 50 } });
  closers.push(() => connected.venue.close());
  return connected;
}

describe('an answer of the venue', () => {
  test('that is malformed is counted and ends neither the process nor the connection', async () => {
    const nonsense = [
      ...['', '{', '[]', 'null', '7', '"text"', '{}', '{"rid":1}', '{"rid":"x","result":1}'],
      ...['{"rid":1,"result":1,"error":{"code":1,"message":""}}', '{"method":"shout","params":{}}'],
      '{"method":"subscription","params":{"channel":7,"data":1}}',
      `{"method":"subscription","params":{"channel":"user.orders.any.any.raw","accountId":"${ACCOUNT}","data":{"orderId":"1"}}}`,
      `{"method":"subscription","params":{"channel":"user.trades.any.any.raw","accountId":"${ACCOUNT}","data":[{"price":"1e9"}]}}`,
    ];
    let told = false;
    const { venue, faults } = await scripted((client, method) => {
      if (method === 'public/get_time' && !told && client.readyState === client.OPEN) {
        told = true;
        for (const text of nonsense) client.send(text);
      }
      return false;
    });
    const heard: VenueNotice[] = [];
    venue.subscribe((notice) => heard.push(notice));
    await until(() => faults.length >= 5);
    for (const fault of faults) expect(String(fault)).toMatch(/MalformedAnswer/);
    expect(venue.trouble()).toBeUndefined();
    expect(heard.filter(({ kind }) => kind !== 'reconnected')).toEqual([]);
  });

  test.each([
    ['an incomplete order', { order: { orderId: '1' }, trades: [] }],
    ['a text', 'ok'],
    ['a null result', null],
  ])('with %s makes the outcome of the order unknown', async (_what, result) => {
    const { venue, faults } = await scripted((client, method, rid) => {
      if (method !== 'private/buy') return false;
      client.send(JSON.stringify({ rid, result }));
      return true;
    });
    const order = anOrder(venue, { side: 'buy', quantity: quantity('10'), price: price('1') });
    expect(await venue.place(order)).toMatchObject({ kind: 'unknown' });
    expect(faults).toHaveLength(1);
  });

  test.each([
    [10009, 'not_enough_funds', 'refused', 'final'],
    [13888, 'timed_out', 'refused', 'later'],
    [13028, 'temporarily_unavailable', 'unknown', undefined],
    [11094, 'internal_server_error', 'unknown', undefined],
    [424242, 'never_heard_of', 'unknown', undefined],
  ])('with the error code %s %s makes the order %s', async (code, message, kind, as) => {
    const { venue } = await scripted((client, method, rid) => {
      if (method !== 'private/sell') return false;
      client.send(JSON.stringify({ rid, error: { code, message } }));
      return true;
    });
    const order = anOrder(venue, { side: 'sell', quantity: quantity('10'), price: price('1') });
    const answer = await venue.place(order);
    expect(answer.kind).toBe(kind);
    expect('class' in answer ? answer.class : undefined).toBe(as);
  });
});

describe('pacing and clock estimation', () => {
  test('connection attempts back off up to a bound, and restart quickly after a good connection', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), (seed, attempts) => {
        const rule = { minMs: 100, maxMs: 5_000, heldMs: 1_000 };
        const backoff = new Backoff(rule, rng(seed));
        for (let n = 0; n < attempts; n += 1) {
          const step = Math.min(rule.maxMs, rule.minMs * 2 ** n);
          const wait = backoff.nextMs();
          expect(wait).toBeGreaterThanOrEqual(step / 2);
          expect(wait).toBeLessThanOrEqual(step);
        }
        backoff.held(rule.heldMs - 1);
        const late = backoff.nextMs();
        expect(late).toBeGreaterThanOrEqual(Math.min(rule.maxMs, rule.minMs * 2 ** attempts) / 2);
        backoff.held(rule.heldMs);
        expect(backoff.nextMs()).toBeLessThanOrEqual(rule.minMs);
      }),
    );
  });

  test('queries are never sent faster than the rule, whenever they are requested', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 300, size: 'max' }),
        (gaps) => {
          const rule = { perSecond: 100, burst: 10 };
          const pace = new Pace(rule);
          const sentAt: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            const left = pace.left(now);
            const waitMs = pace.takeMs(now);
            expect(waitMs > 0).toBe(left < 1);
            expect(left).toBeLessThanOrEqual(rule.burst);
            sentAt.push(now + waitMs);
          }
          for (const [index, from] of sentAt.entries()) {
            const within = sentAt.slice(index).filter((at) => at < from + 1_000).length;
            expect(within).toBeLessThanOrEqual(rule.burst + rule.perSecond);
          }
          if (gaps.every((gap) => gap >= 10)) expect(sentAt.at(-1) ?? now).toBe(now);
        },
      ),
    );
  });

  test('the estimated clock is off by at most half the shortest round trip', () => {
    const trip = fc.record({
      out: fc.double({ min: 0, max: 50, noNaN: true }),
      back: fc.double({ min: 0, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(trip, { minLength: 1, maxLength: 12 }), (trips) => {
        const ahead = 1_700_000_000_000;
        const clock = new VenueClock();
        let nowMs = 0;
        for (const { out, back } of trips) {
          clock.note(instant(Math.floor(ahead + nowMs + out)), nowMs, nowMs + out + back);
          nowMs += out + back + 1_000;
        }
        const quickest = Math.min(...trips.map(({ out, back }) => out + back));
        const off = Math.abs(must(clock.now(nowMs), 'told') - (ahead + nowMs));
        expect(off).toBeLessThanOrEqual(quickest / 2 + 2);
      }),
    );
  });
});
