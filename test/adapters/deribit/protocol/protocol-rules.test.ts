// How the adapter behaves towards a venue that does what the paper exchange never does: what it sends, in what order, what
// it makes of answers, and when it calls itself ready.
import { afterEach, describe, expect, test } from 'vitest';
import { tradesSince } from '../../../../src/ports/trades-since.ts';
import type { VenueNotice } from '../../../../src/ports/trading-desk.ts';
import { price, text } from '../../../../src/values/amounts.ts';
import { orderId } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import { until } from '../../until.ts';
import {
  ACCOUNT,
  anOrder,
  IMPATIENT,
  INSTRUMENT,
  ORDER,
  openScripted,
  PERPETUAL,
  type ScriptedDeribit,
} from './scripted-deribit.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function staged(...[script, options]: Parameters<typeof openScripted>) {
  const stage = await openScripted(script, options);
  closers.push(() => stage.close());
  return stage;
}

const ready = async (stage: ScriptedDeribit): Promise<ScriptedDeribit> => {
  await until(() => stage.venue.trouble() === undefined);
  return stage;
};

const noticesOf = ({ venue }: ScriptedDeribit): VenueNotice[] => {
  const notices: VenueNotice[] = [];
  venue.subscribe((notice) => notices.push(notice));
  return notices;
};

describe('an order on the wire', () => {
  test('after a refusal for the tick the instrument is read again, once for several orders', async () => {
    const wrongTick = { error: { code: 10043, message: 'price_wrong_tick' } };
    const { scripted, venue } = await ready(
      await staged({
        'private/buy': wrongTick,
        'private/edit': wrongTick,
        'public/get_instrument': { result: { ...INSTRUMENT, tick_size: 5 } },
      }),
    );
    const tick = (): string => text(venue.instrument(PERPETUAL)?.tickSize ?? price('1'));
    expect(tick()).toBe('0.5');
    const answers = await Promise.all([1, 2, 3].map(() => venue.place(anOrder())));
    expect(answers).toMatchObject([1, 2, 3].map(() => ({ kind: 'refused', code: 10043 })));
    await until(() => tick() === '5');
    const { params } = await scripted.called('public/get_instrument');
    expect(params).toMatchObject({ instrument_name: PERPETUAL });
    expect(scripted.callsOf('public/get_instrument')).toHaveLength(1);
    const change = { account: ACCOUNT, price: price('77501') };
    await venue.edit({ ...change, of: { orderId: orderId('1'), instrument: PERPETUAL } } as never);
    await scripted.called('public/get_instrument', 2);
  });

  test('an order carries exact numbers, an explicit post_only and the end of its validity, and no nulls', async () => {
    const { scripted, venue } = await ready(await staged());
    const from = venue.venueNow();
    await venue.place(anOrder());
    const { text: sent, params } = await scripted.called('private/buy');
    expect(sent).toContain('"amount":100,"price":77500.5,');
    expect(sent).not.toContain('null');
    expect(params).toMatchObject({
      instrument_name: PERPETUAL,
      type: 'limit',
      label: 'tw1-x-1-0-0-1',
      post_only: true,
      reject_post_only: true,
      reduce_only: false,
    });
    expect(Number.isSafeInteger(params['valid_until'])).toBe(true);
    expect(Number(params['valid_until'])).toBeGreaterThan(from);
    expect(params).not.toHaveProperty('mmp');
    await venue.place(anOrder({ postOnly: false, rejectPostOnly: false, mmp: true }));
    const plain = await scripted.called('private/buy', 2);
    expect(plain.params).toMatchObject({ post_only: false, mmp: true });
    expect(plain.params).not.toHaveProperty('reject_post_only');
  });

  test('an order with more decimals than the venue reads is not sent', async () => {
    const { scripted, venue } = await ready(await staged());
    const reply = await venue.place(anOrder({ price: price('0.123456789') }));
    expect(reply).toMatchObject({ kind: 'refused', code: 10026, class: 'final' });
    expect(scripted.callsOf('private/buy')).toEqual([]);
  });

  test.each([
    [10009, 'not_enough_funds', 'refused', 'final'],
    [10041, 'settlement_in_progress', 'refused', 'later'],
    [11051, 'system_maintenance', 'refused', 'later'],
    [13888, 'timed_out', 'refused', 'later'],
    [13028, 'temporarily_unavailable', 'unknown', undefined],
    [11094, 'internal_server_error', 'unknown', undefined],
    [10050, 'lock_time_exceeded', 'unknown', undefined],
    [424242, 'never_heard_of 17', 'unknown', undefined],
  ])('an order answered with %i %s is %s', async (code, message, kind, as) => {
    const { venue } = await ready(await staged({ 'private/buy': { error: { code, message } } }));
    const reply = await venue.place(anOrder());
    expect(reply.kind).toBe(kind);
    expect('class' in reply ? reply.class : undefined).toBe(as);
  });

  test.each([
    ['an incomplete order', { result: { order: { order_id: '1' }, trades: [] } }],
    ['a text', { result: 'ok' }],
    ['a cut connection', 'hangUp'],
  ] as const)('an order answered with %s has an unknown outcome', async (_what, answer) => {
    const { venue, scripted } = await ready(await staged({ 'private/buy': answer }));
    expect(await venue.place(anOrder())).toMatchObject({ kind: 'unknown' });
    expect(scripted.callsOf('private/buy')).toHaveLength(1);
  });

  test.each([
    ['silence', 'silence'],
    ['neither result nor error', { text: '{"jsonrpc":"2.0","id":0}' }],
  ] as const)(
    'an order not answered in time, by %s, has an unknown outcome',
    async (_what, answer) => {
      const script = { 'private/buy': answer };
      const { venue, scripted } = await ready(await staged(script, { rules: IMPATIENT }));
      expect(await venue.place(anOrder())).toMatchObject({ kind: 'unknown' });
      expect(scripted.callsOf('private/buy')).toHaveLength(1);
    },
  );
});

describe('a connection', () => {
  test('a connection sends nothing private before its login, and subscribes before it reads', async () => {
    const { scripted } = await ready(await staged());
    const byConnection = Map.groupBy(scripted.calls, ({ connection }) => connection);
    let accounts = 0;
    for (const calls of byConnection.values()) {
      const methods = calls.map(({ method }) => method);
      const login = methods.indexOf('public/auth');
      const firstPrivate = methods.findIndex((one) => one.startsWith('private/'));
      if (firstPrivate < 0) continue;
      accounts += 1;
      expect(login).toBeGreaterThanOrEqual(0);
      expect(login).toBeLessThan(firstPrivate);
      const subscribed = methods.indexOf('private/subscribe');
      expect(subscribed).toBeLessThan(methods.indexOf('private/get_open_orders'));
    }
    expect(accounts).toBe(1);
    expect(JSON.stringify(scripted.calls)).not.toContain('its secret');
  });

  test.each([
    ['the user channel is not granted', { 'private/subscribe': { result: [] } }, 'not granted'],
    [
      'the key may not trade',
      {
        'public/auth': {
          result: {
            access_token: 'a',
            expires_in: 900,
            refresh_token: 'r',
            scope: 'trade:read account:read',
          },
        },
      },
      'lacks trade:read_write',
    ],
    [
      'the credentials are refused',
      { 'public/auth': { error: { code: 13004, message: 'invalid_credentials' } } },
      'refuses desk',
    ],
  ] as const)(
    'a connection is not ready while %s, and sends no order',
    async (_what, script, why) => {
      const { venue, scripted } = await staged(script);
      await until(() => venue.trouble()?.includes(why) === true);
      expect(await venue.place(anOrder())).toMatchObject({ kind: 'refused', class: 'later' });
      expect(scripted.callsOf('private/buy')).toEqual([]);
    },
  );

  test('a connection that was cut is replaced by itself, and that is published', async () => {
    const stage = await ready(await staged());
    const { venue, scripted } = stage;
    const notices = noticesOf(stage);
    scripted.cut();
    await until(() => venue.trouble() !== undefined);
    await ready(stage);
    await until(() => notices.some(({ kind }) => kind === 'reconnected'));
    expect(notices.at(-1)).toEqual({ kind: 'reconnected', accounts: [ACCOUNT] });
    expect(await venue.place(anOrder())).toMatchObject({ kind: 'done' });
  });

  test('a connection renews its token before it ends', async () => {
    const login = { access_token: 'a', refresh_token: 'first', expires_in: 2 };
    const scope = 'trade:read_write account:read_write';
    const stage = await staged({ 'public/auth': { result: { ...login, scope } } });
    const { scripted } = await ready(stage);
    const before = scripted.connections;
    await until(() =>
      scripted
        .callsOf('public/auth')
        .some(({ params }) => params['grant_type'] === 'refresh_token'),
    );
    const renewed = scripted
      .callsOf('public/auth')
      .find(({ params }) => params['grant_type'] === 'refresh_token');
    expect(renewed?.params).toEqual({ grant_type: 'refresh_token', refresh_token: 'first' });
    expect(scripted.connections).toBe(before);
  });

  test('a connection to another environment than the configured one does not trade', async () => {
    const wrong = await staged({}, { expected: 'production', allowsLive: false });
    await until(() => wrong.venue.trouble() !== undefined && wrong.faults.length > 0);
    expect(wrong.venue.trouble()).toMatch(/--live|test network/);
    expect(wrong.scripted.callsOf('public/auth')).toEqual([]);
  });

  test('orders are cancelled over HTTP while there is no connection', async () => {
    const stage = await staged({
      'private/subscribe': { result: [] },
      'private/cancel_all': { result: 3 },
    });
    const { venue, scripted } = stage;
    await until(() => venue.trouble() !== undefined);
    expect(await venue.cancelAll({ account: ACCOUNT })).toEqual({ kind: 'done', value: 3 });
    const [call] = scripted.callsOf('private/cancel_all');
    expect(call?.connection).toBe(0);
  });
});

describe('what the venue publishes', () => {
  const channel = 'user.changes.any.any.raw';

  test('changes of an order that come before the answer to its request are reported once each', async () => {
    const stage = await ready(
      await staged({
        'private/buy': () => {
          stage.scripted.push(channel, {
            instrument_name: PERPETUAL,
            orders: [ORDER],
            trades: [],
            positions: [],
          });
          return { result: { order: ORDER, trades: [] } };
        },
      }),
    );
    const notices = noticesOf(stage);
    expect(await stage.venue.place(anOrder())).toMatchObject({ kind: 'done' });
    await until(() => notices.length > 0);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ kind: 'order', order: { orderId: orderId('80000000123') } });
  });

  test('a malformed notice changes no order and causes a comparison of the account', async () => {
    const stage = await ready(await staged());
    const notices = noticesOf(stage);
    const broken = { ...ORDER, direction: 'sideways' };
    stage.scripted.push(channel, {
      instrument_name: PERPETUAL,
      orders: [broken, ORDER],
      trades: [],
    });
    await until(() => notices.length >= 2);
    expect(notices.map(({ kind }) => kind)).toEqual(['reconnected', 'order']);
    expect(stage.faults.map(String).join()).toContain('direction is "sideways"');
  });

  const MOVED = {
    instrument_name: 'BTC_USDC-PERPETUAL',
    direction: 'sell',
    amount: 5000,
    price: 63481.75,
    currency: 'usdc',
  };
  test.each([
    ['liquidation_started', {}, 'liquidation_started', undefined],
    [
      'lsp_transfer',
      MOVED,
      'lsp_transfer of 5000 in BTC_USDC-PERPETUAL at 63481.75 (sell)',
      MOVED.instrument_name,
    ],
    [
      'adl_transfer_received',
      { ...MOVED, direction: 'buy', price: null },
      'adl_transfer_received of 5000 in BTC_USDC-PERPETUAL (buy)',
      MOVED.instrument_name,
    ],
  ])(
    'a notice %s of user.liquidation has the account compared at once, with what it says',
    async (state, more, detail, instrument) => {
      const stage = await ready(await staged());
      const notices = noticesOf(stage);
      stage.scripted.push('user.liquidation', { state, isolated: false, user_id: 77, ...more });
      await until(() => notices.length >= 2);
      expect(notices).toEqual([
        { kind: 'account', account: ACCOUNT, liquidation: { stage: state, instrument, detail } },
        { kind: 'reconnected', accounts: [ACCOUNT] },
      ]);
      expect(stage.faults).toEqual([]);
    },
  );

  test('a notice of user.liquidation that cannot be read has the account compared too', async () => {
    const stage = await ready(await staged());
    const notices = noticesOf(stage);
    stage.scripted.push('user.liquidation', { user_id: 77 });
    await until(() => notices.length >= 2);
    expect(notices).toEqual([
      { kind: 'reconnected', accounts: [ACCOUNT] },
      { kind: 'account', account: ACCOUNT, liquidation: undefined },
    ]);
    expect(stage.faults.map(String).join()).toContain('state is missing');
  });

  test('a frame that is not JSON-RPC ends neither the process nor the connection', async () => {
    const stage = await ready(await staged());
    const nonsense = [
      '',
      '{',
      '[]',
      'null',
      '7',
      '"text"',
      '{}',
      '{"id":1}',
      '{"id":"x","result":1}',
    ];
    for (const one of nonsense) stage.scripted.pushText(one);
    stage.scripted.pushText('{"jsonrpc":"2.0","method":"shout","params":{}}');
    await until(() => stage.faults.length > 0);
    expect(await stage.venue.place(anOrder())).toMatchObject({ kind: 'done' });
    expect(stage.scripted.connections).toBe(2);
  });

  test('fills are rounded to the lot, with rebates and with unknown words', async () => {
    const stage = await ready(await staged());
    const notices = noticesOf(stage);
    const trade = {
      trade_id: '31',
      trade_seq: 9,
      instrument_name: PERPETUAL,
      direction: 'sell',
      state: 'archive',
      timestamp: 1790000000500,
      order_id: ORDER.order_id,
      price: 77500,
      amount: 100,
      fee: -4.0e-7,
      fee_currency: 'BTC',
      liquidity: 'M',
      a_new_field: { of: ['anything'] },
    };
    const filled = { ...ORDER, order_state: 'filled', filled_amount: 99.99999999999999 };
    stage.scripted.push(channel, { orders: [filled], trades: [trade], positions: [{}] });
    await until(() => notices.length >= 2);
    const [order, fill] = notices;
    expect(order?.kind === 'order' && text(order.order.filledQuantity)).toBe('100');
    // The order is known to buy, whatever the trade says.
    expect(fill).toMatchObject({ kind: 'trade', trade: { side: 'buy', liquidity: 'maker' } });
    expect(fill?.kind === 'trade' && text(fill.trade.fee)).toBe('-0.0000004');
    expect(stage.venue.facts().counts.size).toBeGreaterThan(0);
    expect(stage.faults).toEqual([]);
  });
});

describe('the look-up of an order', () => {
  const query = { account: ACCOUNT, instrument: PERPETUAL, label: 'tw1-x-1-0-0-1' };
  const empty = {
    'private/get_order_state_by_label': { result: [] },
    'private/get_open_orders_by_label': { result: [] },
    'private/get_order_history_by_instrument': { result: { orders: [], continuation: null } },
  } as const;

  test('an order is absent only when open, recent and historical orders were all queried and answered', async () => {
    const { venue, scripted } = await ready(await staged(empty));
    expect(await venue.reconcile(query)).toEqual({
      kind: 'done',
      value: { orders: [], trades: [] },
    });
    const historical = scripted
      .callsOf('private/get_order_history_by_instrument')
      .map(({ params }) => params['historical']);
    expect(historical).toEqual([false, true]);
    for (const method of Object.keys(empty)) {
      const error = { error: { code: 11094, message: 'internal_server_error' } };
      scripted.answer({ ...empty, [method]: error });
      expect((await venue.reconcile(query)).kind, method).toBe('unknown');
    }
  });

  test('without the list of instruments the answers about trades and labels are unknown, never none', async () => {
    const { venue, scripted } = await staged({
      ...empty,
      'public/get_instruments': 'silence',
      'private/get_user_trades_by_currency': { result: { trades: [], has_more: false } },
      'private/get_order_history_by_currency': { result: { orders: [], continuation: null } },
    });
    await until(() => scripted.callsOf('private/get_open_orders').length > 0);
    await venue.attach(ACCOUNT);
    expect(venue.instruments()).toBeUndefined();
    const listed = { kind: 'unknown', reason: 'the venue has not listed its instruments yet' };
    expect(await tradesSince(venue, ACCOUNT, instant(0))).toEqual(listed);
    expect(await venue.ordersLabelled(query)).toEqual(listed);
    expect(await venue.reconcile(query)).toEqual(listed);
    const history = {
      account: ACCOUNT,
      count: 10,
      offset: 0,
      includeOld: true,
      includeUnfilled: true,
    };
    expect(await venue.orderHistory({ ...history, historical: false })).toEqual(listed);
    expect(scripted.callsOf('private/get_user_trades_by_currency')).toEqual([]);
  });

  test('an order is returned with all its trades, including those of the archive', async () => {
    const filled = { ...ORDER, order_state: 'filled', filled_amount: 100 };
    const trade = (id: string, amount: number) => ({
      trade_id: id,
      trade_seq: 1,
      instrument_name: PERPETUAL,
      direction: 'buy',
      price: 77500,
      timestamp: 1790000000500,
      order_id: ORDER.order_id,
      amount,
      fee: 0,
      fee_currency: 'BTC',
      liquidity: 'M',
      state: 'filled',
    });
    const { venue } = await ready(
      await staged({
        'private/get_order_state_by_label': { result: [filled] },
        'private/get_user_trades_by_order': ({ params }) => ({
          result:
            params['historical'] === true ? [trade('1', 60)] : [trade('1', 60), trade('2', 40)],
        }),
      }),
    );
    const found = await venue.reconcile(query);
    const trades = found.kind === 'done' ? found.value.trades : [];
    expect(trades.map(({ tradeId }) => tradeId)).toEqual(['1', '2']);
    expect(trades.map((one) => text(one.quantity))).toEqual(['60', '40']);
  });
});
