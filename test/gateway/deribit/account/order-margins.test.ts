// What orders need, on Deribit's wire: by instrument, amount and price, and by the ids of open orders.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcCall, btcPerpetual, btcSpot } from '../../../exchange/instruments.ts';
import { DeribitScene, MAKER_LOGIN } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const BID = { instrument_name: btcPerpetual.name, amount: 10_000, price: 99_000 };

test('margins and fees of a perpetual are in coins, with the price band', async () => {
  const found = await scene.get('private/get_margins', BID);
  expect(found).toMatchObject({ buy_maker_fee: '0', min_price: '90000', max_price: '110000' });
  // 0.05 % of 10 000 USD at 99 000.
  expect(found).toMatchObject({ buy_taker_fee: '0.00005051', sell_taker_fee: '0.00005051' });
  expect(found.buy).toBe(found.sell);
  expect(Number(found.buy)).toBeGreaterThan(0.0019);
});

test('a bought option and a spot order need what they reserve', async () => {
  const option = { instrument_name: btcCall.name, amount: 2, price: 0.05 };
  const { buy, buy_taker_fee } = await scene.get('private/get_margins', option);
  expect([buy, buy_taker_fee]).toEqual(['0.1006', '0.0006']);
  const spot = { instrument_name: btcSpot.name, amount: 1, price: 100_000 };
  const found = await scene.get('private/get_margins', spot);
  expect([found.buy, found.sell]).toEqual(['100000', '1']);
});

test('the margin of an open order is that of its amount and price, and closed orders are left out', async () => {
  const { order } = await scene.get('private/buy', BID);
  const { buy } = await scene.get('private/get_margins', BID);
  const ids = [order.order_id, '404'];
  const margin = { order_id: order.order_id, initial_margin: buy, initial_margin_currency: 'BTC' };
  for (const given of [ids, JSON.stringify(ids)]) {
    expect(await scene.get('private/get_order_margin_by_ids', { ids: given })).toEqual([margin]);
  }
  const ofOther = await scene.get('private/get_order_margin_by_ids', { ids }, MAKER_LOGIN);
  expect(ofOther).toEqual([]);
  await scene.get('private/cancel', { order_id: order.order_id });
  expect(await scene.get('private/get_order_margin_by_ids', { ids })).toEqual([]);
});

test.each([
  ['private/get_margins', { ...BID, amount: 15 }, -32602, 'quantity'],
  ['private/get_margins', { ...BID, price: '99000.1' }, 10043, 'price'],
  ['private/get_margins', { ...BID, instrument_name: 'BTC-NONE' }, -32602, 'instrumentName'],
  ['private/get_order_margin_by_ids', { ids: [] }, -32602, 'ids'],
])('%s refuses %j with %i', async (method, params, code, param) => {
  expect(await scene.refusal(method, params)).toMatchObject({ code, details: { param } });
});
