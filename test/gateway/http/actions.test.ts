// Every change made with a key is recorded with its author before it is answered.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isChange } from '../../../src/gateway/auth/key-needs.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { until } from '../../adapters/until.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { GatewayUnderTest, PATH, perpetualBody, READER, TAKER } from '../gateway-under-test.ts';
import { RidClient } from '../order-api/rid-client.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';

const WHO = { keyId: TAKER.id, uid: TAKER.uid, nickname: TAKER.nickname, address: '127.0.0.1' };

describe('an order method', () => {
  let stage: RidStage;
  beforeEach(async () => {
    stage = await RidStage.start();
  });
  afterEach(() => stage.close());

  const actions = () => stage.actions.find({ limit: 100 });
  const resting = async () => ({
    instrumentName: BTC,
    quantity: '100',
    type: 'limit',
    label: 'mine',
    price: await stage.restingPrice('buy'),
  });

  test('an order method that changes an order is recorded with the key, the order and the outcome', async () => {
    const { result } = await stage.post('private/buy', await resting());
    const { orderId } = result.order;
    const about = { ...WHO, account: '10001', instrument: BTC, label: 'mine', orderId };
    expect(await actions()).toMatchObject([{ ...about, method: 'private/buy', outcome: 'done' }]);
    await stage.post('private/cancel', { orderId });
    await stage.post('private/cancel', { orderId });
    expect(await actions()).toMatchObject([
      {
        ...WHO,
        orderId,
        method: 'private/cancel',
        outcome: expect.stringMatching(/^refused \d+$/),
      },
      { ...about, method: 'private/cancel', outcome: 'done' },
      { ...about, method: 'private/buy' },
    ]);
  });

  test('an order method over a socket is recorded before its answer', async () => {
    const client = await RidClient.connect(stage);
    await client.get('private/buy', await resting());
    expect(await actions()).toMatchObject([{ ...WHO, method: 'private/buy', label: 'mine' }]);
    await client.close();
  });

  test('an order method is recorded if and only if it changes something', async () => {
    for (const method of nonEmpty(METHODS.values())) {
      if (method.isWebSocketOnly) continue;
      const before = (await actions()).length;
      await stage.post(method.name, method.example);
      const made = (await actions()).length - before;
      expect([method.name, made]).toEqual([method.name, isChange(method.needs) ? 1 : 0]);
    }
  });

  test('an order method is not recorded if it never ran because of wrong params, a foreign account or a missing scope', async () => {
    await stage.post('private/buy', {});
    await stage.post('private/buy', { ...(await resting()), accountId: '10002' });
    await stage.post('private/buy', await resting(), READER);
    expect(await actions()).toEqual([]);
  });

  test('an order method is refused while records cannot be written, unless it is a cancel', async () => {
    const { result } = await stage.post('private/buy', await resting());
    stage.actions.isBehind = true;
    const refused = await stage.post('private/buy', await resting());
    expect([refused.status, refused.error?.code]).toEqual([503, 10040]);
    const cancelled = await stage.post('private/cancel', { orderId: result.order.orderId });
    expect(cancelled.result.orderState).toBe('cancelled');
    expect((await actions()).map(({ method }) => method)).toEqual([
      'private/cancel',
      'private/buy',
    ]);
  });

  test('cancelled on disconnect is recorded under the key of the connection', async () => {
    const client = await RidClient.connect(stage);
    await client.get('private/enable_cancel_on_disconnect');
    await client.get('private/buy', await resting());
    await client.close();
    await until(async () => (await actions())[0]?.method === 'cancel_on_disconnect');
    expect((await actions())[0]).toMatchObject({ ...WHO, account: '10001', outcome: 'done' });
  });
});

describe('a portfolio operation', () => {
  test('a portfolio operation is recorded if it changes something, and not if it only reads', async () => {
    const log = new MemoryActionLog();
    const gateway = await GatewayUnderTest.start({}, { actions: log });
    const { json } = await gateway.submit(perpetualBody());
    const { portfolioId } = json.value;
    await gateway.submit(perpetualBody({ legs: [] }));
    await gateway.request(`${PATH}/plan`, { body: perpetualBody() });
    await gateway.request(`${PATH}/info?portfolioId=${portfolioId}`);
    await gateway.request(`${PATH}/cancel`, { body: { portfolioId } });
    await gateway.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } });
    await gateway.submit(perpetualBody(), { by: null });
    const about = { ...WHO, account: '10001' };
    const orderId = String(portfolioId);
    expect((await log.find({ limit: 10 })).toReversed()).toMatchObject([
      { ...about, method: 'portfolios/submit', orderId, outcome: 'done' },
      { ...about, method: 'portfolios/submit', outcome: 'refused 40001' },
      { ...about, method: 'portfolios/cancel', orderId, outcome: 'done' },
      { ...about, method: 'portfolios/cancel-all', outcome: 'done' },
    ]);
    await gateway.close();
  });
});
