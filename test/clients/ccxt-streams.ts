// ccxt pro, unmodified, over WebSocket: market data and the account's own channels. All its traffic passes the table of shapes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../adapters/until.ts';
import type { Ccxt } from './ccxt-deribit.ts';
import { CcxtTrader, PERPETUAL } from './ccxt-trader.ts';
import { type ClientStage, KEYS, STARTING } from './client-stage.ts';
import { amountOf, coinsOf, inverseFees } from './hand-computed.ts';
import { expectRan } from './ran.ts';

/** What is computed here with floats agrees with the exchange's exact numbers up to this. */
const COIN_TOLERANCE = 5e-8;

export function ccxtStreams(stage: ClientStage): void {
  const trader = new CcxtTrader(stage, KEYS.ccxtStreams);
  beforeAll(async () => {
    stage.front.begin('ccxt pro');
    await trader.connect();
  });
  afterAll(() => trader.close());

  describe('market data', () => marketData(trader));
  describe('the account', () => account(trader));

  test('everything that ccxt pro received has the documented shapes', () => {
    expect([...stage.front.check.faults]).toEqual([]);
    expectRan('ccxt pro', stage.front);
  });
}

/** Watches until enough has come. */
async function follow(
  watch: () => Promise<Ccxt[]>,
  isEnough: (seen: readonly Ccxt[]) => boolean,
): Promise<Ccxt[]> {
  const seen: Ccxt[] = [];
  while (!isEnough(seen)) seen.push(...(await watch()).map((one) => ({ ...one })));
  return seen;
}

function marketData(trader: CcxtTrader): void {
  test('tickers, quotes and candles arrive', async () => {
    const ticker = await trader.ccxt.watchTicker(PERPETUAL);
    expect(ticker).toMatchObject({ symbol: PERPETUAL, bid: expect.any(Number) });
    expect(ticker.ask).toBeGreaterThan(ticker.bid);
    const quotes = await trader.ccxt.watchBidsAsks([PERPETUAL]);
    expect(quotes[PERPETUAL].ask).toBeGreaterThan(quotes[PERPETUAL].bid);
    const candles = await trader.ccxt.watchOHLCV(PERPETUAL, '1m');
    expect(candles.length).toBeGreaterThan(0);
  });

  test('a book follows its deltas and stays sorted and uncrossed', async () => {
    for (let update = 0; update < 4; update += 1) {
      const { bids, asks } = await trader.ccxt.watchOrderBook(PERPETUAL);
      expect(bids.length).toBeGreaterThan(0);
      expect(bids[0][0]).toBeLessThan(asks[0][0]);
    }
    const kinds = trader.stage.front.frames
      .filter(({ text }) => text.includes('"channel":"book.BTC-PERPETUAL.100ms"'))
      .map(({ text }) => JSON.parse(text).params.data.type);
    expect(kinds[0]).toBe('snapshot');
    expect(new Set(kinds.slice(1))).toEqual(new Set(['change']));
  });

  test('the grouped book has plain levels', async () => {
    const options = { useDepthEndpoint: true, depth: '20', group: 'none' };
    await trader.ccxt.watchOrderBook(PERPETUAL, undefined, options);
    const frame = trader.stage.front.frames.find(({ text }) =>
      text.includes('book.BTC-PERPETUAL.none.20'),
    );
    expect(frame).toBeDefined();
  });

  test('public trades include a trade of ours', async () => {
    const coming = follow(
      () => trader.ccxt.watchTrades(PERPETUAL),
      (seen) => seen.some(({ amount, side }) => amount === 170 && side === 'buy'),
    );
    await until(() => trader.isSubscribed('trades.BTC-PERPETUAL'));
    const order = await trader.place('market', 'buy', 170);
    const [fill] = await trader.fills(order.id);
    const ours = (await coming).filter(({ amount }) => amount === 170);
    expect(ours.map(({ price }) => price)).toContain(fill?.price);
    await trader.place('market', 'sell', 170, undefined, { reduceOnly: true });
  });
}

function account(trader: CcxtTrader): void {
  test('an order is published as it is placed, edited and cancelled', async () => {
    const price = await trader.near(0.98);
    let id = '';
    const coming = follow(
      () => trader.ccxt.watchOrders(PERPETUAL),
      (seen) => seen.some((order) => order.id === id && order.status === 'canceled'),
    );
    await until(() => trader.isSubscribed('user.orders'));
    id = (await trader.place('limit', 'buy', 100, price)).id;
    await trader.ccxt.editOrder(id, PERPETUAL, 'limit', 'buy', 200, price - 10);
    await trader.ccxt.cancelOrder(id);
    const mine = (await coming).filter((order) => order.id === id);
    expect(mine.at(-1)).toMatchObject({ status: 'canceled', price: price - 10, amount: 200 });
    expect(mine.map(({ filled }) => filled).filter((filled) => filled !== 0)).toEqual([]);
  });

  test('trades are published, and the balance that they leave', async () => {
    const seen: Ccxt[] = [];
    const isWhole = (side: string): boolean =>
      amountOf(seen.filter((trade) => trade.side === side)) >= 500;
    const coming = follow(
      () => trader.ccxt.watchMyTrades(PERPETUAL),
      (trades) => {
        seen.splice(0, seen.length, ...new Map(trades.map((one) => [one.id, one])).values());
        return isWhole('buy') && isWhole('sell');
      },
    );
    await until(() => trader.isSubscribed('user.trades'));
    const bought = await trader.place('market', 'buy', 500);
    await trader.place('market', 'sell', 500, undefined, { reduceOnly: true });
    await coming;
    expect(seen.filter(({ order }) => order === bought.id).map(({ side }) => side)).toContain(
      'buy',
    );
    // Everything that the account ever traded; nothing is open.
    const all: Ccxt[] = await trader.ccxt.fetchMyTrades(PERPETUAL);
    const of = (side: string): Ccxt[] => all.filter((trade) => trade.side === side);
    expect(amountOf(of('buy'))).toBe(amountOf(of('sell')));
    const left = STARTING.BTC + coinsOf(of('buy')) - coinsOf(of('sell')) - inverseFees(all);
    // Each currency has a channel of its own, any of them first; ccxt puts a balance within the balance.
    let total = Number.NaN;
    while (!(Math.abs(total - left) < COIN_TOLERANCE)) {
      total = (await trader.ccxt.watchBalance()).BTC?.BTC.total ?? Number.NaN;
    }
    expect(total).toBeLessThan(STARTING.BTC);
  });

  test('after a broken connection the next request of each kind works again', async () => {
    trader.stage.front.breakConnections();
    await expect(trader.ccxt.watchTicker(PERPETUAL)).rejects.toThrow(/./);
    const ticker = await trader.ccxt.watchTicker(PERPETUAL);
    expect(ticker.symbol).toBe(PERPETUAL);
  });
}
