// Subscriptions over a real WebSocket, compared with the results of queries.
import { afterEach, describe, expect, it } from 'vitest';
import type { RidLimits } from '../../../../src/gateway/limits/limits.ts';
import type { VenueNotice } from '../../../../src/ports/trading-desk.ts';
import { must } from '../../../../src/values/assert.ts';
import { until } from '../../../adapters/until.ts';
import { STRANGER } from '../../gateway-under-test.ts';
import { replacing } from '../replacing-desk.ts';
import { type Frame, RidClient } from '../rid-client.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
let client: RidClient;
const start = async (limits: Partial<RidLimits> = {}): Promise<void> => {
  stage = await RidStage.start(limits);
  client = await RidClient.connect(stage);
};
afterEach(() => stage.close());

const subscribe = (...channels: string[]): Promise<Frame> =>
  client.get('private/subscribe', { channels });

const aBuy = async (more: Record<string, unknown> = {}) => ({
  instrumentName: BTC,
  quantity: '100',
  price: await stage.restingPrice('buy'),
  ...more,
});

describe('channels', () => {
  it('channels with unknown names are left out of the answer', async () => {
    await start();
    const ticker = `ticker.${BTC}.100ms`;
    expect(await subscribe(ticker, 'ticker.NOWHERE.100ms', 'nonsense')).toEqual([ticker]);
    const publicly = { channels: ['user.orders.any.any.raw', ticker] };
    expect(await client.get('public/subscribe', publicly)).toEqual([ticker]);
    expect(await client.get('public/unsubscribe', { channels: [ticker, 'x'] })).toEqual([ticker]);
    const none = await client.request('public/subscribe', { channels: [] });
    expect(none.error.data.param).toBe('channels');
  });

  it('channels are granted up to a limit', async () => {
    await start({ channelsMax: 2, marketsMax: 1 });
    const names = [`ticker.${BTC}.raw`, `quote.${BTC}`, 'user.portfolio.any', 'user.portfolio.btc'];
    expect(await subscribe(...names)).toEqual([`ticker.${BTC}.raw`, 'user.portfolio.any']);
  });
});

describe('a book', () => {
  type Side = Map<string, string>;

  /** Applies the messages as a client must: the snapshot, then consecutive changes. */
  function rebuilt(messages: readonly Frame[]): { bids: Side; asks: Side; changeId: number } {
    const [snapshot, ...changes] = messages;
    expect(snapshot.type).toBe('snapshot');
    const book = { bids: new Map(), asks: new Map() };
    const apply = (message: Frame): void => {
      for (const name of ['bids', 'asks'] as const) {
        for (const [action, price, amount] of message[name]) {
          expect(book[name].has(price), `${action} of ${price}`).toBe(action !== 'new');
          if (action === 'delete') book[name].delete(price);
          else book[name].set(price, amount);
        }
      }
    };
    apply(snapshot);
    let changeId = snapshot.changeId;
    for (const change of changes) {
      expect(change.type).toBe('change');
      expect(change.prevChangeId).toBe(changeId);
      expect(change.changeId).toBeGreaterThan(changeId);
      changeId = change.changeId;
      apply(change);
    }
    return { ...book, changeId };
  }

  it('rebuilt from its changes equals the result of get_order_book', async () => {
    await start();
    const channel = `book.${BTC}.raw`;
    expect(await subscribe(channel)).toEqual([channel]);
    for (let round = 0; round < 20; round += 1) {
      const { order } = await client.get(
        'private/buy',
        await aBuy({ price: String(80_000 + round) }),
      );
      if (round % 3 === 0) await client.get('private/cancel', { orderId: order.orderId });
      if (round % 5 === 0) await client.get('private/sell', await aBuy({ type: 'market' }));
    }
    await client.heard(channel, (data) => data.length > 10);
    let shown: Frame;
    await until(async () => {
      shown = await client.get('public/get_order_book', { instrumentName: BTC, depth: 10_000 });
      return client.told(channel).some((one) => one.changeId === shown.changeId);
    });
    const messages = client.told(channel);
    const upTo = messages.findIndex((one) => one.changeId === shown.changeId);
    const book = rebuilt(messages.slice(0, upTo + 1));
    expect(Object.fromEntries(book.bids)).toEqual(Object.fromEntries(shown.bids));
    expect(Object.fromEntries(book.asks)).toEqual(Object.fromEntries(shown.asks));
  });

  it('grouped into wider levels has at most the requested depth and is not crossed', async () => {
    await start();
    const channel = `book.${BTC}.10.10.100ms`;
    await subscribe(channel);
    const [grouped] = await client.heard(channel, (data) => data.length > 0);
    const [bid] = grouped.bids;
    expect(Number(bid[0]) % 10).toBe(0);
    expect(grouped.bids.length).toBeLessThanOrEqual(10);
    expect(Number(grouped.bids[0][0])).toBeLessThan(Number(grouped.asks[0][0]));
  });
});

describe('markets', () => {
  it('market channels publish tickers, quotes and trades', async () => {
    await start();
    const channels = [`ticker.${BTC}.raw`, `quote.${BTC}`, `trades.${BTC}.raw`];
    expect(await subscribe(...channels)).toEqual(channels);
    const [ticker] = await client.heard(`ticker.${BTC}.raw`, (data) => data.length > 0);
    expect(ticker).toMatchObject({ instrumentName: BTC, state: 'open' });
    const [quote] = await client.heard(`quote.${BTC}`, (data) => data.length > 0);
    expect(Number(quote.bestBidPrice)).toBeLessThan(Number(quote.bestAskPrice));
    const { trades } = await client.get('private/buy', await aBuy({ type: 'market' }));
    const { tradeId } = trades[0];
    await client.heard(`trades.${BTC}.raw`, (data) =>
      data.flat().some((one) => one.tradeId === tradeId),
    );
    const trade = client
      .told(`trades.${BTC}.raw`)
      .flat()
      .find((one) => one.tradeId === tradeId);
    expect(trade).toMatchObject({ side: 'buy', instrumentName: BTC, quantity: trades[0].quantity });
    expect(trade).not.toHaveProperty('orderId');
  });

  it('market channels publish nothing after unsubscribing', async () => {
    await start();
    const channel = `ticker.${BTC}.raw`;
    await subscribe(channel);
    await client.heard(channel, (data) => data.length > 0);
    expect(await client.get('public/unsubscribe_all')).toBe('ok');
    const subscriber = client.told(channel).length;
    await client.get('private/buy', await aBuy({ type: 'market' }));
    await client.get('public/get_time');
    expect(client.told(channel).length).toBe(subscriber);
  });
});

describe('an account', () => {
  it('an account receives its own orders and trades, and no other account does', async () => {
    await start();
    const stranger = await RidClient.connect(stage, STRANGER);
    const channels = ['user.orders.any.any.raw', 'user.trades.any.any.raw'];
    await stranger.get('private/subscribe', {
      channels: [...channels, 'user.changes.any.any.raw'],
    });
    await subscribe(...channels, `user.orders.${BTC}.100ms`, 'user.orders.option.BTC.raw');
    const { order } = await client.get('private/buy', await aBuy({ label: 'told' }));
    await client.get('private/cancel', { orderId: order.orderId });
    const orders = await client.heard('user.orders.any.any.raw', (data) => data.length >= 2);
    expect(orders.map(({ orderState }) => orderState)).toEqual(['open', 'cancelled']);
    expect(orders[0]).toEqual(order);
    const gathered = await client.heard(`user.orders.${BTC}.100ms`, (data) => data.length > 0);
    expect(gathered.flat().at(-1)).toMatchObject({ orderId: order.orderId });

    const { trades } = await client.get('private/buy', await aBuy({ type: 'market' }));
    const subscriber = await client.heard(
      'user.trades.any.any.raw',
      (data) => data.flat().length > 0,
    );
    expect(subscriber.flat()).toEqual(trades);
    await stranger.get('public/get_time');
    expect(stranger.frames.filter(({ method }) => method === 'subscription')).toEqual([]);
    expect(client.told('user.orders.option.BTC.raw')).toEqual([]);
    const named = client.frames.find(({ params }) => params?.channel === 'user.trades.any.any.raw');
    expect(named.params.accountId).toBe('10001');
  });

  it('an account receives the trade of a combo on the channels that name combos, and its legs on the others', async () => {
    await start();
    const { venue } = stage;
    const futures = venue
      .instruments()
      .filter(({ kind, base }) => kind === 'future' && base === 'BTC');
    const far = must(futures.at(-1), 'a future').name;
    const trades = [
      { instrumentName: far, quantity: '10', side: 'buy' },
      { instrumentName: BTC, quantity: '10', side: 'sell' },
    ];
    const { id } = await client.get('private/create_combo', { trades });
    const combos = [
      'user.combo_trades.any.any.raw',
      `user.trades.${id}.raw`,
      'user.trades.combo.BTC.raw',
    ];
    const others = ['user.trades.any.any.raw', 'user.trades.future.BTC.raw'];
    await subscribe(...combos, ...others, 'user.combo_trades.option_combo.BTC.raw');
    const order = { instrumentName: id, quantity: '10', type: 'market' };
    const [trade] = (await client.get('private/buy', order)).trades;
    expect(trade.legs).toHaveLength(2);
    for (const channel of combos) {
      const told = await client.heard(channel, (data) => data.flat().length > 0);
      expect(told.flat(), channel).toEqual([trade]);
    }
    for (const channel of others) {
      const told = await client.heard(channel, (data) => data.flat().length > 1);
      expect(told.flat(), channel).toEqual(trade.legs);
    }
    expect(client.told('user.combo_trades.option_combo.BTC.raw')).toEqual([]);
  });

  it('an account receives combined changes', async () => {
    await start();
    const channel = `user.changes.${BTC}.raw`;
    await client.get('private/subscribe', { channels: [channel], label: 'mine' });
    const { order, trades } = await client.get('private/buy', await aBuy({ type: 'market' }));
    const changes = await client.heard(channel, (data) =>
      data.some((one) => one.trades.length === trades.length),
    );
    const change = changes.find((one) => one.trades.length === trades.length);
    expect(change).toMatchObject({ instrumentName: BTC, trades });
    expect(change.orders.at(-1)).toMatchObject({ orderId: order.orderId });
    expect(client.frames.find(({ params }) => params?.channel === channel).params.label).toBe(
      'mine',
    );
  });

  it('an account can reconnect after a broken connection and query what it missed', async () => {
    await start();
    await subscribe('user.orders.any.any.raw');
    const { order } = await client.get('private/buy', await aBuy({ label: 'missed' }));
    client.socket.terminate();
    await stage.post('private/cancel', { orderId: order.orderId });
    const again = await RidClient.connect(stage);
    await again.get('private/subscribe', { channels: ['user.orders.any.any.raw'] });
    expect(await again.get('private/get_open_orders')).toEqual([]);
    const state = await again.get('private/get_order_state', { orderId: order.orderId });
    expect(state.orderState).toBe('cancelled');
    const next = await again.get('private/buy', await aBuy({ label: 'next' }));
    const [noticed] = await again.heard('user.orders.any.any.raw', (data) => data.length > 0);
    expect(noticed).toEqual(next.order);
  });

  it('an account receives a gap notification when changes may have been missed', async () => {
    let notify: ((news: VenueNotice) => void) | undefined;
    stage = await RidStage.start({}, (desk) =>
      replacing(desk, {
        subscribe: (listener) => {
          notify = listener;
          return desk.subscribe(listener);
        },
      }),
    );
    client = await RidClient.connect(stage);
    const channel = 'user.orders.any.any.raw';
    await subscribe(channel, `ticker.${BTC}.raw`);
    // The engine begins to follow after the answer of the gateway.
    await until(() => notify !== undefined);
    notify?.({ kind: 'reconnected', accounts: [] });
    await until(() => client.frames.some(({ method }) => method === 'gap'));
    const gaps = client.frames.filter(({ method }) => method === 'gap');
    expect(gaps.map(({ params }) => params)).toEqual([{ channel, accountId: '10001' }]);
  });
});
