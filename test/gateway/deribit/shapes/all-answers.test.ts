// Every method and every channel that is served, called in a course of trading over one real connection: each result and
// each notification has its documented shape, and each documented member occurs or is listed with the reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../../../src/gateway/deribit/deribit-method-table.ts';
import { until } from '../../../adapters/until.ts';
import { inOrder } from '../../../support/in-order.ts';
import { STRANGER, TAKER } from '../../gateway-under-test.ts';
import { RidStage } from '../../order-api/rid-stage.ts';
import { RawClient } from '../raw-client.ts';
import { blockRfqCourse, hedgedRfq } from './block-rfq-course.ts';
import { comboCourse, firingTrigger } from './combo-course.ts';
import { NOT_FILLED } from './not-filled.ts';
import { tokenCourse } from './token-course.ts';
import { WireCheck } from './wire-check.ts';
import { WIRE } from './wire-objects.ts';

inOrder();

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Fields = any;

const BTC = 'BTC-PERPETUAL';
const LINEAR = 'BTC_USDC-PERPETUAL';
const SPOT = 'BTC_USDC';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** It is answered by closing the connection. */
const SILENT = new Set(['private/logout']);

let stage: RidStage;
let taker: RawClient;
let maker: RawClient;
const check = new WireCheck();

beforeAll(async () => {
  stage = await RidStage.start();
  stage.gateway.nowMs = stage.venue.venueNow();
  const { url } = stage.gateway;
  taker = await RawClient.loggedIn(url, TAKER, { check });
  maker = await RawClient.loggedIn(url, STRANGER, { check });
});
afterAll(async () => {
  await taker.close();
  await maker.close();
  await stage.close();
});

const get = (method: string, params: object = {}): Promise<Fields> => taker.get(method, params);

async function marketOf(instrument_name: string) {
  const { mark_price, min_price, max_price } = await get('public/ticker', { instrument_name });
  return { mark: Number(mark_price), min: Number(min_price), max: Number(max_price) };
}

async function anOption(): Promise<string> {
  const options: Fields[] = await get('public/get_instruments', {
    currency: 'BTC',
    kind: 'option',
  });
  const { mark } = await marketOf(BTC);
  const near = (one: Fields): number =>
    Math.abs(one.strike - mark) - one.expiration_timestamp / 1e9;
  return options.sort((a, b) => near(a) - near(b))[0].instrument_name;
}

test('the market: instruments, tickers, books, summaries, indexes', async () => {
  const option = await anOption();
  for (const kind of [undefined, 'future', 'option', 'spot', 'future_combo', 'option_combo']) {
    await get('public/get_instruments', { currency: 'any', kind });
    await get('public/get_book_summary_by_currency', { currency: 'BTC', kind });
    await get('public/get_book_summary_by_currency', { currency: 'USDC', kind });
  }
  const future = (await get('public/get_instruments', { currency: 'BTC', kind: 'future' })).find(
    (one: Fields) => one.settlement_period !== 'perpetual',
  ).instrument_name;
  for (const instrument_name of [BTC, LINEAR, SPOT, option, future]) {
    for (const method of ['get_instrument', 'ticker', 'get_order_book', 'get_contract_size']) {
      await get(`public/${method}`, { instrument_name });
    }
    await get('public/get_book_summary_by_instrument', { instrument_name });
  }
  const book = await get('public/get_order_book', { instrument_name: BTC, depth: 1 });
  expect([book.bids.length, book.asks.length]).toEqual([1, 1]);
  for (const index_name of ['btc_usd', 'eth_usd', 'btc_usdc']) {
    await get('public/get_index_price', { index_name });
  }
  for (const extended of [true, false]) {
    await get('public/get_index_price_names', { extended });
    await get('public/get_trade_volumes', { extended });
  }
  await get('public/get_supported_index_names', { type: 'all' });
  const all: Fields[] = await get('public/get_currencies');
  expect(await get('private/get_currencies')).toEqual(all);
  const spot = await get('public/get_instrument', { instrument_name: SPOT });
  const uuids = new Map(all.map(({ currency, currency_uuid: id }) => [currency, id]));
  expect([spot.base_currency_uuid, spot.quote_currency_uuid]).toEqual([
    uuids.get('BTC'),
    uuids.get('USDC'),
  ]);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
  expect([...uuids.values()].filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(uuids.values()).size).toBe(all.length);
  for (const currency of ['BTC', 'any', 'grouped']) {
    for (const kind of ['future', 'option', 'any']) {
      await get('public/get_expirations', { currency, kind });
    }
  }
});

test('the session: time, version, status, heartbeat, cancel on disconnect', async () => {
  expect(await get('public/get_time')).toBeGreaterThan(1.7e12);
  for (const [method, params] of [
    ['public/test', {}],
    ['public/hello', { client_name: 'shapes', client_version: '1' }],
    ['public/status', {}],
    ['public/set_heartbeat', { interval: 30 }],
    ['public/disable_heartbeat', {}],
    ['private/enable_cancel_on_disconnect', { scope: 'connection' }],
    ['private/get_cancel_on_disconnect', { scope: 'account' }],
    ['private/disable_cancel_on_disconnect', {}],
  ] as const) {
    await get(method, params);
  }
});

test('the channels of an account are all granted', async () => {
  const channels = [
    ...['orders', 'trades', 'changes'].flatMap((name) =>
      ['raw', '100ms', 'agg2'].flatMap((interval) => [
        `user.${name}.any.any.${interval}`,
        `user.${name}.${BTC}.${interval}`,
        `user.${name}.future.BTC.${interval}`,
      ]),
    ),
    'user.portfolio.any',
    'user.portfolio.BTC',
    'user.mmp_trigger.btc_usd',
    'user.lock',
    'user.liquidation',
  ];
  expect((await taker.subscribe(...channels)).sort()).toEqual([...channels].sort());
});

test('orders of every kind are placed, edited, filled and cancelled', async () => {
  const { mark } = await marketOf(BTC);
  const low = Math.round(mark * 0.98);
  const limit = { instrument_name: BTC, type: 'limit', price: low };
  const { order } = await get('private/buy', {
    ...limit,
    amount: 100,
    label: 'one',
    post_only: true,
    reject_post_only: true,
  });
  expect(order).toMatchObject({ order_state: 'open', amount: 100, average_price: 0, label: 'one' });
  await get('private/edit', {
    order_id: order.order_id,
    amount: 200,
    price: low - 10,
    post_only: true,
  });
  const labelled = { label: 'one', instrument_name: BTC };
  await get('private/edit_by_label', { ...labelled, contracts: 30, price: low });
  await get('private/get_order_state', { order_id: order.order_id });
  await get('private/get_order_margin_by_ids', { ids: [order.order_id] });
  await get('private/get_margins', { instrument_name: BTC, amount: 100, price: low });
  await get('private/get_order_state_by_label', { currency: 'BTC', label: 'one' });
  await get('private/get_open_orders_by_label', { currency: 'BTC', label: 'one' });
  await get('private/cancel', { order_id: order.order_id });
  await get('private/buy', { instrument_name: BTC, type: 'market', amount: 5_000, label: 'taken' });
  await get('private/sell', {
    ...limit,
    price: Math.round(mark * 1.01),
    contracts: 200,
    display_amount: 1_000,
    mmp: false,
  });
  await get('private/buy', { ...limit, amount: 50, time_in_force: 'immediate_or_cancel' });
  for (const type of ['stop_limit', 'take_limit', 'stop_market', 'take_market', 'trailing_stop']) {
    const isStop = type.startsWith('stop');
    const trigger_price = Math.round(mark * (isStop ? 0.95 : 1.05));
    const price = type.endsWith('limit') ? { price: trigger_price } : {};
    const by = type === 'trailing_stop' ? { trigger_offset: 500 } : { trigger_price };
    await get('private/sell', {
      instrument_name: BTC,
      amount: 10,
      type,
      trigger: 'mark_price',
      ...price,
      ...by,
    });
  }
  const otoco = [
    {
      type: 'take_limit',
      direction: 'sell',
      amount: 100,
      price: Math.round(mark * 1.03),
      trigger_price: Math.round(mark * 1.03),
      trigger: 'mark_price',
    },
    {
      type: 'stop_market',
      direction: 'sell',
      amount: 100,
      trigger_price: Math.round(mark * 0.9),
      trigger: 'mark_price',
    },
  ];
  await get('private/buy', {
    ...limit,
    amount: 100,
    otoco_config: otoco,
    trigger_fill_condition: 'first_hit',
    linked_order_type: 'one_triggers_one_cancels_other',
  });
  for (const type of ['all', 'limit', 'trigger_all']) {
    await get('private/get_open_orders', { type });
    await get('private/get_open_orders_by_currency', { currency: 'BTC', type });
    await get('private/get_open_orders_by_instrument', { instrument_name: BTC, type });
  }
  await get('private/cancel_by_label', { label: 'none', currency: 'BTC' });
  await get('private/cancel_all_by_instrument', { instrument_name: BTC, type: 'trigger_all' });
  await get('private/cancel_all_by_currency', { currency: 'BTC', kind: 'future' });
  await get('private/cancel_all_by_currency_pair', { currency_pair: 'btc_usd' });
  await get('private/cancel_all_by_kind_or_type', { currency: ['BTC', 'ETH'], type: 'limit' });
  await get('private/cancel_all', { detailed: false });
});

test('options, linear perpetuals and spot trade and show what is theirs', async () => {
  const option = await anOption();
  const { mark, max } = await marketOf(option);
  const { best_ask_price } = await get('public/ticker', { instrument_name: option });
  const taking = { instrument_name: option, amount: 1, type: 'limit', price: best_ask_price };
  await get('private/buy', { ...taking, time_in_force: 'immediate_or_cancel' });
  const low = Math.max(0.0005, Math.round(mark * 0.6 * 2_000) / 2_000);
  await get('private/buy', {
    instrument_name: option,
    amount: 1,
    type: 'limit',
    price: low,
    label: 'option',
  });
  await get('private/buy', {
    instrument_name: option,
    amount: 0.1,
    type: 'limit',
    price: 45,
    advanced: 'implv',
  });
  expect(max).toBeGreaterThan(mark);
  for (const instrument_name of [SPOT, LINEAR]) {
    await get('private/buy', { instrument_name, amount: 0.01, type: 'market' });
  }
  await get('private/cancel_all');
  await get('private/close_position', { instrument_name: LINEAR, type: 'market' });
});

test('what an account asks about its past and its state', async () => {
  const now = await get('public/get_time');
  const window = { start_timestamp: now - HOUR_MS, end_timestamp: now + HOUR_MS };
  for (const currency of ['BTC', 'USDC']) {
    await get('private/get_order_history_by_currency', { currency, include_unfilled: true });
    await get('private/get_order_history_by_currency', {
      currency,
      with_continuation: true,
      count: 2,
    });
    await get('private/get_trigger_order_history', { currency });
    await get('private/get_user_trades_by_currency', { currency });
    await get('private/get_user_trades_by_currency_and_time', {
      currency,
      ...window,
      sorting: 'asc',
    });
    await get('private/get_account_summary', { currency, extended: true });
    await get('private/get_transaction_log', { currency, ...window });
    await get('private/get_settlement_history_by_currency', { currency });
    await get('private/get_positions', { currency });
    for (const name of ['transfers', 'deposits', 'withdrawals']) {
      await get(`private/get_${name}`, { currency });
    }
    await get('private/get_current_deposit_address', { currency });
  }
  const history = { instrument_name: BTC, include_unfilled: true };
  await get('private/get_order_history_by_instrument', history);
  await get('private/get_user_trades_by_instrument', { instrument_name: BTC, count: 5 });
  await get('private/get_user_trades_by_instrument_and_time', { instrument_name: BTC, ...window });
  const { trades } = await get('private/get_user_trades_by_instrument', { instrument_name: BTC });
  expect(trades.length).toBeGreaterThan(0);
  await get('private/get_user_trades_by_order', { order_id: trades[0].order_id });
  await get('private/get_settlement_history_by_instrument', { instrument_name: BTC });
  await get('private/get_positions', {});
  await get('private/get_position', { instrument_name: BTC });
  await get('private/get_position', { instrument_name: 'ETH-PERPETUAL' });
  await get('private/get_account_summary', { currency: 'ETH' });
  await get('private/get_account_summaries', { extended: true });
  await get('private/get_account_summaries', {});
  await get('private/get_subaccounts', { with_portfolio: true });
  await get('private/get_user_locks');
  await get('private/get_access_log');
});

test('the public past: trades, candles, funding, settlements, volatility', async () => {
  const now = await get('public/get_time');
  const window = { start_timestamp: now - 12 * HOUR_MS, end_timestamp: now };
  const of = { instrument_name: BTC };
  const { trades } = await get('public/get_last_trades_by_instrument', { ...of, count: 5 });
  expect(trades.length).toBeGreaterThan(0);
  await get('public/get_last_trades_by_instrument_and_time', { ...of, ...window });
  await get('public/get_last_trades_by_currency', { currency: 'BTC', count: 5 });
  await get('public/get_last_trades_by_currency_and_time', { currency: 'BTC', ...window });
  for (const resolution of ['1', '60', '1D']) {
    await get('public/get_tradingview_chart_data', { ...of, ...window, resolution });
    await get('public/get_volatility_index_data', {
      currency: 'BTC',
      ...window,
      resolution: '3600',
    });
  }
  await get('public/get_funding_rate_value', { ...of, ...window });
  await get('public/get_funding_rate_history', { ...of, ...window });
  await get('public/get_funding_chart_data', { ...of, length: '8h' });
  await get('public/get_delivery_prices', { index_name: 'btc_usd' });
  await get('public/get_last_settlements_by_instrument', of);
  await get('public/get_last_settlements_by_currency', { currency: 'BTC' });
  await get('public/get_historical_volatility', { currency: 'BTC' });
  const option = await anOption();
  await get('public/get_mark_price_history', { instrument_name: option, ...window });
  await get('public/get_block_rfq_trades', { currency: 'BTC' });
});

test('market-maker protection is configured, read, triggered and reset', async () => {
  const of = { index_name: 'btc_usd' };
  const config = { ...of, interval: 60, frozen_time: 0 };
  await get('private/set_mmp_config', {
    ...config,
    quantity_limit: 0.001,
    delta_limit: 2,
    max_quote_quantity: 2,
  });
  await get('private/get_mmp_config', of);
  const price = Math.round((await marketOf(BTC)).mark * 1.01);
  const order = { instrument_name: BTC, type: 'limit', amount: 10_000, price, mmp: true };
  await get('private/buy', order);
  await until(async () => (await get('private/get_mmp_status', of)).length > 0);
  stage.jumpAhead(1_000);
  await get('private/reset_mmp', of);
});

test('a Block RFQ is created, quoted, accepted, waited for and cancelled', async () => {
  const price = Math.round((await marketOf(BTC)).mark) + 50;
  await blockRfqCourse({ taker, maker, price, pass: (byMs) => stage.jumpAhead(byMs) });
});

test('a Block RFQ with a hedge and an allocation trades', async () => {
  const option = await anOption();
  const { mark, min, max } = await marketOf(option);
  const optionPrice = Math.round(Math.min(Math.max(mark, min), max) * 2_000) / 2_000;
  const price = Math.round((await marketOf(BTC)).mark);
  const now = await get('public/get_time');
  const pass = (byMs: number): void => stage.jumpAhead(byMs);
  await hedgedRfq({ taker, maker, price, pass, option, optionPrice, now });
});

test('a combo is created, followed, traded and requested', async () => {
  await comboCourse(taker);
});

test('a trigger fires', async () => {
  await firingTrigger(taker, stage);
});

test('tokens of a named session are forked, exchanged and logged out', async () => {
  await tokenCourse(stage.gateway.url, TAKER, check);
});

test('every market channel publishes its documented data', async () => {
  // It reads every option: alongside the others it would be the last by far on a slow machine.
  const marks = 'markprice.options.btc_usd';
  expect(await taker.subscribe(marks)).toEqual([marks]);
  await taker.heard(marks);
  const channels = [
    ...['raw', '100ms', 'agg2'].flatMap((interval) => [
      `book.${BTC}.${interval}`,
      `ticker.${BTC}.${interval}`,
      `trades.${BTC}.${interval}`,
      `book.${BTC}.none.10.${interval}`,
      `perpetual.${BTC}.${interval}`,
      `trades.future.BTC.${interval}`,
    ]),
    `quote.${BTC}`,
    `incremental_ticker.${BTC}`,
    'deribit_price_index.btc_usd',
    'deribit_volatility_index.btc_usd',
    'estimated_expiration_price.btc_usd',
    `chart.trades.${BTC}.1`,
    'instrument.state.any.any',
    'instrument.creation.any.any',
    'platform_state',
    'platform_state.public_methods_state',
    'announcements',
    `ticker.${SPOT}.100ms`,
    `ticker.${await anOption()}.100ms`,
  ];
  const granted = await taker.subscribe(...channels);
  expect([...granted].sort()).toEqual([...channels].sort());
  await get('private/buy', { instrument_name: BTC, type: 'market', amount: 100 });
  /** These publish only when something happens to an instrument or to the platform. */
  const quiet = /^(instrument\.|platform_state|announcements)/;
  const heard = new Set<string>();
  await until(() => {
    for (const { channel } of taker.notices) heard.add(channel);
    return channels.every((channel) => quiet.test(channel) || heard.has(channel));
  }).catch(() => undefined);
  expect(channels.filter((channel) => !quiet.test(channel) && !heard.has(channel))).toEqual([]);
  await get('public/unsubscribe', { channels: [`quote.${BTC}`] });
  await get('private/unsubscribe', { channels: [`ticker.${BTC}.raw`] });
  await get('public/subscribe', { channels: [`quote.${BTC}`] });
  await get('public/unsubscribe_all');
  await get('private/unsubscribe_all');
});

test('after a daily settlement tickers have its price', async () => {
  const instant = Number(stage.venue.venueNow());
  stage.jumpAhead(DAY_MS - (instant % DAY_MS) + 8 * HOUR_MS + 60_000);
  const { settlement_price: settled } = await get('public/ticker', { instrument_name: BTC });
  expect(settled).toBeGreaterThan(0);
  await get('public/get_order_book', { instrument_name: BTC });
  const { logs } = await get('private/get_transaction_log', {
    currency: 'BTC',
    start_timestamp: 0,
    end_timestamp: instant,
  });
  expect(logs.length).toBeGreaterThan(0);
});

test('every method is answered in its shape, and every documented member occurs or has a reason', () => {
  expect([...check.faults].sort()).toEqual([]);
  const silent = [...DERIBIT_METHODS.keys()].filter((name) => !check.answered.has(name));
  expect(silent.filter((name) => !SILENT.has(name))).toEqual([]);
  // What only other shapes take over does not occur under its own name.
  const own = WIRE.all().filter((member) => !member.startsWith('AccountHead.'));
  const absent = own.filter((member) => !check.seen.has(member));
  expect(absent.sort()).toEqual([...NOT_FILLED].sort());
});
