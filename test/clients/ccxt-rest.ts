// ccxt, unmodified, against the real exchange over HTTP: every method that it offers for Deribit and the exchange has.
// All its traffic passes the table of shapes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ccxt, ccxtDeribit, ccxtErrors } from './ccxt-deribit.ts';
import { ClientStage, TRADER } from './client-stage.ts';
import { expectRan } from './ran.ts';

const PERPETUAL = 'BTC/USD:BTC';
const LINEAR = 'BTC/USDC:USDC';
const SPOT = 'BTC/USDC';
const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** A step of the price of an option, however large the price is. */
const OPTION_TICK = 0.0005;

let stage: ClientStage;
let ccxt: Ccxt;

beforeAll(async () => {
  stage = await ClientStage.start('ccxt');
  stage.front.client = 'ccxt REST';
  ccxt = await ccxtDeribit(stage.front.url, TRADER);
  await ccxt.loadMarkets();
});
afterAll(async () => {
  await ccxt?.close();
  await stage.close();
});

/** A call with a week to live at least: on any day it is worth much more than the least that may be bid for it. */
const optionNearTheMoney = async (): Promise<string> => {
  const price = await mark();
  const away = ({ strike }: Ccxt): number => Math.abs(strike - price);
  const [nearest] = Object.values<Ccxt>(ccxt.markets)
    .filter(({ symbol }) => /^BTC\/USD:BTC-\d+-\d+-C$/.test(symbol))
    .filter(({ expiry }) => expiry > Date.now() + WEEK_MS)
    .sort((a, b) => away(a) - away(b) || a.expiry - b.expiry);
  return nearest.symbol;
};
const mark = async (symbol = PERPETUAL): Promise<number> =>
  (await ccxt.fetchTicker(symbol)).markPrice;
const place = (type: string, side: string, amount: number, price?: number, params = {}) =>
  ccxt.createOrder(PERPETUAL, type, side, amount, price, params);

describe('the market', () => {
  test('markets have the kinds, precisions, minimums and fees of the instruments', async () => {
    const listed: { instrumentName: string }[] = await stage.own('public/get_instruments', {
      currency: 'any',
    });
    const ids = Object.values<Ccxt>(ccxt.markets).map((market) => market.id);
    expect(ids.sort()).toEqual(listed.map((one) => one.instrumentName).sort());
    expect(ccxt.market(PERPETUAL)).toMatchObject({
      ...{ id: 'BTC-PERPETUAL', type: 'swap', active: true, linear: false, inverse: true },
      ...{ base: 'BTC', quote: 'USD', settle: 'BTC', contractSize: 10 },
      ...{ maker: expect.any(Number), taker: expect.any(Number) },
      precision: { price: 0.5, amount: 10 },
      limits: { amount: { min: 10 } },
    });
    expect(ccxt.market(LINEAR)).toMatchObject({ type: 'swap', linear: true, inverse: false });
    expect(ccxt.market(SPOT)).toMatchObject({ type: 'spot', contract: false });
    expect(ccxt.market(await optionNearTheMoney())).toMatchObject({
      ...{ type: 'option', optionType: 'call', strike: expect.any(Number) },
      expiry: expect.any(Number),
    });
    expect(Object.values<Ccxt>(ccxt.markets).some((market) => market.type === 'future')).toBe(true);
  });

  test('a ticker has both sides of the book, its last price and the index', async () => {
    const ticker = await ccxt.fetchTicker(PERPETUAL);
    expect(ticker.bid).toBeGreaterThan(0);
    expect(ticker.ask).toBeGreaterThan(ticker.bid);
    expect(ticker.indexPrice).toBeGreaterThan(0);
    expect(Math.abs(ticker.markPrice / ticker.indexPrice - 1)).toBeLessThan(0.05);
    const all = await ccxt.fetchTickers(undefined, { code: 'BTC' });
    expect(all[PERPETUAL].symbol).toBe(PERPETUAL);
    expect((await ccxt.fetchTicker(SPOT)).bid).toBeGreaterThan(0);
  });

  test('a book is sorted, and not deeper than requested', async () => {
    const book = await ccxt.fetchOrderBook(PERPETUAL, 5);
    const prices = (side: number[][]): number[] => side.map(([price]) => Number(price));
    expect(book.bids.length).toBeGreaterThan(0);
    expect(book.bids.length).toBeLessThanOrEqual(5);
    expect(prices(book.bids)).toEqual(prices(book.bids).sort((a, b) => b - a));
    expect(prices(book.asks)).toEqual(prices(book.asks).sort((a, b) => a - b));
    expect(book.nonce).toEqual(expect.any(Number));
  });

  test('public trades and candles come from the same market', async () => {
    const trades = await ccxt.fetchTrades(PERPETUAL, undefined, 50);
    for (const { price, amount, side, timestamp } of trades) {
      expect([price > 0, amount > 0, timestamp > 0]).toEqual([true, true, true]);
      expect(['buy', 'sell']).toContain(side);
    }
    const since = Date.now() - HOUR_MS;
    const candles: number[][] = await ccxt.fetchOHLCV(PERPETUAL, '1m', since, 30);
    expect(candles.length).toBeGreaterThan(0);
    for (const [, open = 0, high = 0, low = 0, close = 0] of candles) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
    }
  });

  test('funding, open interest and volatility have numbers', async () => {
    expect((await ccxt.fetchFundingRate(PERPETUAL)).fundingRate).toEqual(expect.any(Number));
    const history = await ccxt.fetchFundingRateHistory(PERPETUAL, Date.now() - 12 * HOUR_MS);
    for (const { fundingRate } of history) expect(fundingRate).toEqual(expect.any(Number));
    const interest = await ccxt.fetchOpenInterest(PERPETUAL);
    expect(interest.openInterestAmount ?? interest.openInterestValue).toEqual(expect.any(Number));
    expect(await ccxt.fetchVolatilityHistory('BTC')).toEqual(expect.any(Array));
  });

  test('an option has greeks, implied volatilities and a place in the chain', async () => {
    const symbol = await optionNearTheMoney();
    const greeks = await ccxt.fetchGreeks(symbol);
    expect(greeks).toMatchObject({
      ...{ delta: expect.any(Number), gamma: expect.any(Number), theta: expect.any(Number) },
      ...{ vega: expect.any(Number), rho: expect.any(Number) },
      ...{ markImpliedVolatility: expect.any(Number), underlyingPrice: expect.any(Number) },
    });
    const chain = await ccxt.fetchOptionChain('BTC');
    const listed = ccxt.symbols.filter((one: string) => /^BTC\/USD:BTC-\d+-\d+-[CP]$/.test(one));
    expect(Object.keys(chain).sort()).toEqual(listed.sort());
    expect((await ccxt.fetchOption(symbol)).symbol).toBe(symbol);
  });

  test('time, status and currencies are answered', async () => {
    expect(Math.abs((await ccxt.fetchTime()) - Date.now())).toBeLessThan(60_000);
    expect((await ccxt.fetchStatus()).status).toBe('ok');
    expect(Object.keys(await ccxt.fetchCurrencies())).toEqual(
      expect.arrayContaining(['BTC', 'ETH', 'USDC']),
    );
  });
});

describe('orders', () => {
  test('an order is placed, read, edited and cancelled by its id', async () => {
    const price = Math.round((await mark()) * 0.98);
    const placed = await place('limit', 'buy', 100, price, { postOnly: true, label: 'rest-1' });
    expect(placed).toMatchObject({
      ...{ status: 'open', side: 'buy', type: 'limit', price, amount: 100, filled: 0 },
      ...{ remaining: 100, postOnly: true, timeInForce: 'GTC', symbol: PERPETUAL },
      info: { label: 'rest-1' },
    });
    expect(await ccxt.fetchOrder(placed.id)).toMatchObject({ id: placed.id, status: 'open' });
    const edited = await ccxt.editOrder(placed.id, PERPETUAL, 'limit', 'buy', 150, price - 10);
    expect(edited).toMatchObject({ id: placed.id, amount: 150, price: price - 10 });
    const open = await ccxt.fetchOpenOrders(PERPETUAL);
    expect(open.map((order: Ccxt) => order.id)).toEqual([placed.id]);
    const everywhere = await ccxt.fetchOpenOrders();
    expect(everywhere.map((order: Ccxt) => order.id)).toEqual([placed.id]);
    expect((await ccxt.cancelOrder(placed.id)).status).toBe('canceled');
    expect(await ccxt.fetchOpenOrders(PERPETUAL)).toEqual([]);
  });

  test('a market order fills at once, with its trades, position and history', async () => {
    const bought = await place('market', 'buy', 1_000);
    expect(bought).toMatchObject({ status: 'closed', filled: 1_000, remaining: 0 });
    expect(bought.average).toBeGreaterThan(0);
    const trades = await ccxt.fetchOrderTrades(bought.id);
    const sum = trades.reduce((total: number, trade: Ccxt) => total + trade.amount, 0);
    expect(sum).toBe(1_000);
    for (const trade of trades) {
      expect(trade).toMatchObject({ order: bought.id, side: 'buy', takerOrMaker: 'taker' });
      expect(trade.fee.currency).toBe('BTC');
    }
    const mine = (await ccxt.fetchMyTrades(PERPETUAL)).map((trade: Ccxt) => trade.id);
    expect(mine).toEqual(expect.arrayContaining(trades.map((trade: Ccxt) => trade.id)));
    const closed = await ccxt.fetchClosedOrders(PERPETUAL);
    expect(closed.map((order: Ccxt) => order.id)).toContain(bought.id);
    const position = await ccxt.fetchPosition(PERPETUAL);
    expect(position).toMatchObject({ side: 'long', contracts: expect.any(Number) });
    expect(position.entryPrice).toBeGreaterThan(0);
    const positions = await ccxt.fetchPositions();
    expect(positions.map((one: Ccxt) => one.symbol)).toEqual([PERPETUAL]);
    const sold = await place('market', 'sell', 1_000, undefined, { reduceOnly: true });
    expect(sold.status).toBe('closed');
  });

  test('stop, take-profit and trailing orders wait for their triggers', async () => {
    const now = await mark();
    const trigger = { trigger: 'mark_price' };
    const orders = [
      await place('stop_limit', 'sell', 100, Math.round(now * 0.95), {
        ...{ ...trigger, stopLossPrice: Math.round(now * 0.96) },
      }),
      await place('take_limit', 'sell', 100, Math.round(now * 1.04), {
        ...{ ...trigger, takeProfitPrice: Math.round(now * 1.05) },
      }),
      await place('stop_market', 'sell', 100, undefined, {
        ...{ ...trigger, stopLossPrice: Math.round(now * 0.96) },
      }),
      await place('market', 'sell', 100, undefined, { ...trigger, trailingAmount: 1_000 }),
    ];
    const raw = orders.map(({ info }) => [info.order_type, info.order_state]);
    expect(raw).toEqual([
      ['stop_limit', 'untriggered'],
      ['take_limit', 'untriggered'],
      ['stop_market', 'untriggered'],
      ['trailing_stop', 'untriggered'],
    ]);
    await ccxt.cancelAllOrders(PERPETUAL);
    expect(await ccxt.fetchOpenOrders(PERPETUAL)).toEqual([]);
  });

  test('options and spot trade like everything else', async () => {
    const symbol = await optionNearTheMoney();
    const { info } = await ccxt.fetchTicker(symbol);
    // Halfway between the mark and the end of the band, both of which may move before the order arrives.
    const half = (Number(info.min_price) + Number(info.mark_price)) / 2;
    const low = Math.max(Math.round(half / OPTION_TICK) * OPTION_TICK, OPTION_TICK);
    const option = await ccxt.createOrder(symbol, 'limit', 'buy', 1, low);
    expect(option).toMatchObject({ status: 'open', symbol });
    const spotPrice = Math.round((await mark(SPOT)) * 0.99);
    const spot = await ccxt.createOrder(SPOT, 'limit', 'buy', 0.01, spotPrice);
    expect(spot).toMatchObject({ status: 'open', symbol: SPOT, amount: 0.01 });
    await ccxt.cancelAllOrders();
    for (const id of [option.id, spot.id]) {
      expect((await ccxt.fetchOrder(id)).status).toBe('canceled');
    }
    const filled = await ccxt.createOrder(SPOT, 'market', 'buy', 0.01);
    expect(filled).toMatchObject({ status: 'closed', filled: 0.01 });
  });

  test('orders are found, edited and cancelled by their label', async () => {
    const price = Math.round((await mark()) * 0.97);
    const placed = await place('limit', 'buy', 100, price, { label: 'by-label' });
    const of = { currency: 'BTC', label: 'by-label' };
    const found = await ccxt.privateGetGetOrderStateByLabel(of);
    expect(found.result.map((order: Ccxt) => order.order_id)).toEqual([placed.id]);
    const open = await ccxt.privateGetGetOpenOrdersByLabel(of);
    expect(open.result).toHaveLength(1);
    const edit = { instrument_name: 'BTC-PERPETUAL', label: 'by-label', amount: 200, price };
    expect((await ccxt.privateGetEditByLabel(edit)).result.order).toMatchObject({
      ...{ order_id: placed.id, replaced: true },
    });
    expect(Number((await ccxt.privateGetCancelByLabel(of)).result)).toBe(1);
    expect(Number((await ccxt.privateGetCancelByLabel(of)).result)).toBe(0);
  });
});

describe('the account', () => {
  test('balances, fees and accounts are answered', async () => {
    const balance = await ccxt.fetchBalance();
    expect(balance.BTC.total).toBeGreaterThan(99);
    expect(balance.BTC.free).toBeLessThanOrEqual(balance.BTC.total);
    expect(balance.ETH.total).toBe(1_000);
    expect((await ccxt.fetchBalance({ code: 'USDC' })).USDC.total).toBeGreaterThan(4_900_000);
    const fees = await ccxt.fetchTradingFees();
    expect(fees[PERPETUAL]).toMatchObject({ maker: expect.any(Number), taker: expect.any(Number) });
    const accounts = await ccxt.fetchAccounts();
    expect(accounts.length).toBeGreaterThan(0);
  });

  test('the wallet of a paper account has no movements', async () => {
    expect(await ccxt.fetchDeposits('BTC')).toEqual([]);
    expect(await ccxt.fetchWithdrawals('BTC')).toEqual([]);
    expect(await ccxt.fetchTransfers('BTC')).toEqual([]);
  });
});

describe('refusals', () => {
  test.each([
    ['a price off the tick', 'InvalidOrder', { price: '60000.3' }],
    ['an amount that is no multiple', 'BadRequest', { amount: '15' }],
    ['more than the account can carry', 'InsufficientFunds', { amount: '900000000' }],
    ['a price above the band', 'InvalidOrder', { price: '9000000' }],
    ['an unknown instrument', 'BadRequest', { instrument_name: 'BTC-NONE' }],
  ])('%s is an error of the class %s', async (_what, errorName, changed) => {
    const errors = await ccxtErrors();
    const price = String(Math.round((await mark()) * 0.98));
    const order = { instrument_name: 'BTC-PERPETUAL', amount: '100', type: 'limit', price };
    await expect(ccxt.privateGetBuy({ ...order, ...changed })).rejects.toThrow(errors[errorName]);
  });

  test('an unknown order is an OrderNotFound', async () => {
    const errors = await ccxtErrors();
    await expect(ccxt.cancelOrder('999999999999')).rejects.toThrow(errors['OrderNotFound']);
    await expect(ccxt.fetchOrder('999999999999')).rejects.toThrow(errors['OrderNotFound']);
  });

  test('a wrong secret and an unknown key are the same AuthenticationError', async () => {
    const errors = await ccxtErrors();
    for (const key of [
      { ...TRADER, secret: 'wrong' },
      { ...TRADER, id: 'nobody' },
    ]) {
      const other = await ccxtDeribit(stage.front.url, key);
      await expect(other.fetchBalance()).rejects.toThrow(errors['AuthenticationError']);
    }
  });
});

test('everything that ccxt received has the documented shapes', () => {
  expect([...stage.front.check.faults]).toEqual([]);
  expectRan('ccxt REST', stage.front);
});
