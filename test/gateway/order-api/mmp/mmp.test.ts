// Market-maker protection over HTTP and WebSocket: configuring, querying, resetting, notifications and
// permissions.
import { afterEach, describe, expect, it } from 'vitest';
import { BOUND, READER, SECOND_MAKER, STRANGER, TAKER } from '../../gateway-under-test.ts';
import { RidClient } from '../rid-client.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
const start = async (): Promise<void> => {
  stage = await RidStage.start();
};
afterEach(() => stage.close());

const SET = 'block/rfqs/set_mmp_config';
const ORDERS = { indexName: 'btc_usd', interval: 5, frozenTime: 30, quantityLimit: '2.5' };
const NONE = {
  deltaLimit: null,
  vegaLimit: null,
  tradeCountLimit: null,
  quantityLimit: null,
  maxQuoteQuantity: null,
};

describe('a configuration', () => {
  it('an MMP configuration is returned as in force, and can be queried by index, group and kind', async () => {
    await start();
    const set = await stage.post(SET, ORDERS);
    const first = { ...ORDERS, ...NONE, quantityLimit: '2.5', mmpGroup: null, blockRfq: false };
    expect(set.result).toEqual({ results: [first] });
    const more = { frozenTime: 0, vegaLimit: '100.5', maxQuoteQuantity: '7.5' };
    const wings = { ...ORDERS, ...more, mmpGroup: 'wings' };
    await stage.post(SET, wings);
    const found = async (params: object) =>
      (await stage.post('private/get_mmp_config', params)).result.results;
    expect(await found({})).toHaveLength(2);
    expect(await found({ indexName: 'eth_usd' })).toEqual([]);
    expect(await found({ blockRfq: true })).toEqual([]);
    expect(await found({ mmpGroup: 'wings' })).toEqual([
      { ...first, ...more, mmpGroup: 'wings', used: null },
    ]);
    const removed = await stage.post(SET, { ...wings, interval: 0 });
    expect(removed.result.results).toMatchObject([{ interval: 0, mmpGroup: 'wings' }]);
    expect(await found({})).toEqual([{ ...first, used: null }]);
  });

  it.each([
    [{ indexName: 'nowhere_usd' }, -32602, 'indexName'],
    [{ interval: -1 }, -32602, 'interval'],
    [{ interval: 1.5 }, -32602, 'interval'],
    [{ interval: 3_601 }, -32602, 'interval'],
    [{ frozenTime: 3_601 }, -32602, 'frozenTime'],
    [{ interval: null }, -32602, 'interval'],
    [{ frozenTime: '30' }, -32602, 'frozenTime'],
    [{ mmpGroup: '' }, -32602, 'mmpGroup'],
    [{ mmpGroup: 'x'.repeat(65) }, -32602, 'mmpGroup'],
    [{ quantityLimit: undefined }, 11049, 'quantityLimit'],
    [{ quantityLimit: '0' }, 11049, 'quantityLimit'],
    [{ deltaLimit: '-3' }, 11049, 'deltaLimit'],
    [{ vegaLimit: '1.23456' }, 11049, 'vegaLimit'],
    [{ quantityLimit: 'much' }, -32602, 'quantityLimit'],
    [{ tradeCountLimit: 3 }, 11047, 'tradeCountLimit'],
    [{ indexName: 'all' }, 11047, 'indexName'],
    [{ sizeLimit: 3 }, -32602, 'sizeLimit'],
  ])('an MMP configuration that is invalid is refused: %o', async (change, code, param) => {
    await start();
    const answer = await stage.post(SET, { ...ORDERS, ...change });
    expect(answer.error).toMatchObject({ code, data: { param } });
    expect((await stage.post('private/get_mmp_config')).result.results).toEqual([]);
  });

  it('ties a group to its index', async () => {
    await start();
    await stage.post(SET, { ...ORDERS, mmpGroup: 'wings' });
    const other = await stage.post(SET, { ...ORDERS, mmpGroup: 'wings', indexName: 'eth_usd' });
    expect(other.error).toMatchObject({ code: 11030, data: { param: 'mmpGroup' } });
  });

  it('an MMP configuration of Block RFQs needs the scope blockRfq, and one of orders the scope trade', async () => {
    await start();
    const rfqs = {
      indexName: 'all',
      interval: 60,
      frozenTime: 0,
      blockRfq: true,
      tradeCountLimit: 3,
    };
    for (const [by, allowed, forbidden] of [
      [BOUND, ORDERS, rfqs],
      [SECOND_MAKER, rfqs, ORDERS],
    ] as const) {
      expect((await stage.post(SET, allowed, by)).result, by.id).toBeDefined();
      const refused = await stage.post(SET, forbidden, by);
      expect(refused.error, by.id).toMatchObject({ code: 13021, data: { param: 'blockRfq' } });
    }
    const asked = await stage.post('private/get_mmp_config', {}, SECOND_MAKER);
    expect(asked.result.results).toMatchObject([{ tradeCountLimit: '3', blockRfq: true }]);
    for (const params of [ORDERS, rfqs]) {
      expect((await stage.post(SET, params, READER)).error).toMatchObject({ code: 13021 });
      expect((await stage.post(SET, params, null)).error).toMatchObject({ code: 13009 });
    }
    expect((await stage.post('private/reset_mmp', { indexName: 'all' })).error).toMatchObject({
      code: -32602,
    });
  });

  it('an MMP configuration is recorded with its author', async () => {
    await start();
    await stage.post(SET, ORDERS);
    await stage.post('private/reset_mmp', { indexName: 'btc_usd' });
    await stage.post('private/get_mmp_status', {});
    const actions = await stage.actions.find({ limit: 10 });
    expect(actions.map(({ method, instrument, outcome }) => [method, instrument, outcome])).toEqual(
      [
        ['private/reset_mmp', 'btc_usd', 'done'],
        [SET, 'btc_usd', 'done'],
      ],
    );
  });

  it('an MMP configuration belongs to its account', async () => {
    await start();
    await stage.post(SET, ORDERS);
    const accountIds = { accountId: Number(TAKER.accounts[0]) };
    for (const method of [
      SET,
      'private/get_mmp_config',
      'private/get_mmp_status',
      'private/reset_mmp',
    ]) {
      const params = method === SET ? ORDERS : { indexName: 'btc_usd' };
      const answer = await stage.post(method, { ...params, ...accountIds }, STRANGER);
      expect(answer.error, method).toMatchObject({ code: 13021, data: { param: 'accountId' } });
    }
    expect((await stage.post('private/get_mmp_config', {}, STRANGER)).result).toEqual({
      results: [],
    });
  });
});

/** Buys contracts of so many dollars with the mmp flag and counts its trades; 300 000 are about three coins. */
const trade = async (dollars = '300000'): Promise<number> => {
  const price = await stage.restingPrice('sell');
  const order = { instrumentName: BTC, quantity: dollars, price, mmp: true };
  const answer = await stage.post('private/buy', {
    ...order,
    timeInForce: 'immediate_or_cancel',
  });
  expect(answer.error).toBeUndefined();
  return answer.result.trades.length;
};

describe('the counters of an MMP configuration', () => {
  const used = async () => {
    const { result } = await stage.post('private/get_mmp_config', { indexName: 'btc_usd' });
    return result.results[0].used;
  };

  it('add up the trades of the running window, and are null before one and after a reset', async () => {
    await start();
    await stage.post(SET, { ...ORDERS, interval: 3_600, quantityLimit: '1000', deltaLimit: '900' });
    expect(await used()).toBeNull();
    const before = stage.gateway.nowMs;
    const bought = await trade('1000');
    const counted = () => expect.poll(async () => (await used())?.trades, { timeout: 60_000 });
    await counted().toBe(bought);
    const first = await used();
    expect(Number(first.quantity)).toBeGreaterThan(0);
    expect(first).toMatchObject({ delta: first.quantity, vega: '0' });
    expect(first.until).toBeGreaterThanOrEqual(before + 3_600_000);
    const price = await stage.restingPrice('buy');
    const selling = { instrumentName: BTC, quantity: '1000', price, mmp: true };
    const sold = await stage.post('private/sell', {
      ...selling,
      timeInForce: 'immediate_or_cancel',
    });
    await counted().toBe(bought + sold.result.trades.length);
    const second = await used();
    expect(Number(second.quantity)).toBeGreaterThan(Number(first.quantity));
    expect(Math.abs(Number(second.delta))).toBeLessThan(Number(first.delta));
    expect(second.until).toBe(first.until);
    await stage.post('private/reset_mmp', { indexName: 'btc_usd' });
    expect(await used()).toBeNull();
  });
});

describe('an MMP trigger', () => {
  it('an MMP trigger is published to the subscribers of the account, and shown in the status', async () => {
    await start();
    const [own, strange] = [
      await RidClient.connect(stage),
      await RidClient.connect(stage, STRANGER),
    ];
    const [channel, any, all] = ['btc_usd', 'any', 'eth_usd'].map(
      (name) => `user.mmp_trigger.${name}`,
    );
    const channels = [channel, any, all, 'user.mmp_trigger.nowhere'];
    for (const client of [own, strange]) {
      expect(await client.get('private/subscribe', { channels })).toEqual(channels.slice(0, 3));
    }
    const price = await stage.restingPrice('buy');
    const resting = await stage.post('private/buy', {
      instrumentName: BTC,
      quantity: '100',
      price,
      mmp: true,
    });
    await stage.post(SET, { ...ORDERS, quantityLimit: '1.0' });
    const before = stage.gateway.nowMs;
    await trade();
    const [trip] = await own.heard(String(channel), (data) => data.length > 0);
    expect(trip).toEqual({ indexName: 'btc_usd', frozenUntil: expect.any(Number) });
    expect(trip.frozenUntil).toBeGreaterThanOrEqual(before + 30_000);
    expect(own.told(String(any))).toEqual([trip]);
    expect([
      ...own.told(String(all)),
      ...strange.frames.filter(({ rid }) => rid === undefined),
    ]).toEqual([]);
    const { result: booked } = await stage.post('private/get_user_trades_by_instrument', {
      instrumentName: BTC,
      count: 100,
      sorting: 'asc',
    });
    let [sum, beyond] = [0, 0];
    for (const { quantity, price: at } of booked.trades) {
      const coins = Number(quantity) / Number(at);
      if (sum >= 1) beyond += coins;
      sum += coins;
    }
    const { results } = (await stage.post('private/get_mmp_status')).result;
    expect(results).toEqual([{ ...trip, overshoot: expect.stringMatching(/^\d+\.\d+$/) }]);
    expect(Number(results[0].overshoot) / beyond).toBeCloseTo(1, 6);
    const { orderId } = resting.result.order;
    const order = await stage.post('private/get_order_state', { orderId });
    expect(order.result).toMatchObject({
      orderState: 'cancelled',
      mmpCancelled: true,
      cancelReason: 'mmp_trigger',
    });
    stage.jumpAhead(1_000);
    const reset = await stage.post('private/reset_mmp', { indexName: 'btc_usd' });
    expect(reset.result).toBe('ok');
    expect((await stage.post('private/get_mmp_status')).result).toEqual({ results: [] });
  });
});
