// The order methods through the package's client, with typed answers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, connect, type MethodParams } from '../../../src/gateway/client/client.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { TAKER } from '../gateway-under-test.ts';
import { RidStage } from './rid-stage.ts';

let stage: RidStage;
let client: Client;
beforeAll(async () => {
  stage = await RidStage.start();
  const { url } = stage.gateway;
  const now = (): number => stage.gateway.nowMs;
  client = connect({ baseUrl: url, keyId: TAKER.id, secret: TAKER.secret, now });
});
afterAll(async () => await stage.close());

async function done<T>(answer: Promise<{ kind: string } | { kind: 'done'; value: T }>): Promise<T> {
  const got = await answer;
  if (got.kind === 'done' && 'value' in got) return got.value;
  throw new Error(JSON.stringify(got));
}

test('an order is placed, queried, edited and cancelled', async () => {
  const instrumentName = 'BTC-PERPETUAL';
  const { bestBidPrice } = await done(client.call('public/ticker', { instrumentName }));
  const price = String(Math.floor(Number(bestBidPrice) * 0.98));
  const wish = { instrumentName, quantity: '100', price, label: 'typed' };
  const { order, trades } = await done(client.call('private/buy', wish));
  expect([order.orderState, order.label, trades]).toEqual(['open', 'typed', []]);
  const { orderId } = order;
  const [open] = await done(client.call('private/get_open_orders'));
  expect(open?.orderId).toBe(orderId);
  const edited = await done(client.call('private/edit', { orderId, quantity: '200', price }));
  expect(edited.order.quantity).toBe('200');
  const cancelled = await done(client.call('private/cancel', { orderId }));
  expect(cancelled.orderState).toBe('cancelled');
  expect(await done(client.call('private/cancel_all'))).toBe(0);
});

test('a refusal names the param, and an unknown method is refused', async () => {
  expect(await client.call('private/buy', { instrumentName: 'BTC-PERPETUAL' })).toMatchObject({
    kind: 'refused',
    param: 'quantity',
  });
  // @ts-expect-error no such method
  expect(await client.call('private/dance')).toMatchObject({ kind: 'refused', code: -32601 });
});

test('a call of the wrong form does not compile and is refused by the gateway too', async () => {
  const instrumentName = 'BTC-PERPETUAL';
  const wrong = [
    // @ts-expect-error `amount` is `quantity` here
    client.call('private/buy', { instrumentName, amount: '100', type: 'market' }),
    // @ts-expect-error the instrument is missing
    client.call('private/sell', { quantity: '100' }),
    // @ts-expect-error nothing is given at all
    client.call('private/cancel'),
    // @ts-expect-error no such type of order
    client.call('private/buy', { instrumentName, quantity: '100', type: 'limits' }),
    // @ts-expect-error a switch is no text
    client.call('private/buy', { instrumentName, quantity: '100', postOnly: 'true' }),
    // @ts-expect-error a size is no object
    client.call('private/edit', { orderId: '1', quantity: { usd: 100 } }),
    // @ts-expect-error a count is a number
    client.call('private/get_order_history_by_currency', { currency: 'BTC', count: '10' }),
    // @ts-expect-error inside of a list, too
    client.call('block/rfqs/create_rfq', { legs: [{ instrumentName, quantity: 1, side: 'long' }] }),
  ];
  for (const answer of nonEmpty(await Promise.all(wrong)))
    expect(answer).toMatchObject({ kind: 'refused' });
});

test('every form of a value that the gateway accepts compiles', async () => {
  const instrumentName = 'BTC-PERPETUAL';
  const currencies = ['BTC', 'any'] as const;
  for (const currency of currencies) {
    await done(client.call('private/get_open_orders_by_currency', { currency, kind: null }));
  }
  const where = { instrumentName, accountId: 10001 };
  const wish: MethodParams['private/buy'] = {
    ...where,
    quantity: 100,
    price: '10000.5',
    label: null,
  };
  const { order } = await done(client.call('private/buy', { ...wish, postOnly: true }));
  const reason = 'user_request' as const;
  await done(client.call('private/cancel', { orderId: order.orderId, reason }));
});
