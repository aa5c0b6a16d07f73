// The order methods over HTTP against a paper exchange.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { BTC, RidStage } from './rid-stage.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

const request = async (method: string, params: unknown = {}, by = undefined as never) => {
  const answer = await stage.post(method, params, by);
  expect(answer.error, method).toBeUndefined();
  return answer.result;
};

const resting = async (side: 'buy' | 'sell', more: Record<string, unknown> = {}) =>
  await request(`private/${side}`, {
    instrumentName: BTC,
    quantity: '1000',
    price: await stage.restingPrice(side),
    ...more,
  });

describe('an order', () => {
  it('an order is placed, found, edited and cancelled', async () => {
    const { order, trades } = await resting('buy', { label: 'life', postOnly: true });
    expect(trades).toEqual([]);
    expect(order).toMatchObject({
      instrumentName: BTC,
      side: 'buy',
      orderType: 'limit',
      orderState: 'open',
      quantity: '1000',
      contracts: '100',
      filledQuantity: '0',
      averagePrice: '0',
      timeInForce: 'good_til_cancelled',
      timeInforce: 'good_til_cancelled',
      postOnly: true,
      rejectPostOnly: false,
      label: 'life',
      replaced: false,
      mmp: false,
      api: true,
    });
    expect(order).not.toHaveProperty('reduceOnly');
    const { orderId } = order;

    const open = await request('private/get_open_orders_by_currency', { currency: 'BTC' });
    expect(open.map((one: { orderId: string }) => one.orderId)).toContain(orderId);
    expect(await request('private/get_order_state', { orderId })).toEqual(order);
    const labelled = { currency: 'BTC', label: 'life' };
    expect(await request('private/get_order_state_by_label', labelled)).toEqual([order]);

    const edited = await request('private/edit_by_label', {
      label: 'life',
      instrumentName: BTC,
      quantity: '2000',
      price: order.price,
    });
    expect(edited.order).toMatchObject({ orderId, quantity: '2000', replaced: true });
    const again = await request('private/edit', { orderId, contracts: '50', price: order.price });
    expect(again.order).toMatchObject({ orderId, quantity: '500', contracts: '50' });

    expect(await request('private/cancel', { orderId })).toMatchObject({
      orderState: 'cancelled',
      cancelReason: 'user_request',
    });
    const foreign = await stage.post('private/cancel', { orderId, reason: 'settlement' });
    expect(foreign).toMatchObject({ status: 400, error: { code: -32602 } });
    const closed = await stage.post('private/cancel', { orderId });
    expect(closed).toMatchObject({
      status: 400,
      error: { code: 11044, message: 'not_open_order' },
    });
  });

  it('trades, and its trade is found by order, currency and instrument', async () => {
    const params = { instrumentName: BTC, quantity: '100', type: 'market', label: 'taking' };
    const { order, trades } = await request('private/buy', params);
    expect(order.filledQuantity).toBe('100');
    expect(order.averagePrice).toMatch(/^\d+(\.\d+)?$/);
    expect(trades.length).toBeGreaterThan(0);
    expect(trades[0]).toMatchObject({
      instrumentName: BTC,
      orderId: order.orderId,
      side: 'buy',
      liquidity: 'T',
      feeCurrency: 'BTC',
      matchingId: null,
      label: 'taking',
      api: true,
    });
    const byOrder = await request('private/get_user_trades_by_order', { orderId: order.orderId });
    expect(byOrder).toEqual(trades);
    const byCurrency = await request('private/get_user_trades_by_currency', { currency: 'BTC' });
    expect(byCurrency.trades).toEqual(expect.arrayContaining(trades));
    const byInstrument = await request('private/get_user_trades_by_instrument', {
      instrumentName: BTC,
    });
    expect(byInstrument.trades).toEqual(expect.arrayContaining(trades));
    const history = await request('private/get_order_history_by_currency', { currency: 'BTC' });
    expect(history.map((one: { orderId: string }) => one.orderId)).toContain(order.orderId);
  });

  it('an order may be sized in contracts, which must agree with the quantity if both are given', async () => {
    const price = await stage.restingPrice('buy');
    const one = await request('private/buy', { instrumentName: BTC, contracts: '7', price });
    expect(one.order).toMatchObject({ quantity: '70', contracts: '7' });
    const both = { instrumentName: BTC, quantity: '70', contracts: '8', price };
    expect((await stage.post('private/buy', both)).error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: {
        param: 'contracts',
        reason:
          'is 8, which is a quantity of 80, but quantity is 70; accepted: one of them, or both if they agree',
      },
    });
    const none = await stage.post('private/buy', { instrumentName: BTC, price });
    expect(none.error?.data?.param).toBe('quantity');
    await request('private/cancel_all', {});
  });

  it('an order accepts both spellings of the time in force, and keeps every digit of JSON numbers', async () => {
    const price = await stage.restingPrice('buy');
    const raw = `{"instrumentName":"${BTC}","quantity":100,"price":${price}.50000000000000000,"timeInforce":"good_til_day"}`;
    const answer = await stage.raw('private/buy', raw);
    expect(answer.result.order).toMatchObject({
      price: `${price}.5`,
      timeInForce: 'good_til_day',
      timeInforce: 'good_til_day',
    });
    const two = { instrumentName: BTC, quantity: '100', price };
    const torn = { ...two, timeInForce: 'fill_or_kill', timeInforce: 'good_til_day' };
    expect((await stage.post('private/buy', torn)).error?.data?.param).toBe('timeInforce');
    await request('private/cancel_all', {});
  });
});

describe('many orders', () => {
  it('many orders are cancelled by label, instrument and currency, and counted', async () => {
    for (const label of ['a', 'a', 'b', 'c']) await resting('sell', { label });
    expect(await request('private/cancel_by_label', { label: 'nobody' })).toBe(0);
    expect(await request('private/cancel_by_label', { label: 'a' })).toBe(2);
    const byKind = { currency: 'BTC', kind: 'option' };
    expect(await request('private/cancel_all_by_currency', byKind)).toBe(0);
    expect(await request('private/cancel_all_by_instrument', { instrumentName: BTC })).toBe(2);
    await resting('sell');
    expect(
      await request('private/cancel_all_by_currency', { currency: 'BTC', kind: 'future' }),
    ).toBe(1);
  });

  it('a long list of orders is paged through with a continuation', async () => {
    for (let n = 0; n < 5; n += 1) await resting('sell', { label: `page-${n}` });
    await request('private/cancel_all', {});
    const params = { currency: 'BTC', includeUnfilled: true };
    const whole = await request('private/get_order_history_by_currency', {
      ...params,
      count: 1_000,
    });
    expect(whole.length).toBeGreaterThanOrEqual(5);
    const paged: unknown[] = [];
    for (let continuation: string | undefined, page = 0; page < 100; page += 1) {
      const asked = { ...params, count: 2, withContinuation: true, continuation };
      const answer = await request('private/get_order_history_by_currency', asked);
      expect(answer.orders.length).toBeLessThanOrEqual(2);
      paged.push(...answer.orders);
      continuation = answer.continuation;
      if (continuation === undefined) break;
    }
    expect(paged).toEqual(whole);
    const torn = { ...params, continuation: 'nonsense' };
    const refused = await stage.post('private/get_order_history_by_currency', torn);
    expect(refused.error?.data?.param).toBe('continuation');
  });
});

describe('the envelope', () => {
  it('the envelope echoes the rid digit for digit', async () => {
    for (const rid of ['7', '-1', '9007199254740993123', '"text"', 'null']) {
      const { gateway } = stage;
      const response = await fetch(`${gateway.url}/api/public/test`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"rid":${rid},"params":{}}`,
      });
      expect(await response.text()).toContain(`{"rid":${rid},"result":`);
    }
  });

  it('the envelope refuses malformed requests', async () => {
    const { gateway } = stage;
    const cases: [raw: string, code: number, param: string][] = [
      ['{', -32700, ''],
      ['[]', 11050, ''],
      ['{"rid":1.5}', 11050, 'rid'],
      ['{"rid":{}}', 11050, 'rid'],
      ['{"rid":1,"parms":{}}', 11050, 'parms'],
      ['{"rid":1,"method":"private/sell"}', 11050, 'method'],
      ['{"rid":1,"params":[]}', -32602, ''],
      ['{"rid":1,"params":{"nonsense":1}}', -32602, 'nonsense'],
    ];
    for (const [raw, code, param] of cases) {
      const { status, json } = await gateway.request('/api/public/test', { raw, by: null });
      expect({ status, error: json.error }, raw).toMatchObject({
        status: 400,
        error: { code, data: { param } },
      });
    }
    const large = JSON.stringify({ clientName: 'x'.repeat(40_000), clientVersion: '1' });
    expect((await stage.raw('public/hello', large)).error).toMatchObject({
      code: -32600,
      message: 'request entity too large',
    });
  });

  it('the envelope refuses unknown methods', async () => {
    const answer = await stage.post('private/withdraw', {});
    expect(answer).toMatchObject({ status: 404, error: { code: -32601 } });
    const framed = await stage.post('private/withdraw', { rid: 12, params: {} });
    expect(framed).toMatchObject({ status: 404, rid: 12, error: { code: -32601 } });
    const onlySocket = await stage.post('public/set_heartbeat', { interval: 30 });
    expect(onlySocket).toMatchObject({ status: 400, error: { code: 10030 } });
  });
});

describe('authorization', () => {
  it('authorization refuses a dummy account, which has no exchange behind it', async () => {
    const { status, error } = await stage.post('private/get_open_orders', { accountId: 20001 });
    expect([status, error?.data?.param]).toEqual([400, 'accountId']);
    expect(error?.data?.reason).toContain('no exchange behind it');
  });
});

describe('every private method', () => {
  it('every private method accepts an own account', async () => {
    for (const { name, needs, example, isWebSocketOnly } of nonEmpty(METHODS.values())) {
      if (needs === 'nothing' || isWebSocketOnly) continue;
      const own = await stage.post(name, { ...example, accountId: 10001 });
      expect(own.error?.code, `${name} ${JSON.stringify(own.error)}`).not.toBe(-32602);
    }
    await request('private/cancel_all', {});
  });
});

describe('the market', () => {
  it('the market methods need no key', async () => {
    const instruments = (
      await stage.post('public/get_instruments', { currency: 'BTC', kind: 'option' }, null)
    ).result;
    expect(instruments.length).toBeGreaterThan(10);
    const [option] = instruments;
    expect(option).toMatchObject({ kind: 'option', marginKind: 'reversed', isActive: true });
    expect(['CALL', 'PUT']).toContain(option.optionKind);
    const { instrumentName } = option;
    expect((await stage.post('public/get_instrument', { instrumentName }, null)).result).toEqual(
      option,
    );
    const perpetual = (await stage.post('public/get_instrument', { instrumentName: BTC }, null))
      .result;
    expect(perpetual).toMatchObject({
      kind: 'future',
      settlementPeriod: 'perpetual',
      optionKind: null,
      strike: null,
      expiration: null,
    });
  });

  it('the market methods show books, tickers and indexes', async () => {
    const depth = { instrumentName: BTC, depth: 7 };
    const book = (await stage.post('public/get_order_book', depth, null)).result;
    expect(book.bids.length).toBeGreaterThan(1);
    expect(book.bids.length).toBeLessThanOrEqual(10);
    expect(book.bids[0]).toEqual([book.bestBidPrice, book.bestBidAmount]);
    expect(Number(book.bestBidPrice)).toBeLessThan(Number(book.bestAskPrice));
    const index = (await stage.post('public/get_index_price', { indexName: 'btc_usd' }, null))
      .result;
    expect(Number(index.indexPrice)).toBeGreaterThan(0);
    const wrong = await stage.post('public/get_index_price', { indexName: 'x' }, null);
    expect(wrong.error?.data).toMatchObject({ param: 'indexName' });
    const nowhere = await stage.post('public/ticker', { instrumentName: 'NOWHERE' }, null);
    expect(nowhere.error).toMatchObject({ code: -32602, data: { param: 'instrumentName' } });
  });
});
