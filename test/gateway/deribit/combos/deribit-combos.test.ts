// Combos on Deribit's wire: created, listed, and traded with their legs, also below zero.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseVolume } from '../../../../src/ports/deribit-wire/ticker-rows.ts';
import type { Ticker } from '../../../../src/ports/market-reads.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { btcCall, btcPerpetual } from '../../../exchange/instruments.ts';
import { highCall } from '../../../exchange/rfq/rfq-desk.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN } from '../deribit-scene.ts';

const NAME = 'BTC-CS-25DEC26-100000_110000';
const TRADES = [
  { instrument_name: btcCall.name, amount: 1, direction: 'buy' },
  { instrument_name: highCall.name, amount: '1', direction: 'sell' },
];

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  expect(scene.faults).toEqual([]);
  await scene.close();
});

const created = (): Promise<Fields> => scene.get('private/create_combo', { trades: TRADES });

async function traded(price: number): Promise<Fields> {
  await created();
  const order = { instrument_name: NAME, amount: 2, price };
  await scene.get('private/sell', order, MAKER_LOGIN);
  return await scene.get('private/buy', order);
}

describe('a combo', () => {
  it('a combo is created once, and listed with the number of its instrument', async () => {
    const combo = await created();
    const at = String(scene.rid.clock.now());
    expect(combo).toMatchObject({
      id: NAME,
      state: 'active',
      state_timestamp: at,
      creation_timestamp: at,
      legs: [
        { instrument_name: btcCall.name, amount: '1' },
        { instrument_name: highCall.name, amount: '-1' },
      ],
    });
    expect(await created()).toEqual(combo);
    expect(await scene.get('public/get_combos', { currency: 'BTC' })).toEqual([combo]);
    expect(await scene.get('public/get_combos', { currency: 'USDC' })).toEqual([]);
    expect(await scene.get('public/get_combo_ids', { currency: 'any' })).toEqual([NAME]);
    const inactive = { currency: 'BTC', state: 'inactive' };
    expect(await scene.get('public/get_combo_ids', inactive)).toEqual([]);
    expect(await scene.get('public/get_combo_details', { combo_id: NAME })).toEqual(combo);
    const listed = await scene.get('public/get_instrument', { instrument_name: NAME });
    expect(listed).toMatchObject({ kind: 'option_combo', instrument_id: combo.instrument_id });
  });

  it.each([
    ['private/create_combo', { trades: TRADES.slice(1) }, -32602, 'trades'],
    [
      'private/create_combo',
      { trades: [TRADES[0], { instrument_name: btcPerpetual.name, amount: 10, direction: 'buy' }] },
      11047,
      'trades',
    ],
    ['public/get_combo_details', { combo_id: 'BTC-CS-1JAN27-1_2' }, 13020, 'combo_id'],
  ])('%s refuses %j with %i', async (method, params, code, param) => {
    expect(await scene.refusal(method, params)).toMatchObject({ code, details: { param } });
  });
});

describe('the prices of legs', () => {
  const legs = [
    { instrument_name: btcCall.name, amount: 2, direction: 'buy' },
    { instrument_name: highCall.name, amount: 4, direction: 'sell' },
  ];

  it('legs get prices that add up to that of the structure, with their ratios', async () => {
    // Both are marked at 0.1.
    const asked = { legs, price: -0.08 };
    const found = await scene.get('private/get_leg_prices', asked);
    expect(found.amount).toBe('2');
    expect(found.legs).toMatchObject([
      { instrument_name: btcCall.name, direction: 'buy', ratio: '1' },
      { instrument_name: highCall.name, direction: 'sell', ratio: '2' },
    ]);
    const [bought, sold] = found.legs.map((leg: Fields) => Number(leg.price));
    expect(bought - 2 * sold).toBeCloseTo(-0.08, 8);
    expect(await scene.get('public/get_combo_ids', { currency: 'any' })).toEqual([]);
  });

  it.each([
    [{ legs: legs.slice(1), price: 0.1 }, -32602, 'legs'],
    [{ legs, price: '0.0000001' }, 10043, 'price'],
  ])('%j is refused with %i', async (params, code, param) => {
    const refusal = await scene.refusal('private/get_leg_prices', params);
    expect(refusal).toMatchObject({ code, details: { param } });
  });
});

describe('the trade of a combo', () => {
  it('a trade has legs, tagged with the combo, whose prices add up', async () => {
    const trades = scene.follow('user.combo_trades.any.any.raw');
    const [trade] = (await traded(0.03)).trades;
    const tags = { combo_id: NAME, combo_trade_id: trade.trade_id };
    expect(trade).toMatchObject({ ...tags, instrument_name: NAME, price: '0.03', amount: '2' });
    expect(trade.legs).toMatchObject([
      { ...tags, instrument_name: btcCall.name, direction: 'buy', price: '0.1', amount: '2' },
      { ...tags, instrument_name: highCall.name, direction: 'sell', price: '0.07', amount: '2' },
    ]);
    await scene.rid.pass(1);
    await expect.poll(() => trades).toEqual([[trade]]);
  });

  it('a trade is found by the kinds of combos, and its legs by those of options', async () => {
    await traded(0.03);
    const found = async (kind: string): Promise<string[]> => {
      const asked = { currency: 'BTC', sorting: 'asc', kind };
      const { trades } = await scene.get('private/get_user_trades_by_currency', asked);
      return trades.map((one: Fields) => one.instrument_name);
    };
    expect(await found('option')).toEqual([btcCall.name, highCall.name]);
    expect(await found('combo')).toEqual([NAME]);
    expect(await found('option_combo')).toEqual([NAME]);
    expect(await found('future_combo')).toEqual([]);
  });

  it('a price below zero is a number with all its digits', async () => {
    const { order } = await traded(-0.001);
    expect(order).toMatchObject({ price: '-0.001', average_price: '-0.001' });
    expect(order.order_state).toBe('filled');
  });
});

it('orders of combos are cancelled with those of a leg where that is requested, and only then', async () => {
  await created();
  const resting = { amount: 1, price: 0.001 };
  const place = async (instrument_name: string): Promise<string> =>
    (await scene.get('private/buy', { ...resting, instrument_name })).order.order_id;
  const [own, other, combo] = [
    await place(btcCall.name),
    await place(highCall.name),
    await place(NAME),
  ];
  const open = async (): Promise<string[]> =>
    (await scene.get('private/get_open_orders')).map((one: Fields) => one.order_id).sort();
  const of = { instrument_name: btcCall.name };
  expect(await scene.get('private/cancel_all_by_instrument', of)).toBe('1');
  expect(await open()).toEqual([other, combo].sort());
  const again = await place(btcCall.name);
  const both = { ...of, include_combos: true, detailed: true };
  const reports = await scene.get('private/cancel_all_by_instrument', both);
  const ids = reports.flatMap(({ result }: Fields) => result.map((one: Fields) => one.order_id));
  expect(ids).toEqual([again, combo]);
  expect(await open()).toEqual([other]);
  expect(own).not.toBe(again);
});

it('the volume of a spread of futures is counted in coins at the index', () => {
  const stats = { volume: quantity('1000') };
  const ticker = { stats, mark: price('-500'), index: price('100000') } as unknown as Ticker;
  const spread = { ...btcPerpetual, kind: 'future_combo' } as const;
  expect(baseVolume(spread, ticker).toString()).toBe('0.01');
});
