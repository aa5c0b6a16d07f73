// A combo on a real connection: created, followed, traded against the market, requested by every filter, and refused
// where combos cannot do what an order requests.
import { expect } from 'vitest';
import type { RidStage } from '../../order-api/rid-stage.ts';
import type { RawClient } from '../raw-client.ts';

const BTC = 'BTC-PERPETUAL';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Fields = any;

export async function comboCourse(taker: RawClient): Promise<void> {
  const get = (method: string, params: object = {}): Promise<Fields> => taker.get(method, params);
  const futures: Fields[] = await get('public/get_instruments', {
    currency: 'BTC',
    kind: 'future',
  });
  const dated = futures.find((one) => one.settlement_period !== 'perpetual').instrument_name;
  await taker.subscribe('instrument.creation.any.any', 'instrument.state.any.any');
  const trades = [
    { instrument_name: dated, amount: 10, direction: 'buy' },
    { instrument_name: BTC, amount: 10, direction: 'sell' },
  ];
  const { id: combo } = await get('private/create_combo', { trades });
  await get('private/get_leg_prices', { legs: trades, price: 0 });
  await get('public/get_combos', { currency: 'any' });
  await get('public/get_combo_ids', { currency: 'BTC', state: 'active' });
  await get('public/get_combo_details', { combo_id: combo });
  const of = { instrument_name: combo };
  await get('public/get_instrument', of);
  const [created] = await taker.heard('instrument.creation.any.any');
  expect(created).toMatchObject({ instrument_name: combo, kind: 'future_combo', state: 'open' });
  const [opened] = await taker.heard('instrument.state.any.any');
  expect(opened).toMatchObject({ instrument_name: combo, state: 'open' });

  const market = [`ticker.${combo}.100ms`, `book.${combo}.100ms`, `trades.${combo}.100ms`];
  const own = ['user.combo_trades.any.any.raw', `user.orders.${combo}.raw`];
  expect((await taker.subscribe(...market, ...own)).length).toBe(5);
  const { order } = await get('private/buy', {
    ...of,
    amount: 100,
    type: 'market',
    label: 'spread',
  });
  expect(order).toMatchObject({ order_state: 'filled', filled_amount: 100 });
  for (const channel of [...market, 'user.combo_trades.any.any.raw']) await taker.heard(channel);
  const [snapshot] = taker.of(`book.${combo}.100ms`);
  expect(snapshot).toMatchObject({ type: 'snapshot', instrument_name: combo });

  const low = { ...of, amount: 10, price: -5_000, label: 'resting' };
  const resting = (await get('private/buy', low)).order.order_id;
  const found = async (kind: string): Promise<string[]> =>
    (await get('private/get_open_orders_by_currency', { currency: 'BTC', kind })).map(
      (one: Fields) => one.order_id,
    );
  expect(await found('future_combo')).toEqual([resting]);
  expect(await found('combo')).toEqual([resting]);
  expect(await found('option_combo')).toEqual([]);
  expect(await found('future')).not.toContain(resting);
  await get('private/get_margins', { ...of, amount: 10, price: -5_000 });
  await get('private/get_order_margin_by_ids', { ids: [resting] });
  expect(await get('private/cancel_all_by_instrument', { ...of, include_combos: true })).toBe(1);
  const history = { currency: 'BTC', kind: 'combo', include_unfilled: true };
  const closed = await get('private/get_order_history_by_currency', history);
  expect(closed.map((one: Fields) => one.order_id).sort()).toEqual(
    [resting, order.order_id].sort(),
  );
  const made = await get('private/get_user_trades_by_currency', { currency: 'BTC', kind: 'combo' });
  expect(made.trades[0].legs).toHaveLength(2);
  await get('private/get_user_trades_by_instrument', { instrument_name: dated });
  await get('public/get_last_trades_by_instrument', of);
  // A burst of other trades fills a page of ten.
  const ofLeg = await get('public/get_last_trades_by_instrument', {
    instrument_name: dated,
    count: 1_000,
  });
  expect(ofLeg.trades.some((one: Fields) => one.combo_id === combo)).toBe(true);

  const stop = { trigger: 'mark_price', trigger_price: 5_000 };
  const refused = await taker.request('private/buy', { ...low, type: 'stop_limit', ...stop });
  expect(refused.error).toMatchObject({ code: 13036, data: { param: 'type' } });
  const reducing = await taker.request('private/sell', { ...low, reduce_only: true });
  expect(reducing.error).toMatchObject({ code: 13036, data: { param: 'reduce_only' } });
}

/** The last price is pushed through a stop order that waits for it, while the market stands still. */
export async function firingTrigger(taker: RawClient, stage: RidStage): Promise<void> {
  stage.holdTime();
  try {
    await fireTrigger(taker);
  } finally {
    stage.releaseTime();
  }
}

/** Levels that are swept: fewer than a book has, so that the triggered order finds others behind them. */
const SWEPT = 2;

async function fireTrigger(taker: RawClient): Promise<void> {
  const get = (method: string, params: object = {}): Promise<Fields> => taker.get(method, params);
  const of = { instrument_name: BTC };
  // A stop that the last price has already reached is refused; from now on that is the best ask.
  await get('private/buy', { ...of, type: 'market', amount: 10 });
  const { asks } = await get('public/get_order_book', { ...of, depth: 10 });
  expect(asks.length).toBeGreaterThan(SWEPT);
  const swept: [number, number][] = asks.slice(0, SWEPT);
  const [price] = asks[SWEPT - 1];
  const stop = { type: 'stop_market', trigger: 'last_price', trigger_price: price };
  const { order } = await get('private/buy', { ...of, amount: 10, ...stop });
  const amount = swept.reduce((sum, [, size]) => sum + size, 0);
  const sweep = { type: 'limit', amount, price, time_in_force: 'immediate_or_cancel' };
  await get('private/buy', { ...of, ...sweep });
  const { order_state: state } = await get('private/get_order_state', { order_id: order.order_id });
  expect(state).toBe('triggered');
  const { entries } = await get('private/get_trigger_order_history', { currency: 'BTC' });
  expect(entries.length).toBeGreaterThan(0);
  const trades = await get('private/get_order_history_by_instrument', { ...of, count: 20 });
  expect(trades.some((one: Fields) => one.trigger_order_id !== undefined)).toBe(true);
}
