// Orders of every type through ccxt over HTTP: placed, read, edited, cancelled, filled, refused.
import { expect, test } from 'vitest';
import { type Ccxt, ccxtDeribit, ccxtErrors } from './ccxt-deribit.ts';
import { type CcxtTrader, PERPETUAL } from './ccxt-trader.ts';
import { KEYS, MORE_THAN_MARGIN } from './client-stage.ts';

const SPOT = 'BTC/USDC';
/** A step of the price of an option, however large the price is. */
const OPTION_TICK = 0.0005;

const idsOf = (orders: readonly Ccxt[]): string[] => orders.map(({ id }) => id).sort();

export function ccxtOrders(trader: CcxtTrader): void {
  test('an order is placed, read, edited and cancelled by its id', async () => {
    const price = await trader.near(0.98);
    const placed = await trader.place('limit', 'buy', 100, price, {
      postOnly: true,
      label: 'rest-1',
    });
    expect(placed).toMatchObject({
      status: 'open',
      side: 'buy',
      type: 'limit',
      price,
      amount: 100,
      filled: 0,
      remaining: 100,
      postOnly: true,
      timeInForce: 'GTC',
      symbol: PERPETUAL,
      info: { label: 'rest-1' },
    });
    const { id } = placed;
    expect(await trader.ccxt.fetchOrder(id)).toMatchObject({ id, status: 'open', price });
    const edited = await trader.ccxt.editOrder(id, PERPETUAL, 'limit', 'buy', 150, price - 10);
    expect(edited).toMatchObject({ id, amount: 150, price: price - 10, remaining: 150 });
    expect(idsOf(await trader.ccxt.fetchOpenOrders(PERPETUAL))).toEqual([id]);
    expect(idsOf(await trader.ccxt.fetchOpenOrders())).toEqual([id]);
    expect((await trader.ccxt.cancelOrder(id)).status).toBe('canceled');
    expect(await trader.ccxt.fetchOpenOrders(PERPETUAL)).toEqual([]);
    expect(await trader.ccxt.fetchOrder(id)).toMatchObject({ status: 'canceled', filled: 0 });
  });

  test('a market order fills at once, with its trades and its place in the history', async () => {
    const bought = await trader.place('market', 'buy', 1_000);
    expect(bought).toMatchObject({ status: 'closed', filled: 1_000, remaining: 0 });
    const trades: Ccxt[] = await trader.ccxt.fetchOrderTrades(bought.id);
    expect(trades.reduce((total, { amount }) => total + amount, 0)).toBe(1_000);
    for (const trade of trades) {
      expect(trade).toMatchObject({ order: bought.id, side: 'buy', takerOrMaker: 'taker' });
      expect(trade.fee.currency).toBe('BTC');
    }
    const mine = idsOf(await trader.ccxt.fetchMyTrades(PERPETUAL));
    expect(mine).toEqual(expect.arrayContaining(idsOf(trades)));
    expect(idsOf(await trader.ccxt.fetchClosedOrders(PERPETUAL))).toContain(bought.id);
    const sold = await trader.place('market', 'sell', 1_000, undefined, { reduceOnly: true });
    expect(sold).toMatchObject({ status: 'closed', filled: 1_000 });
    expect(sold.info.reduce_only).toBe(true);
  });

  test('stop, take-profit and trailing orders wait for their triggers', async () => {
    const now = await trader.mark();
    const at = (part: number): number => Math.round(now * part);
    const trigger = { trigger: 'mark_price' };
    const orders = [
      await trader.place('stop_limit', 'sell', 100, at(0.95), {
        ...trigger,
        stopLossPrice: at(0.96),
      }),
      await trader.place('take_limit', 'sell', 100, at(1.04), {
        ...trigger,
        takeProfitPrice: at(1.05),
      }),
      await trader.place('stop_market', 'sell', 100, undefined, {
        ...trigger,
        stopLossPrice: at(0.96),
      }),
      await trader.place('take_market', 'buy', 100, undefined, {
        ...trigger,
        takeProfitPrice: at(0.95),
      }),
      await trader.place('market', 'sell', 100, undefined, { ...trigger, trailingAmount: 1_000 }),
    ];
    const raw = orders.map(({ info }) => [info.order_type, info.order_state]);
    expect(raw).toEqual([
      ['stop_limit', 'untriggered'],
      ['take_limit', 'untriggered'],
      ['stop_market', 'untriggered'],
      ['take_market', 'untriggered'],
      ['trailing_stop', 'untriggered'],
    ]);
    expect(orders.map(({ info }) => info.trigger_price)).toEqual([
      at(0.96),
      at(1.05),
      at(0.96),
      at(0.95),
      expect.any(Number),
    ]);
    await trader.ccxt.cancelAllOrders(PERPETUAL);
    expect(await trader.ccxt.fetchOpenOrders(PERPETUAL)).toEqual([]);
  });

  test('an order that may not rest takes what is there, and one that must fill whole takes nothing of less', async () => {
    const errors = await ccxtErrors();
    const beyond = await trader.near(1.01);
    const taken = await trader.place('limit', 'buy', 200, beyond, { timeInForce: 'IOC' });
    expect(taken).toMatchObject({ status: 'closed', filled: 200, timeInForce: 'IOC' });
    expect(taken.average).toBeLessThanOrEqual(beyond);
    const below = await trader.near(0.98);
    const missed = await trader.place('limit', 'buy', 200, below, { timeInForce: 'IOC' });
    expect(missed).toMatchObject({ status: 'canceled', filled: 0 });
    const whole = await trader.place('limit', 'sell', 200, await trader.near(0.99), {
      timeInForce: 'FOK',
      reduceOnly: true,
    });
    expect(whole).toMatchObject({ status: 'closed', filled: 200, timeInForce: 'FOK' });
    const nothing = await trader.place('limit', 'buy', 200, below, { timeInForce: 'FOK' }).then(
      ({ status, filled }) => ({ status, filled }),
      (error: Error) => error instanceof (errors['ExchangeError'] as new () => Error),
    );
    expect([{ status: 'canceled', filled: 0 }, true]).toContainEqual(nothing);
    const crossing = trader.place('limit', 'buy', 200, beyond, { postOnly: true });
    await expect(crossing).rejects.toThrow(errors['InvalidOrder']);
    expect(await trader.ccxt.fetchPositions()).toEqual([]);
  });

  test('a reduce-only order without a position is refused, and one that is too large is cut to it', async () => {
    const errors = await ccxtErrors();
    const lone = trader.place('market', 'sell', 500, undefined, { reduceOnly: true });
    await expect(lone).rejects.toThrow(errors['ExchangeError']);
    await trader.place('market', 'buy', 300);
    const reducing = await trader.place('market', 'sell', 500, undefined, { reduceOnly: true });
    expect(reducing.filled).toBe(300);
    expect(await trader.ccxt.fetchPositions()).toEqual([]);
  });

  test('options and spot trade like everything else', async () => {
    const symbol = await trader.optionNearTheMoney();
    const { info } = await trader.ccxt.fetchTicker(symbol);
    // Halfway between the mark and the end of the band, both of which may move before the order arrives.
    const half = (Number(info.min_price) + Number(info.mark_price)) / 2;
    const low = Math.max(Math.round(half / OPTION_TICK) * OPTION_TICK, OPTION_TICK);
    const option = await trader.ccxt.createOrder(symbol, 'limit', 'buy', 1, low);
    expect(option).toMatchObject({ status: 'open', symbol });
    const spotPrice = Math.round((await trader.mark(SPOT)) * 0.99);
    const spot = await trader.ccxt.createOrder(SPOT, 'limit', 'buy', 0.01, spotPrice);
    expect(spot).toMatchObject({ status: 'open', symbol: SPOT, amount: 0.01 });
    await trader.ccxt.cancelAllOrders();
    for (const id of [option.id, spot.id]) {
      expect((await trader.ccxt.fetchOrder(id)).status).toBe('canceled');
    }
  });

  test('orders are found, edited and cancelled by their label', async () => {
    const price = await trader.near(0.97);
    const placed = await trader.place('limit', 'buy', 100, price, { label: 'by-label' });
    const of = { currency: 'BTC', label: 'by-label' };
    const { ccxt } = trader;
    const found = await ccxt.privateGetGetOrderStateByLabel(of);
    expect(found.result.map((order: Ccxt) => order.order_id)).toEqual([placed.id]);
    const open = await ccxt.privateGetGetOpenOrdersByLabel(of);
    expect(open.result).toHaveLength(1);
    const edit = { instrument_name: 'BTC-PERPETUAL', label: 'by-label', amount: 200, price };
    expect((await ccxt.privateGetEditByLabel(edit)).result.order).toMatchObject({
      order_id: placed.id,
      replaced: true,
    });
    expect(Number((await ccxt.privateGetCancelByLabel(of)).result)).toBe(1);
    expect(Number((await ccxt.privateGetCancelByLabel(of)).result)).toBe(0);
  });
}

export function ccxtRefusals(trader: CcxtTrader): void {
  test.each([
    ['a price off the tick', 'InvalidOrder', { price: '60000.3' }],
    ['an amount that is no multiple', 'BadRequest', { amount: '15' }],
    ['an unknown instrument', 'BadRequest', { instrument_name: 'BTC-NONE' }],
    // The daemon's own control comes first, and has a code of its own.
    ['an order worth more than the daemon allows', 'ExchangeError', { amount: '900000000' }],
  ])('%s is an error of the class %s', async (_what, errorName, changed) => {
    const errors = await ccxtErrors();
    const price = String(await trader.near(0.98));
    const order = { instrument_name: 'BTC-PERPETUAL', amount: '100', type: 'limit', price };
    await expect(trader.ccxt.privateGetBuy({ ...order, ...changed })).rejects.toThrow(
      errors[errorName],
    );
  });

  test('a price above the band of the exchange is an InvalidOrder', async () => {
    const errors = await ccxtErrors();
    const high = trader.place('limit', 'buy', 100, await trader.near(1.05));
    await expect(high).rejects.toThrow(errors['InvalidOrder']);
  });

  test('more than the account can carry is an InsufficientFunds', async () => {
    const errors = await ccxtErrors();
    const price = Math.round((await trader.mark('ETH/USD:ETH')) * 0.97);
    const order = trader.ccxt.createOrder('ETH/USD:ETH', 'limit', 'buy', MORE_THAN_MARGIN, price);
    await expect(order).rejects.toThrow(errors['InsufficientFunds']);
    expect(await trader.ccxt.fetchOpenOrders()).toEqual([]);
  });

  test('an unknown order is an OrderNotFound', async () => {
    const errors = await ccxtErrors();
    const unknown = '999999999999';
    await expect(trader.ccxt.cancelOrder(unknown)).rejects.toThrow(errors['OrderNotFound']);
    await expect(trader.ccxt.fetchOrder(unknown)).rejects.toThrow(errors['OrderNotFound']);
  });

  test('a wrong secret and an unknown key are the same AuthenticationError', async () => {
    const errors = await ccxtErrors();
    for (const key of [
      { ...KEYS.ccxt, secret: 'wrong' },
      { ...KEYS.ccxt, id: 'nobody' },
    ]) {
      const other = await ccxtDeribit(trader.stage.front.url, key);
      await expect(other.fetchBalance()).rejects.toThrow(errors['AuthenticationError']);
    }
  });
}
