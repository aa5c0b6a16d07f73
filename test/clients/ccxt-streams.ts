// ccxt pro, unmodified, over the WebSocket of the real exchange: market data and the account's own channels. All its
// traffic passes the table of shapes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../adapters/until.ts';
import { type Ccxt, ccxtDeribit } from './ccxt-deribit.ts';
import { ClientStage, TRADER } from './client-stage.ts';
import { expectRan } from './ran.ts';

const PERPETUAL = 'BTC/USD:BTC';

let stage: ClientStage;
let ccxt: Ccxt;

beforeAll(async () => {
  stage = await ClientStage.start('cxpr');
  stage.front.client = 'ccxt pro';
  ccxt = await ccxtDeribit(stage.front.url, TRADER);
  await ccxt.loadMarkets();
});
afterAll(async () => {
  await ccxt?.close();
  await stage.close();
});

const buy = (amount: number) => ccxt.createOrder(PERPETUAL, 'market', 'buy', amount);

describe('market data', () => {
  test('tickers, quotes and candles arrive', async () => {
    const ticker = await ccxt.watchTicker(PERPETUAL);
    expect(ticker).toMatchObject({ symbol: PERPETUAL, bid: expect.any(Number) });
    expect(ticker.ask).toBeGreaterThan(ticker.bid);
    const quotes = await ccxt.watchBidsAsks([PERPETUAL]);
    expect(quotes[PERPETUAL].ask).toBeGreaterThan(quotes[PERPETUAL].bid);
    const candles = await ccxt.watchOHLCV(PERPETUAL, '1m');
    expect(candles.length).toBeGreaterThan(0);
  });

  test('a book follows its deltas and stays sorted and uncrossed', async () => {
    for (let update = 0; update < 4; update += 1) {
      const { bids, asks } = await ccxt.watchOrderBook(PERPETUAL);
      expect(bids.length).toBeGreaterThan(0);
      expect(bids[0][0]).toBeLessThan(asks[0][0]);
    }
    const kinds = stage.front.frames
      .filter(({ text }) => text.includes('"channel":"book.BTC-PERPETUAL.100ms"'))
      .map(({ text }) => JSON.parse(text).params.data.type);
    expect(kinds[0]).toBe('snapshot');
    expect(new Set(kinds.slice(1))).toEqual(new Set(['change']));
  });

  test('the grouped book has plain levels', async () => {
    const options = { useDepthEndpoint: true, depth: '20', group: 'none' };
    await ccxt.watchOrderBook(PERPETUAL, undefined, options);
    const frame = stage.front.frames.find(({ text }) =>
      text.includes('book.BTC-PERPETUAL.none.20'),
    );
    expect(frame).toBeDefined();
  });

  test('public trades include a trade of ours', async () => {
    const coming = ccxt.watchTrades(PERPETUAL);
    const order = await buy(100);
    const trades = await coming;
    expect(trades.length).toBeGreaterThan(0);
    expect(order.status).toBe('closed');
  });
});

describe('the account', () => {
  test('an order, its trade and the new balance are all published', async () => {
    const orders: Ccxt[] = [];
    const trades: Ccxt[] = [];
    const follow = async (watch: () => Promise<Ccxt[]>, into: Ccxt[], enough: number) => {
      while (into.length < enough) into.push(...(await watch()));
    };
    const following = [
      follow(() => ccxt.watchOrders(PERPETUAL), orders, 1),
      follow(() => ccxt.watchMyTrades(PERPETUAL), trades, 1),
    ];
    const balance = ccxt.watchBalance();
    const isSubscribed = (channel: string): boolean =>
      stage.front.frames.some(
        ({ from, text }) => from === 'exchange' && text.includes(`["${channel}`),
      );
    await until(() => isSubscribed('user.orders') && isSubscribed('user.trades'));
    const order = await buy(500);
    await Promise.all(following);
    expect(orders.at(-1)).toMatchObject({ id: order.id, symbol: PERPETUAL });
    expect(trades[0]).toMatchObject({ order: order.id, side: 'buy', symbol: PERPETUAL });
    // Each currency has a channel of its own, any of them first; ccxt puts a balance within the balance.
    let known = await balance;
    while (known.BTC === undefined) known = await ccxt.watchBalance();
    expect(known.BTC.BTC.total).toBeGreaterThan(99);
  });

  test('after a broken connection the next request of each kind works again', async () => {
    stage.front.breakConnections();
    await expect(ccxt.watchTicker(PERPETUAL)).rejects.toThrow(/./);
    const ticker = await ccxt.watchTicker(PERPETUAL);
    expect(ticker.symbol).toBe(PERPETUAL);
  });
});

test('everything that ccxt pro received has the documented shapes', () => {
  expect([...stage.front.check.faults]).toEqual([]);
  expectRan('ccxt pro', stage.front);
});
