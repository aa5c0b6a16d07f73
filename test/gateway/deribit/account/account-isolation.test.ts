// Accounts on Deribit's wire: what a login reads of other accounts of its key, and that it reads and changes nothing of
// any other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { btcPerpetual } from '../../../exchange/instruments.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { BOTH_LOGIN, DeribitScene, MAKER_LOGIN, SECOND_LOGIN } from '../deribit-scene.ts';

const INSTRUMENT = btcPerpetual.name;
const WEEK = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 };

describe('a login', () => {
  let scene: DeribitScene;
  let order: Fields;
  beforeAll(async () => {
    scene = new DeribitScene();
    const traded = { instrument_name: INSTRUMENT, amount: 1_000, price: 99_000, label: 'mine' };
    await scene.rid.other('sell', '1000', '99000');
    await scene.get('private/buy', traded);
    order = (await scene.get('private/buy', { ...traded, price: 98_000 })).order;
  });
  afterAll(() => scene.close());

  test.each([
    ['private/get_open_orders', {}, []],
    ['private/get_open_orders_by_currency', { currency: 'BTC' }, []],
    ['private/get_open_orders_by_instrument', { instrument_name: INSTRUMENT }, []],
    ['private/get_open_orders_by_label', { currency: 'BTC', label: 'mine' }, []],
    ['private/get_order_state_by_label', { currency: 'BTC', label: 'mine' }, []],
    ['private/get_order_history_by_instrument', { instrument_name: INSTRUMENT }, []],
    ['private/get_positions', { currency: 'any' }, []],
    ['private/cancel_all', {}, '0'],
    ['private/cancel_by_label', { label: 'mine' }, '0'],
    ['private/cancel_all_by_instrument', { instrument_name: INSTRUMENT, detailed: true }, []],
    ['private/cancel_all_by_currency_pair', { currency_pair: 'btc_usd' }, '0'],
    ['private/cancel_all_by_kind_or_type', { currency: ['BTC', 'USDC'] }, '0'],
  ])('%s of another account finds and cancels nothing', async (method, params, nothing) => {
    expect(await scene.get(method, params, SECOND_LOGIN)).toEqual(nothing);
  });

  test.each([
    ['private/get_user_trades_by_currency', { currency: 'any' }],
    ['private/get_user_trades_by_instrument_and_time', { instrument_name: INSTRUMENT, ...WEEK }],
  ])('%s of another account has no trades', async (method, params) => {
    expect(await scene.get(method, params, SECOND_LOGIN)).toEqual({ trades: [], has_more: false });
  });

  test.each([
    ['private/get_order_state', {}],
    ['private/cancel', {}],
    ['private/edit', { amount: 2_000, price: 98_500 }],
  ])('%s of another account is refused as not owned', async (method, params) => {
    const { order_id } = order;
    const refused = await scene.refusal(method, { order_id, ...params }, SECOND_LOGIN);
    // 10029, which leaves the wire as the 10004 of an order that does not exist.
    expect([10004, 10029]).toContain(refused.code);
    expect((await scene.get('private/get_order_state', { order_id })).order_state).toBe('open');
  });

  test.each([
    ['private/get_positions', {}],
    ['private/get_account_summary', { currency: 'BTC' }],
    ['private/get_account_summaries', {}],
    ['private/get_user_trades_by_order', { order_id: '1' }],
    ['private/get_user_trades_by_currency', { currency: 'BTC' }],
    ['private/get_user_trades_by_instrument', { instrument_name: INSTRUMENT }],
    ['private/get_transaction_log', { currency: 'BTC', ...WEEK }],
  ])(
    '%s reads another account of the key by subaccount_id, and no other',
    async (method, params) => {
      const own = await scene.get(method, { ...params, subaccount_id: 10_003 }, BOTH_LOGIN);
      expect(own).toEqual(
        await scene.get(method, params, { ...BOTH_LOGIN, account: SECOND_LOGIN.account }),
      );
      const refused = await scene.refusal(
        method,
        { ...params, subaccount_id: '10002' },
        BOTH_LOGIN,
      );
      expect(refused).toMatchObject({ code: 13021, details: { param: 'subaccount_id' } });
    },
  );

  test('get_subaccounts lists the accounts of the key that trade, with their balances if asked', async () => {
    const listed = await scene.get(
      'private/get_subaccounts',
      { with_portfolio: 'true' },
      BOTH_LOGIN,
    );
    expect(listed).toMatchObject([
      {
        id: '10001',
        type: 'main',
        portfolio: { btc: { currency: 'btc' }, usdc: { balance: '5000000' } },
      },
      { id: '10003', type: 'subaccount' },
    ]);
    expect(
      (await scene.get('private/get_subaccounts', {}, MAKER_LOGIN)).map(({ id }: Fields) => id),
    ).toEqual(['10002']);
  });

  test('every answer has the documented shape', () => {
    expect([...scene.check.faults]).toEqual([]);
  });
});
