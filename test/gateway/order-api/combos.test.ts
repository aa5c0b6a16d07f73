// Combos through the order methods: created, listed, traded with their legs, and found by the filters that name them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { btcCall, btcPerpetual } from '../../exchange/instruments.ts';
import { highCall } from '../../exchange/rfq/rfq-desk.ts';
import { STRANGER, TAKER } from '../gateway-under-test.ts';
import { type Fields, OrderScene } from './order-scene.ts';

const NAME = 'BTC-CS-25DEC26-100000_110000';
const TRADES = [
  { instrumentName: btcCall.name, quantity: '1', side: 'buy' },
  { instrumentName: highCall.name, quantity: '1', side: 'sell' },
];
const LEGS = [
  { instrumentName: btcCall.name, ratio: 1 },
  { instrumentName: highCall.name, ratio: -1 },
];

let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

const created = (): Promise<Fields> => scene.get('private/create_combo', { trades: TRADES });

/** The taker buys what the other account sells; the marks of the legs are 0.1 and 0.07. */
async function traded(at = '0.03'): Promise<Fields> {
  await created();
  const order = { instrumentName: NAME, quantity: '2', price: at };
  await scene.get('private/sell', order, STRANGER);
  const { trades } = await scene.get('private/buy', order);
  return trades[0];
}

const named = (trades: readonly Fields[]): string[] => trades.map((one) => one.instrumentName);

describe('a combo', () => {
  it('a combo is created once, and listed with its legs', async () => {
    const combo = await created();
    const at = scene.clock.now();
    expect(combo).toEqual({
      id: NAME,
      instrumentId: 1,
      state: 'active',
      legs: LEGS,
      stateTimestamp: at,
      creationTimestamp: at,
    });
    expect(await created()).toEqual(combo);
    expect(await scene.get('public/get_combos', { currency: 'BTC' })).toEqual([combo]);
    expect(await scene.get('public/get_combos', { currency: 'USDC' })).toEqual([]);
    expect(await scene.get('public/get_combo_ids', { currency: 'any' })).toEqual([NAME]);
    expect(await scene.get('public/get_combo_ids', { currency: 'BTC', state: 'inactive' })).toEqual(
      [],
    );
    expect(await scene.get('public/get_combo_details', { comboId: NAME })).toEqual(combo);
  });

  it('a combo is an instrument: of its own kinds, not of those of its legs', async () => {
    await created();
    const { results = await scene.get('public/get_instruments', { currency: 'BTC' }) } =
      {} as Fields;
    expect(named(results)).toContain(NAME);
    const listed = async (kind: string): Promise<string[]> =>
      named(await scene.get('public/get_instruments', { currency: 'BTC', kind }));
    expect(await listed('option_combo')).toEqual([NAME]);
    expect(await listed('combo')).toEqual([NAME]);
    expect(await listed('future_combo')).toEqual([]);
    expect(await listed('option')).not.toContain(NAME);
    const view = await scene.get('public/get_instrument', { instrumentName: NAME });
    expect(view).toMatchObject({
      kind: 'option_combo',
      legs: LEGS,
      optionKind: null,
      strike: null,
    });
  });

  it.each([
    ['private/create_combo', { trades: TRADES.slice(1) }, -32602, 'trades'],
    ['private/create_combo', { trades: [] }, -32602, 'trades'],
    [
      'private/create_combo',
      { trades: [TRADES[0], { instrumentName: btcPerpetual.name, quantity: '10', side: 'buy' }] },
      11047,
      'trades',
    ],
    ['public/get_combo_details', { comboId: 'BTC-CS-1JAN27-1_2' }, 13020, 'comboId'],
  ])('%s refuses %j with %i', async (method, params, code, param) => {
    expect(await scene.refusal(method, params)).toMatchObject({ code, details: { param } });
  });
});

describe('the trade of a combo', () => {
  it('a trade has legs, tagged with the combo, whose prices and fees add up', async () => {
    const trade = await traded();
    expect(trade).toMatchObject({
      instrumentName: NAME,
      side: 'buy',
      price: '0.03',
      quantity: '2',
      fee: '0.0006',
      comboId: NAME,
      comboTradeId: trade.tradeId,
    });
    const tags = { comboId: NAME, comboTradeId: trade.tradeId };
    expect(trade.legs).toMatchObject([
      { ...tags, instrumentName: btcCall.name, side: 'buy', price: '0.1', quantity: '2' },
      { ...tags, instrumentName: highCall.name, side: 'sell', price: '0.07', quantity: '2' },
    ]);
    expect(trade.legs.map(({ fee }: Fields) => fee)).toEqual(['0.0006', '0']);
  });

  it('a trade may have a price below zero', async () => {
    expect(await traded('-0.001')).toMatchObject({ price: '-0.001' });
    const [order] =
      (await scene.get('private/get_order_history_by_currency', { currency: 'BTC' })).orders ??
      (await scene.get('private/get_order_history_by_currency', { currency: 'BTC' }));
    expect(order).toMatchObject({ instrumentName: NAME, price: '-0.001', averagePrice: '-0.001' });
  });

  it('a trade is found by queries for combos, and its legs by all others', async () => {
    const { orderId } = await traded();
    const byKind = async (kind?: string): Promise<string[]> => {
      const params = { currency: 'BTC', sorting: 'asc', ...(kind && { kind }) };
      return named((await scene.get('private/get_user_trades_by_currency', params)).trades);
    };
    const legs = [btcCall.name, highCall.name];
    expect(await byKind()).toEqual(legs);
    expect(await byKind('any')).toEqual(legs);
    expect(await byKind('option')).toEqual(legs);
    expect(await byKind('combo')).toEqual([NAME]);
    expect(await byKind('future_combo')).toEqual([]);
    const byName = { instrumentName: NAME };
    expect(
      named((await scene.get('private/get_user_trades_by_instrument', byName)).trades),
    ).toEqual([NAME]);
    expect(named(await scene.get('private/get_user_trades_by_order', { orderId }))).toEqual([NAME]);
  });

  it('a trade leaves positions in the legs alone', async () => {
    await traded();
    const held = await scene.get('private/get_positions', { currency: 'BTC' });
    expect(held.map(({ instrumentName, size }: Fields) => [instrumentName, size])).toEqual([
      [btcCall.name, '2'],
      [highCall.name, '-2'],
    ]);
    expect(await scene.get('private/get_positions', { currency: 'BTC', kind: 'combo' })).toEqual(
      [],
    );
  });
});

describe('open orders of combos', () => {
  it('orders are listed and cancelled by the kinds that name them', async () => {
    await created();
    const order = { instrumentName: NAME, quantity: '1', price: '0.01' };
    await scene.get('private/buy', order);
    const open = async (kind: string): Promise<string[]> =>
      named(await scene.get('private/get_open_orders_by_currency', { currency: 'BTC', kind }));
    expect(await open('option')).toEqual([]);
    expect(await open('combo')).toEqual([NAME]);
    expect(await open('any')).toEqual([NAME]);
    const cancel = (kind: string) =>
      scene.get('private/cancel_all_by_currency', { currency: 'BTC', kind }, TAKER);
    expect(await cancel('option')).toBe(0);
    expect(await cancel('option_combo')).toBe(1);
  });
});
