// Orders over Deribit's wire: how their params may be written, what their methods answer, and the code of each refusal.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../../../../src/core/order/answer-class.ts';
import { REJECTION_CODES } from '../../../../src/core/rejection.ts';
import { deribitError } from '../../../../src/gateway/deribit/call/deribit-error.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual } from '../../../exchange/instruments.ts';
import { DeribitScene, MAKER_LOGIN } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const PERPETUAL = btcPerpetual.name;
const BID = { instrument_name: PERPETUAL, amount: 1_000, price: 99_000 };
const STOP = {
  instrument_name: PERPETUAL,
  amount: 1_000,
  type: 'stop_market',
  trigger: 'mark_price',
  trigger_price: 103_000,
};
const WEEK = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 };

describe('orders', () => {
  test('an order is the same whether its params are text, numbers, exponents or contracts', async () => {
    const forms = [
      { amount: 1_000, price: 99_000, post_only: true, label: '' },
      { amount: '1000', price: '99000', post_only: 'true' },
      { amount: '1e3', price: '9.9e4', post_only: 'true', clientOrderId: 'ignored' },
      { contracts: '100.0', price: '99000.0', post_only: true, display_amount: null },
    ];
    for (const form of forms) {
      const { order } = await scene.get('private/buy', { instrument_name: PERPETUAL, ...form });
      expect(order).toMatchObject({ amount: '1000', contracts: '100', price: '99000' });
      expect(order).toMatchObject({ post_only: true, reject_post_only: false, label: '' });
    }
  });

  test('an order without post_only is not maker only, and average_price is 0 before its first fill', async () => {
    const { order, trades } = await scene.get('private/sell', { ...BID, price: 101_000 });
    expect(order).toMatchObject({ post_only: false, average_price: '0', filled_amount: '0' });
    expect(order).not.toHaveProperty('reject_post_only');
    expect(trades).toEqual([]);
  });

  test('an order may be linked to others, given as objects or as JSON text', async () => {
    const other = { ...STOP, direction: 'sell', trigger_price: 90_000, instrument_name: 'ignored' };
    for (const config of [[other], JSON.stringify([other])]) {
      const params = { ...BID, linked_order_type: 'one_triggers_other', otoco_config: config };
      const { order } = await scene.get('private/buy', params);
      expect(order).toMatchObject({ trigger_fill_condition: 'first_hit' });
      const [id] = order.oto_order_ids;
      expect(await scene.get('private/get_order_state', { order_id: id })).toMatchObject({
        is_secondary_oto: true,
        order_state: 'untriggered',
        price: 'market_price',
        amount: '1000',
        trigger_price: '90000',
      });
    }
  });

  test('an order is edited by its id, in amount or contracts, and by its label', async () => {
    const { order } = await scene.get('private/buy', { ...BID, label: 'mine' });
    const { order_id } = order;
    const edited = { amount: 2_000, price: 98_500 };
    expect((await scene.get('private/edit', { order_id, ...edited })).order).toMatchObject({
      order_id,
      amount: '2000',
      price: '98500',
      replaced: true,
    });
    const contracts = { order_id, contracts: 300, price: 98_500 };
    expect((await scene.get('private/edit', contracts)).order).toMatchObject({ amount: '3000' });
    const named = { instrument_name: PERPETUAL, label: 'mine', contracts: 10, price: 98_000 };
    expect((await scene.get('private/edit_by_label', named)).order).toMatchObject({
      order_id,
      amount: '100',
      price: '98000',
    });
  });

  test('a trigger order that fired is in the history of trigger orders with the order it created', async () => {
    const { order } = await scene.get('private/buy', { ...STOP, trigger_price: 101_000 });
    await scene.rid.other('sell', '1000', '101000');
    await scene.rid.worth(btcPerpetual, { mark: '101500' });
    const { entries } = await scene.get('private/get_trigger_order_history', { currency: 'BTC' });
    const fired = await scene.get('private/get_order_state', { order_id: entries[0].order_id });
    expect(entries).toMatchObject([
      { trigger_order_id: order.order_id, order_state: 'triggered', request: 'trigger:order' },
    ]);
    expect(fired).toMatchObject({ trigger_order_id: order.order_id, order_state: 'filled' });
  });
});

describe('cancels', () => {
  test('a cancel of one kind, currency or pair counts its orders, and reports them with detailed', async () => {
    await scene.get('private/buy', BID);
    await scene.get('private/buy', STOP);
    const linear = { instrument_name: btcUsdcPerpetual.name, amount: '0.01', price: 99_000 };
    await scene.get('private/buy', linear);
    const triggers = { currency: ['BTC', 'USDC'], type: 'trigger_all', detailed: 'true' };
    expect(await scene.get('private/cancel_all_by_kind_or_type', triggers)).toMatchObject([
      {
        type: 'trigger',
        currency: 'BTC',
        instrument_name: PERPETUAL,
        result: [{ order_state: 'cancelled', cancel_reason: 'user_request' }],
      },
    ]);
    expect(
      await scene.get('private/cancel_all_by_currency_pair', { currency_pair: 'btc_usd' }),
    ).toBe('1');
    expect(await scene.get('private/cancel_all_by_currency', { currency: 'USDC' })).toBe('1');
    expect(await scene.get('private/cancel_all', { detailed: true })).toEqual([]);
  });

  test('a cancel by label reaches every instrument of the currency', async () => {
    for (const price of [98_000, 98_500])
      await scene.get('private/buy', { ...BID, price, label: 'x' });
    await scene.get('private/buy', { ...BID, label: 'y' });
    expect(await scene.get('private/cancel_by_label', { label: 'x', currency: 'BTC' })).toBe('2');
    expect(
      await scene.get('private/get_open_orders_by_label', { currency: 'BTC', label: 'y' }),
    ).toHaveLength(1);
  });
});

test('close_position sells what is held and reduces only, and refuses without a position', async () => {
  await scene.rid.other('sell', '1000', '99000');
  await scene.get('private/buy', BID);
  await scene.rid.other('buy', '1000', '98900');
  const closing = { instrument_name: PERPETUAL, type: 'limit', price: '98900' };
  const { order, trades } = await scene.get('private/close_position', closing);
  expect(order).toMatchObject({ direction: 'sell', amount: '1000', reduce_only: true });
  expect(trades).toMatchObject([{ price: '98900', amount: '1000', direction: 'sell' }]);
  expect(await scene.get('private/get_position', { instrument_name: PERPETUAL })).toMatchObject({
    direction: 'zero',
    size: '0',
    mark_price: '100100',
    index_price: '100000',
  });
  expect(await scene.refusal('private/close_position', closing)).toMatchObject({ code: -32602 });
  const { logs } = await scene.get('private/get_transaction_log', { currency: 'BTC', ...WEEK });
  expect(logs.map(({ side }: { side: string }) => side)).toEqual(['close sell', 'open buy']);
});

test('the transaction log continues from page to page without a gap or a repetition', async () => {
  for (const amount of ['1000', '2000', '3000', '1000']) {
    await scene.rid.other('sell', amount, '99000');
    await scene.get('private/buy', { ...BID, amount });
  }
  const seen: string[] = [];
  let continuation: string | null | undefined;
  while (continuation !== null) {
    const page = { currency: 'BTC', count: 1, ...WEEK, continuation: continuation ?? null };
    const read = await scene.get('private/get_transaction_log', page);
    seen.push(...read.logs.map(({ amount }: { amount: string }) => amount));
    continuation = read.continuation;
  }
  expect(seen).toEqual(['1000', '3000', '2000', '1000']);
});

const call = { instrument_name: btcCall.name, amount: 1, price: '0.1' };

test.each([
  ['a size under the minimum', { amount: 0 }, 10_002, 'amount'],
  ['a size between the steps', { amount: 1_005 }, -32_602, 'amount'],
  ['no size', { amount: null }, -32_602, 'amount'],
  ['a size that is no number', { amount: 'much' }, -32_602, 'amount'],
  ['contracts that contradict the amount', { contracts: 1 }, -32_602, 'contracts'],
  ['a price off the tick', { price: '99000.3' }, 10_043, 'price'],
  ['a price above the band', { price: 120_000 }, 10_007, 'price'],
  [
    'an instrument that is not listed',
    { instrument_name: 'BTC-1JAN99' },
    -32_602,
    'instrument_name',
  ],
  ['more than the margin allows', { amount: 500_000_000 }, 10_009, 'amount'],
  ['an unknown type', { type: 'stop' }, -32_602, 'type'],
  ['a passed deadline', { valid_until: 1 }, 13_888, 'valid_until'],
  ['a trigger without a price', { ...STOP, trigger_price: null }, -32_602, 'trigger_price'],
  ['a reached trigger', { ...STOP, trigger_price: 99_000 }, 11_036, 'trigger_price'],
  [
    'linked orders without a link',
    { otoco_config: [{ ...STOP, direction: 'sell' }] },
    -32_602,
    'otoco_config',
  ],
  [
    'a linked order without a side',
    { linked_order_type: 'one_triggers_other', otoco_config: [STOP] },
    -32_602,
    'otoco_config[0].direction',
  ],
  ['advanced on a future', { advanced: 'usd' }, 11_038, 'advanced'],
  ['an iceberg of an option', { ...call, display_amount: '0.5' }, 11_048, 'display_amount'],
  [
    'reduce_only on spot',
    { instrument_name: btcSpot.name, amount: '0.01', reduce_only: true },
    -32_602,
    'reduce_only',
  ],
])('an order with %s is refused with its code and param', async (_, params, code, param) => {
  const refused = await scene.refusal('private/buy', { ...BID, ...params });
  expect(deribitError(refused)).toMatchObject({ code, data: { param } });
});

test('refusals by a control and by a halt have codes that clients of the venue know', () => {
  const details = { param: 'quantity', reason: 'is above the limit' };
  const forbidden = {
    kind: 'refused',
    code: 40_007,
    message: 'risk_limit',
    class: 'final',
  } as const;
  // Of ccxt both are PermissionDenied.
  expect(deribitError({ ...forbidden, details })).toEqual({
    code: 11_042,
    message: 'permission_denied',
    data: { reason: 'risk_limit: is above the limit' },
  });
  const halted = refusal(REJECTION_CODES.trading_halted);
  expect(deribitError(halted)).toEqual({
    code: 10_019,
    message: 'locked_by_admin',
    data: { reason: 'trading_halted' },
  });
});

test('a taker with reject_post_only, a closed order and a label of two orders have their codes', async () => {
  await scene.rid.other('sell', '1000', '99500');
  const taking = { ...BID, price: 99_500, post_only: true, reject_post_only: true };
  expect(await scene.refusal('private/buy', taking)).toMatchObject({ code: 11_054 });
  const { order } = await scene.get('private/buy', { ...BID, label: 'twice' });
  await scene.get('private/buy', { ...BID, label: 'twice' });
  const edit = { instrument_name: PERPETUAL, label: 'twice', amount: 2_000, price: 98_000 };
  expect(await scene.refusal('private/edit_by_label', edit)).toMatchObject({ code: 13_032 });
  expect(await scene.refusal('private/edit_by_label', { ...edit, label: 'none' })).toMatchObject({
    code: 10_004,
  });
  await scene.get('private/cancel', { order_id: order.order_id });
  const again = await scene.refusal('private/cancel', { order_id: order.order_id });
  expect([11_044, 10_010]).toContain(again.code);
  expect(
    await scene.refusal('private/get_position', { instrument_name: btcSpot.name }),
  ).toMatchObject({ code: -32_602 });
  expect(await scene.refusal('private/get_positions', { kind: 'spot' })).toMatchObject({
    code: -32_602,
  });
});

test('a Block RFQ is created, quoted, accepted and listed on both sides', async () => {
  const taker = scene.follow('block_rfq.taker.any');
  const maker = scene.follow('block_rfq.maker.any', MAKER_LOGIN);
  const quotes = scene.follow('block_rfq.maker.quotes.BTC', MAKER_LOGIN);
  const tape = scene.follow('block_rfq.trades.BTC');
  const combos = scene.follow('user.combo_trades.any.any.raw');
  const legs = [{ instrument_name: PERPETUAL, amount: 200_000, direction: 'buy' }];
  const rfq = await scene.get('private/create_block_rfq', {
    legs: JSON.stringify(legs),
    label: 'r',
  });
  expect(rfq).toMatchObject({ state: 'open', role: 'taker', amount: '200000', label: 'r' });
  const [seen] = (await scene.get('private/get_block_rfqs', {}, MAKER_LOGIN)).block_rfqs;
  const quote = await scene.get(
    'private/add_block_rfq_quote',
    {
      block_rfq_id: Number(seen.block_rfq_id),
      amount: 200_000,
      direction: 'sell',
      label: 'q',
      legs: [{ instrument_name: PERPETUAL, ratio: 1, direction: 'buy', price: 100_000 }],
    },
    MAKER_LOGIN,
  );
  expect(quote).toMatchObject({ quote_state: 'open', price: '100000', direction: 'sell' });
  await scene.rid.pass(6_000);
  const accept = {
    block_rfq_id: rfq.block_rfq_id,
    amount: 200_000,
    direction: 'buy',
    price: '100000',
  };
  const { block_trades } = await scene.get('private/accept_block_rfq', accept);
  expect(block_trades[0].trades).toMatchObject([
    {
      instrument_name: PERPETUAL,
      amount: '200000',
      price: '100000',
      block_rfq_id: rfq.block_rfq_id,
    },
  ]);
  const own = (await scene.get('private/get_block_rfqs', { state: 'filled' })).block_rfqs;
  expect(own).toMatchObject([{ block_rfq_id: rfq.block_rfq_id, state: 'filled' }]);
  const tapes = await scene.get('public/get_block_rfq_trades', { currency: 'BTC' });
  expect(tapes.block_rfqs).toMatchObject([{ direction: 'buy', mark_price: '100100' }]);
  await scene.rid.pass(1);
  await expect.poll(() => tape?.length).toBe(1);
  expect(combos).toEqual([]);
  expect(taker?.at(-1)).toMatchObject({ state: 'filled', role: 'taker' });
  expect(maker?.at(-1)).toMatchObject({ role: 'maker' });
  expect(quotes?.at(-1)).toMatchObject([{ quote_state: 'filled', label: 'q' }]);
  const info = await scene.get('private/get_block_rfq_user_info', {}, MAKER_LOGIN);
  expect(info).toEqual({
    parent: { is_maker: true, identity: 'MAKER1' },
    users: [{ user_id: '10002', is_maker: true, identity: 'MAKER1' }],
  });
  expect(await scene.get('private/get_block_rfq_makers')).toEqual(['MAKER1', 'MAKER2']);
});

test('protection is configured, listed and reset, each kind with its own scope', async () => {
  const config = {
    index_name: 'btc_usd',
    interval: '5',
    frozen_time: 30,
    delta_limit: '2.5',
    max_quote_quantity: '7.25',
  };
  const set = await scene.get('private/set_mmp_config', config);
  const shown = {
    id: set[0].id,
    index_name: 'btc_usd',
    interval: '5',
    frozen_time: '30',
    delta_limit: '2.5',
    max_quote_quantity: '7.25',
    block_rfq: false,
  };
  expect(set).toEqual([shown]);
  expect(Number.isSafeInteger(Number(shown.id))).toBe(true);
  const wings = await scene.get('private/set_mmp_config', { ...config, mmp_group: 'wings' });
  expect(wings).toEqual([{ ...shown, id: wings[0].id, mmp_group: 'wings' }]);
  expect(wings[0].id).not.toBe(shown.id);
  const asked = (params: object) => scene.get('private/get_mmp_config', params);
  // Without a group the orders' group is meant; without an index, every group.
  expect(await asked({ index_name: 'btc_usd' })).toEqual([shown]);
  expect(await asked({ index_name: 'btc_usd', mmp_group: 'wings' })).toEqual(wings);
  expect(await asked({})).toEqual([shown, ...wings]);
  expect(await scene.get('private/get_mmp_status')).toEqual([]);
  expect(await scene.get('private/reset_mmp', { index_name: 'btc_usd' })).toBe('ok');
  const quotesOnly = { ...MAKER_LOGIN, scopes: ['block_rfq:read_write'] as const };
  expect(await scene.reply('private/set_mmp_config', config, quotesOnly)).toMatchObject({
    code: 13_021,
  });
  const ofQuotes = { ...config, block_rfq: 'true' };
  expect(await scene.get('private/set_mmp_config', ofQuotes, quotesOnly)).toMatchObject([
    { block_rfq: true },
  ]);
});

test.each([
  ['private/set_mmp_config', { max_quote_quantity: undefined }, 'max_quote_quantity'],
  ['private/set_mmp_config', { interval: 3_601 }, 'interval'],
  ['private/set_mmp_config', { frozen_time: 3_601 }, 'frozen_time'],
  ['private/set_mmp_config', { mmp_group: '' }, 'mmp_group'],
  ['private/reset_mmp', { mmp_group: '' }, 'mmp_group'],
  ['private/get_mmp_config', { mmp_group: '' }, 'mmp_group'],
  ['private/get_mmp_config', { index_name: undefined, mmp_group: 'wings' }, 'index_name'],
] as const)('%s with %o is refused by the name of the parameter', async (method, change, param) => {
  const config = { interval: 5, frozen_time: 30, quantity_limit: 2, max_quote_quantity: 5 };
  const whole = { index_name: 'btc_usd', ...(method === 'private/set_mmp_config' && config) };
  expect(await scene.reply(method, { ...whole, ...change })).toMatchObject({
    code: -32602,
    details: { param },
  });
});

test.each([
  ['private/get_transfers', { currency: 'BTC' }, { count: '0', data: [] }],
  ['private/get_deposits', { currency: 'BTC' }, { count: '0', data: [] }],
  ['private/get_withdrawals', { currency: 'BTC' }, { count: '0', data: [] }],
  ['private/get_current_deposit_address', { currency: 'BTC' }, null],
  ['private/get_access_log', {}, { records_total: '0', data: [] }],
  [
    'private/get_settlement_history_by_currency',
    { currency: 'BTC' },
    { settlements: [], continuation: 'none' },
  ],
  [
    'private/get_settlement_history_by_instrument',
    { instrument_name: PERPETUAL },
    { settlements: [], continuation: 'none' },
  ],
])('%s answers as for an account in which nothing happened', async (method, params, nothing) => {
  expect(await scene.get(method, params)).toEqual(nothing);
});
