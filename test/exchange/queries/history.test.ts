import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { OrderHistoryQuery } from '../../../src/exchange/queries/order-history.ts';
import type { TradeHistoryQuery } from '../../../src/exchange/queries/trade-history.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, type OrderId } from '../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk, options, START } from '../exchange-desk.ts';
import { btcPerpetual, btcSpot, ethFuture } from '../instruments.ts';

const LONG = { ordersMs: 30 * DAY_MS, tradesMs: 30 * DAY_MS };
const keeping = (instrument = btcPerpetual): Desk =>
  new Desk(instrument, new Exchange({ ...options(), retention: LONG }));

/** Places and cancels: a closed order without a fill. */
function closed(desk: Desk, label = ''): OrderId {
  const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '10', label }));
  accepted(desk.cancel(ALICE, order.orderId));
  return order.orderId;
}

/** A trade between Alice and Bob: an order of each closes with a fill. */
function traded(desk: Desk, quantity = '10'): OrderId {
  desk.place(BOB, 'sell', { price: '100', quantity });
  return accepted(desk.place(ALICE, 'buy', { price: '100', quantity })).order.orderId;
}

function pageOf(desk: Desk, query: Partial<OrderHistoryQuery> = {}) {
  const page = desk.exchange.orderHistory({
    account: ALICE,
    now: desk.now,
    count: 20,
    offset: 0,
    historical: false,
    includeOld: false,
    includeUnfilled: true,
    ...query,
  });
  return must(page, 'a page');
}

const idsOf = (desk: Desk, query: Partial<OrderHistoryQuery> = {}): OrderId[] =>
  pageOf(desk, query).orders.map(({ orderId }) => orderId);

describe('closed orders', () => {
  it('closed orders are recent for half an hour, then historical, and never both', () => {
    const desk = keeping();
    const first = closed(desk);
    desk.now = later(desk.now, 10 * MINUTE_MS);
    const second = closed(desk);
    expect([idsOf(desk), idsOf(desk, { historical: true })]).toEqual([[second, first], []]);
    desk.now = later(START, 30 * MINUTE_MS);
    expect(idsOf(desk)).toEqual([second, first]);
    desk.now = later(desk.now, 1);
    expect([idsOf(desk), idsOf(desk, { historical: true })]).toEqual([[second], [first]]);
  });

  it('orders closed more than two days ago, and those without a fill, are returned only on request', () => {
    const desk = keeping();
    const [empty, filled] = [closed(desk), traded(desk)];
    expect(idsOf(desk, { includeUnfilled: false })).toEqual([filled]);
    desk.now = later(START, 2 * DAY_MS);
    expect(idsOf(desk, { historical: true })).toEqual([filled, empty]);
    desk.now = later(desk.now, 1);
    expect(idsOf(desk, { historical: true })).toEqual([]);
    expect(idsOf(desk, { historical: true, includeOld: true })).toEqual([filled, empty]);
    expect(idsOf(desk, { includeOld: true })).toEqual([]);
  });

  it('closed orders are filtered by market, type and label, and returned only to their owner', () => {
    const desk = keeping();
    const other = new Desk(ethFuture, desk.exchange);
    const spot = new Desk(btcSpot, desk.exchange);
    const red = closed(desk, 'red');
    const { order } = accepted(other.place(ALICE, 'buy', { price: '100', quantity: '10' }));
    accepted(other.cancel(ALICE, order.orderId));
    const coin = accepted(spot.place(ALICE, 'buy', { price: '100', quantity: '1' })).order;
    accepted(spot.cancel(ALICE, coin.orderId));
    expect(idsOf(desk, { label: 'red' })).toEqual([red]);
    expect(idsOf(desk, { currency: currency('ETH') })).toEqual([order.orderId]);
    expect(idsOf(desk, { currency: currency('USDC') })).toEqual([coin.orderId]);
    expect(idsOf(desk, { kinds: ['future', 'spot'] })).toEqual([coin.orderId, order.orderId]);
    expect(idsOf(desk, { instrument: btcPerpetual.name })).toEqual([red]);
    expect(idsOf(desk, { types: ['market'] })).toEqual([]);
    expect(idsOf(desk, { account: BOB })).toEqual([]);
  });

  it('at most a thousand closed orders are returned at once', () => {
    const desk = keeping();
    for (let i = 0; i < 1_100; i += 1) closed(desk);
    const page = pageOf(desk, { count: 5_000 });
    expect(page.orders).toHaveLength(1_000);
    const rest = pageOf(desk, { count: 5_000, continuation: page.continuation });
    expect([rest.orders.length, rest.continuation]).toEqual([100, undefined]);
  });

  it('pages stay valid while others close and after a restart, and unknown tokens are refused', () => {
    const desk = keeping();
    const ids = Array.from({ length: 6 }, () => closed(desk)).reverse();
    const first = pageOf(desk, { count: 2, offset: 1 });
    expect(first.orders.map(({ orderId }) => orderId)).toEqual(ids.slice(1, 3));
    closed(desk);
    const { continuation } = first;
    expect(idsOf(desk, { continuation })).toEqual(ids.slice(3));
    const snapshot = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
    const restored = Exchange.restore(snapshot, { ...options(), retention: LONG });
    const again = new Desk(btcPerpetual, restored);
    expect(idsOf(again, { continuation })).toEqual(ids.slice(3));
    const { now } = desk;
    for (const wrong of ['', 'x', '!', 'zzzzzzzzzzzz.1', '1.']) {
      const query = { account: ALICE, now, count: 1, offset: 0, continuation: wrong };
      const flags = { historical: false, includeOld: false, includeUnfilled: true };
      expect(desk.exchange.orderHistory({ ...query, ...flags }), wrong).toBeUndefined();
    }
  });

  it('every order is returned exactly once, for any page size, while others close', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 12, maxLength: 12 });
    const gaps = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(sizes, gaps, (counts, gapsMs) => {
        const desk = keeping();
        const ids = gapsMs.map((ms) => {
          desk.now = later(desk.now, ms);
          return closed(desk);
        });
        const seen: OrderId[] = [];
        let continuation: string | undefined;
        for (const count of counts) {
          const page = pageOf(desk, { count, continuation });
          seen.push(...page.orders.map(({ orderId }) => orderId));
          continuation = page.continuation;
          if (continuation === undefined) break;
          closed(desk);
        }
        expect(seen).toEqual(ids.reverse());
      }),
      { numRuns: 50 },
    );
  });
});

function tradesOf(desk: Desk, query: Partial<TradeHistoryQuery> = {}) {
  return desk.exchange.tradeHistory({
    account: ALICE,
    now: desk.now,
    count: 100,
    sorting: 'asc',
    historical: false,
    ...query,
  });
}

const seqsOf = (desk: Desk, query: Partial<TradeHistoryQuery> = {}): number[] =>
  tradesOf(desk, query).trades.map(({ tradeSeq }) => tradeSeq);

/** Five trades, an hour apart. */
function fiveTrades(): { readonly desk: Desk; readonly at: (hour: number) => Instant } {
  const desk = keeping();
  for (let hour = 0; hour < 5; hour += 1) {
    desk.now = later(START, hour * HOUR_MS);
    traded(desk);
  }
  return { desk, at: (hour) => later(START, hour * HOUR_MS) };
}

describe('trades', () => {
  it('trades are recent for a day, then historical, and never both', () => {
    const { desk, at } = fiveTrades();
    desk.now = at(26);
    expect([seqsOf(desk), seqsOf(desk, { historical: true })]).toEqual([
      [3, 4, 5],
      [1, 2],
    ]);
  });

  it('trades are filtered by time, number and id, both ends included', () => {
    const { desk, at } = fiveTrades();
    const ids = tradesOf(desk).trades.map(({ tradeId }) => tradeId);
    expect(seqsOf(desk, { from: at(1), until: at(3) })).toEqual([2, 3, 4]);
    expect(seqsOf(desk, { startSeq: 2, endSeq: 3 })).toEqual([2, 3]);
    expect(seqsOf(desk, { startId: ids[3] })).toEqual([4, 5]);
    expect(seqsOf(desk, { startId: ids[0], endId: ids[1] })).toEqual([1, 2]);
    expect(seqsOf(desk, { startId: 'ETH-1' })).toEqual([]);
  });

  it('trades are returned in the requested order, with a flag if there are more', () => {
    const { desk } = fiveTrades();
    const first = tradesOf(desk, { count: 2, sorting: 'desc' });
    expect([first.trades.map(({ tradeSeq }) => tradeSeq), first.hasMore]).toEqual([[5, 4], true]);
    expect(tradesOf(desk, { count: 5 })).toMatchObject({ hasMore: false });
    expect(seqsOf(desk, { count: 2 })).toEqual([1, 2]);
  });

  it('trades can be filtered by order and by market', () => {
    const { desk } = fiveTrades();
    const other = new Desk(ethFuture, desk.exchange);
    other.now = desk.now;
    traded(other);
    desk.place(BOB, 'sell', { price: '100', quantity: '20' });
    desk.place(BOB, 'sell', { price: '100', quantity: '20' });
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '40' }));
    expect(seqsOf(desk, { orderId: order.orderId })).toEqual([6, 7]);
    expect(seqsOf(desk, { orderId: order.orderId, sorting: 'desc', count: 1 })).toEqual([7]);
    expect(seqsOf(desk, { orderId: order.orderId, account: BOB })).toEqual([]);
    expect(seqsOf(desk, { currency: currency('ETH') })).toEqual([1]);
    expect(seqsOf(desk, { kinds: ['perpetual'] })).toHaveLength(7);
  });
});
