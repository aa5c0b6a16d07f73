// What was listed, or became a maker, a moment ago is known to the gateway before it refuses a request for it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountId } from '../../../src/values/ids.ts';
import { btcPerpetual, ethFuture } from '../../exchange/instruments.ts';
import { STRANGER, TAKER } from '../gateway-under-test.ts';
import { OrderScene } from './order-scene.ts';

const WORTH = { index: '3000', mark: '3001', min: '2500', max: '3500' };
let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

test('an instrument that was listed a moment ago is traded at once, and in the lists within a second', async () => {
  scene.market.list(ethFuture, WORTH);
  const order = { instrumentName: ethFuture.name, quantity: '10', price: '2900' };
  expect(await scene.buy(order)).toMatchObject({ instrumentName: ethFuture.name });
  const named = { instrumentName: ethFuture.name };
  expect(await scene.get('public/get_instrument', named)).toMatchObject(named);
  await scene.pass(1_000);
  const { results } = await scene.get('block/rfqs/get_instruments', { currency: 'any' });
  expect(results).toContainEqual(expect.objectContaining(named));
});

test('an account that became a maker a moment ago may quote at once', async () => {
  const { venue } = scene;
  const account = accountId('10001');
  expect(await scene.get('block/rfqs/get_user_info')).toEqual({ isMaker: false, alias: null });
  const refused = await scene.request('block/rfqs/cancel_all_quotes', {}, TAKER);
  expect(refused).toMatchObject({ kind: 'refused', code: 13021 });
  venue.seatMakers([account], new Map([[account, 'MAKER9']]));
  expect(await scene.get('block/rfqs/cancel_all_quotes', {}, TAKER)).toBeDefined();
  expect(await scene.get('block/rfqs/get_user_info')).toEqual({ isMaker: true, alias: 'MAKER9' });
});

test('orders and cancels keep their order, also for an instrument that is not listed', async () => {
  const order = { instrumentName: btcPerpetual.name, quantity: '1000', price: '99000' };
  const asked = [
    scene.request('private/buy', { ...order, label: 'first' }, STRANGER),
    scene.request('private/cancel_all', {}, STRANGER),
    scene.request('private/buy', { ...order, instrumentName: 'BTX-PERPETUAL' }, STRANGER),
    scene.request(
      'private/cancel_all_by_instrument',
      { instrumentName: 'BTX-PERPETUAL' },
      STRANGER,
    ),
    scene.request('private/buy', { ...order, label: 'last' }, STRANGER),
  ];
  const kinds = (await Promise.all(asked)).map(({ kind, value }) => [
    kind,
    value?.order?.label ?? value,
  ]);
  expect(kinds).toEqual([
    ['done', 'first'],
    ['done', 1],
    ['refused', undefined],
    ['done', 0],
    ['done', 'last'],
  ]);
  const open = await scene.get('private/get_open_orders', {}, STRANGER);
  expect(open.map(({ label }: { readonly label: string }) => label)).toEqual(['last']);
});
