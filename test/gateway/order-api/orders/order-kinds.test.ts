// Every kind of order through the order methods: the params, and every field of the result.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nonEmpty } from '../../../support/non-empty.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
let mark: number;
beforeAll(async () => {
  stage = await RidStage.start();
  const { result } = await stage.post('public/ticker', { instrumentName: BTC }, null);
  mark = Math.round(Number(result.markPrice));
});
afterAll(() => stage.close());

const at = (share: number): string => String(Math.round(mark * share));

const place = async (side: 'buy' | 'sell', params: Record<string, unknown>) => {
  const order = { instrumentName: BTC, quantity: '1000', ...params };
  const { result, error } = await stage.post(`private/${side}`, order);
  expect(error).toBeUndefined();
  return result;
};

describe('trigger orders', () => {
  it('trigger orders show their trigger', async () => {
    const { order, trades } = await place('sell', {
      type: 'stop_market',
      trigger: 'mark_price',
      triggerPrice: at(0.9),
      label: 'stop',
    });
    expect(trades).toEqual([]);
    expect(order).toMatchObject({
      orderType: 'stop_market',
      orderState: 'untriggered',
      price: 'market_price',
      trigger: 'mark_price',
      triggerPrice: at(0.9),
      triggered: false,
      filledQuantity: '0',
    });
    const filter = { currency: 'BTC', type: 'stop_all' };
    const open = (await stage.post('private/get_open_orders_by_currency', filter)).result;
    expect(open).toEqual([order]);
    const none = (await stage.post('private/get_open_orders', { type: 'take_all' })).result;
    expect(none).toEqual([]);
    const edited = await stage.post('private/edit_by_label', {
      label: 'stop',
      instrumentName: BTC,
      quantity: '500',
      triggerPrice: at(0.91),
    });
    expect(edited.result.order).toMatchObject({ quantity: '500', triggerPrice: at(0.91) });
    const count = { currency: 'BTC', type: 'stop' };
    expect((await stage.post('private/cancel_all_by_currency', count)).result).toBe(1);
  });

  it('trigger orders may trail the market', async () => {
    const { order } = await place('sell', {
      type: 'trailing_stop',
      trigger: 'mark_price',
      triggerOffset: '5000',
    });
    expect(order).toMatchObject({
      orderType: 'trailing_stop',
      orderState: 'untriggered',
      triggerOffset: '5000',
    });
    const reference = Number(order.triggerReferencePrice);
    expect(Number(order.triggerPrice)).toBeCloseTo(reference - 5_000, 0);
    await stage.post('private/cancel', { orderId: order.orderId });
  });

  it('trigger orders need a trigger', async () => {
    const stop = { instrumentName: BTC, quantity: '1000', type: 'stop_market' };
    const nothing = await stage.post('private/sell', stop);
    expect(nothing.error).toMatchObject({ code: -32602, data: { param: expect.any(String) } });
    const word = await stage.post('private/sell', { ...stop, trigger: 'moon_price' });
    expect(word.error?.data).toMatchObject({ param: 'trigger' });
    expect(word.error?.data?.reason).toContain('accepted: index_price, mark_price, last_price');
  });
});

describe('linked orders', () => {
  it('linked orders refer to each other', async () => {
    const { order } = await place('buy', {
      price: at(0.95),
      linkedOrderType: 'one_triggers_one_cancels_other',
      triggerFillCondition: 'incremental',
      otocoConfig: [
        { side: 'sell', type: 'limit', price: at(1.05), label: 'profit', reduceOnly: true },
        {
          side: 'sell',
          type: 'stop_market',
          trigger: 'mark_price',
          triggerPrice: at(0.9),
          label: 'loss',
          reduceOnly: true,
        },
      ],
    });
    expect(order).toMatchObject({ isPrimaryOtoco: true, triggerFillCondition: 'incremental' });
    expect(order.otoOrderIds).toHaveLength(2);
    const open = (await stage.post('private/get_open_orders')).result;
    const secondary = open.find((one: { label: string }) => one.label === 'profit');
    expect(secondary).toMatchObject({
      isSecondaryOto: true,
      primaryOrderId: order.orderId,
      orderState: 'untriggered',
      quantity: '1000',
      reduceOnly: true,
    });
    expect(secondary.ocoRef).toEqual(expect.any(String));
    await stage.post('private/cancel', { orderId: order.orderId });
    expect((await stage.post('private/get_open_orders')).result).toEqual([]);
  });

  it("linked orders are refused with the param's name if the link is invalid", async () => {
    const primary = { instrumentName: BTC, quantity: '1000', price: at(0.95) };
    const cases: [params: object, param: string][] = [
      [{ otocoConfig: [{ side: 'sell', price: at(1.05) }] }, 'otocoConfig'],
      [{ triggerFillCondition: 'first_hit' }, 'triggerFillCondition'],
      [{ linkedOrderType: 'one_triggers_other' }, 'otocoConfig'],
      [{ linkedOrderType: 'x' }, 'linkedOrderType'],
      [
        { linkedOrderType: 'one_triggers_other', otocoConfig: [{ side: 'up' }] },
        'otocoConfig[0].side',
      ],
    ];
    for (const [params, param] of nonEmpty(cases)) {
      const { error } = await stage.post('private/buy', { ...primary, ...params });
      expect(error?.data?.param, JSON.stringify(params)).toBe(param);
    }
  });
});

describe('iceberg and advanced orders', () => {
  it('iceberg and advanced orders show the displayed size', async () => {
    const { order } = await place('buy', {
      quantity: '20000',
      price: at(0.97),
      displayAmount: '1000',
    });
    expect(order).toMatchObject({ displayAmount: '1000', refreshAmount: '1000' });
    await stage.post('private/cancel_all');
  });

  it('iceberg and advanced orders show the volatility that the client gave', async () => {
    const params = { currency: 'BTC', kind: 'option' };
    const options = (await stage.post('public/get_instruments', params, null)).result;
    const far = options.findLast(
      (one: { optionKind: string; strike: string }) =>
        one.optionKind === 'CALL' && Number(one.strike) > mark * 0.98,
    );
    const { instrumentName } = far;
    const { result, error } = await stage.post('private/buy', {
      instrumentName,
      quantity: '1',
      price: '20',
      advanced: 'implv',
    });
    expect(error).toBeUndefined();
    expect(result.order).toMatchObject({ advanced: 'implv', implv: '20' });
    expect(result.order).not.toHaveProperty('usd');
    expect(Number(result.order.price)).toBeGreaterThan(0);
    await stage.post('private/cancel_all');
  });
});

describe('the position of an account', () => {
  it('the position of an account is shown after a trade', async () => {
    await place('buy', { type: 'market', quantity: '500' });
    const { result: position } = await stage.post('private/get_position', {
      instrumentName: BTC,
    });
    expect(position).toMatchObject({
      instrumentName: BTC,
      kind: 'future',
      side: 'buy',
      size: '500',
    });
    const { result: all } = await stage.post('private/get_positions', { currency: 'BTC' });
    expect(all.map((one: { size: string }) => one.size)).toEqual(['500']);
    const { result: flat } = await stage.post('private/get_position', {
      instrumentName: 'ETH-PERPETUAL',
    });
    expect(flat).toMatchObject({ side: 'zero', size: '0' });
    const { result: money } = await stage.post('private/get_account_summary', { currency: 'BTC' });
    expect(money).toMatchObject({ accountId: '10001', currency: 'BTC' });
    expect(Number(money.balance)).toBeGreaterThan(0);
    expect(Number(money.availableFunds)).toBeLessThan(Number(money.equity));
  });
});
