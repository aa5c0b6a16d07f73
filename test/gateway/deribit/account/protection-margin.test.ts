// The margin that market-maker protection holds: 3 % of `max_quote_quantity`, of 100 BTC and 5,000,000 USDC, at an index
// of 100,000.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcSpot, btcUsdcPerpetual } from '../../../exchange/instruments.ts';
import { DeribitScene } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const configure = (params: object) =>
  scene.get('private/set_mmp_config', {
    index_name: 'btc_usd',
    interval: 5,
    frozen_time: 30,
    max_quote_quantity: 20,
    ...params,
  });

const margins = async (currency: string) => {
  const found = await scene.get('private/get_account_summary', { currency });
  const { initial_margin, available_funds, maintenance_margin, equity } = found;
  return { initial_margin, available_funds, maintenance_margin, equity };
};
const coins = (initial_margin: string, available_funds: string) => ({
  initial_margin,
  available_funds,
  maintenance_margin: '0',
  equity: '100',
});

test('a configuration holds 3 % of its largest size in coins, until it is removed', async () => {
  expect(await margins('BTC')).toEqual(coins('0', '100'));
  await configure({});
  expect(await margins('BTC')).toEqual(coins('0.6', '99.4'));
  await configure({ max_quote_quantity: 0.0001 });
  expect(await margins('BTC')).toEqual(coins('0.000003', '99.999997'));
  // Another limit does not count, however large.
  await configure({ max_quote_quantity: 0.0001, quantity_limit: 500 });
  expect(await margins('BTC')).toEqual(coins('0.000003', '99.999997'));
  await configure({ interval: 0 });
  expect(await margins('BTC')).toEqual(coins('0', '100'));
});

test('each group of an index holds its own, and the protection of Block RFQ quotes holds nothing', async () => {
  await configure({});
  await configure({ mmp_group: 'wings', max_quote_quantity: 5 });
  // 3 % of 20 and of 5.
  expect(await margins('BTC')).toEqual(coins('0.75', '99.25'));
  await configure({ block_rfq: true, max_quote_quantity: 1_000 });
  expect(await margins('BTC')).toEqual(coins('0.75', '99.25'));
  await configure({ interval: 0 });
  expect(await margins('BTC')).toEqual(coins('0.15', '99.85'));
});

test('a linear index holds its coins at the price of the index in the settlement currency', async () => {
  await configure({ index_name: 'btc_usdc', max_quote_quantity: 2 });
  const at = (initial_margin: string, available_funds: string) => ({
    ...coins(initial_margin, available_funds),
    equity: '5000000',
  });
  expect(await margins('USDC')).toEqual(at('6000', '4994000'));
  expect(await margins('BTC')).toEqual(coins('0', '100'));
  scene.rid.venue.watch(btcUsdcPerpetual.name);
  await scene.rid.worth(btcUsdcPerpetual, { index: '110000' });
  expect(await margins('USDC')).toEqual(at('6600', '4993400'));
});

test('an index in which nothing is listed holds nothing', async () => {
  await configure({ index_name: 'sol_usdc', max_quote_quantity: 1_000 });
  expect((await margins('USDC')).available_funds).toBe('5000000');
});

test('orders may use what is left, to the last lot', async () => {
  // 90 of 100 coins.
  await configure({ max_quote_quantity: 3_000 });
  const sell = (amount: number) => ({
    instrument_name: btcSpot.name,
    amount,
    price: 101_000,
    label: 'rest',
  });
  expect(await scene.refusal('private/sell', sell(10.0001))).toMatchObject({ code: 10039 });
  const { order } = await scene.get('private/sell', sell(10));
  expect(order.order_state).toBe('open');
});
