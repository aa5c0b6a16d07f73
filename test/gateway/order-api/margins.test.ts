// What an order needs, said before it is placed, against what the account has to hold afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { READER } from '../gateway-under-test.ts';
import { BTC, RidStage } from './rid-stage.ts';

let stage: RidStage;
beforeEach(async () => {
  stage = await RidStage.start();
});
afterEach(() => stage.close());

test('the margin of an order is what the initial margin of the account grows by once it rests', async () => {
  // By the mark price of one moment.
  stage.holdTime();
  const price = await stage.restingPrice('buy');
  const order = { instrumentName: BTC, quantity: '100000', price };
  const { result } = await stage.post('private/get_margins', order, READER);
  expect(result.buy).toMatchObject({ currency: 'BTC' });
  expect(Number(result.buy.margin)).toBeGreaterThan(0);
  const margin = async (): Promise<number> =>
    Number(
      (await stage.post('private/get_account_summary', { currency: 'BTC' })).result.initialMargin,
    );
  const before = await margin();
  expect((await stage.post('private/buy', order)).error).toBeUndefined();
  expect((await margin()) - before).toBeCloseTo(Number(result.buy.margin), 6);
});

test('a purchase of spot needs the quote currency, and a sale the base', async () => {
  const { result } = await stage.post('private/get_margins', {
    instrumentName: 'BTC_USDC',
    quantity: '0.1',
    price: '60000',
  });
  expect([result.buy.currency, result.sell.currency]).toEqual(['USDC', 'BTC']);
});

test.each([
  [{ instrumentName: 'NONE-PERPETUAL' }, 'instrumentName'],
  [{ quantity: '-1' }, 'quantity'],
  [{ price: 'high' }, 'price'],
])('what an order cannot have is refused at its field: %o', async (change, param) => {
  const order = { instrumentName: BTC, quantity: '100', price: '60000', ...change };
  const { error } = await stage.post('private/get_margins', order);
  expect(error?.data?.param).toBe(param);
});
