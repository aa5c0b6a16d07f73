// An order in its speed bump on both dialects: answered after its release, shown only in lists of open orders.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcUsdcPerpetual } from '../../../exchange/instruments.ts';
import { DeribitScene, MAKER_LOGIN } from '../deribit-scene.ts';

const LINEAR = btcUsdcPerpetual.name;
const ORDER = { instrument_name: LINEAR, amount: 0.1, price: 100_000 };

let scene: DeribitScene;
beforeEach(async () => {
  scene = new DeribitScene({ speedBumpMs: 10 });
  await scene.get('private/sell', ORDER, MAKER_LOGIN);
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

test("over Deribit's wire buy answers after the bump with the fill, and open orders show the state", async () => {
  let answered: unknown;
  const buying = scene.get('private/buy', ORDER).then((result) => {
    answered = result;
    return result;
  });
  await scene.rid.pass(1);
  const open = await scene.get('private/get_open_orders_by_instrument', {
    instrument_name: LINEAR,
  });
  expect(open).toMatchObject([{ order_state: 'speed_bumped', filled_amount: '0' }]);
  const [{ order_id: id }] = open;
  expect(await scene.get('private/get_order_state', { order_id: id })).toMatchObject({
    order_state: 'open',
  });
  expect(
    await scene.reply('private/edit', { order_id: id, amount: 0.1, price: 99_000 }),
  ).toMatchObject({ code: 11030, message: 'other_reject speed_bumped' });
  expect(await scene.get('private/cancel', { order_id: id })).toMatchObject({
    order_state: 'open',
  });
  expect(answered).toBeUndefined();
  await scene.rid.pass(10);
  expect(await buying).toMatchObject({
    order: { order_id: id, order_state: 'filled' },
    trades: [{ order_id: id, amount: '0.1' }],
  });
});

test('our own order methods answer after the bump too, and show the order as open', async () => {
  const { rid } = scene;
  const asked = { instrumentName: LINEAR, quantity: '0.2', price: '100000' };
  const buying = rid.get('private/buy', { ...asked, timeInForce: 'immediate_or_cancel' });
  await rid.pass(1);
  const open = await rid.get('private/get_open_orders_by_currency', { currency: 'USDC' });
  const orders = open.results ?? open.orders ?? open;
  expect(orders).toMatchObject([{ orderState: 'open', filledQuantity: '0' }]);
  await rid.pass(10);
  const { order, trades } = await buying;
  expect([order.orderState, order.filledQuantity, trades.length]).toEqual(['cancelled', '0.1', 1]);
});
