// Orders and trades as Deribit sends them, with what the documents do not say: read with tolerance, never guessed into
// another state, side or amount.

import { describe, expect, it, test } from 'vitest';
import { parseExact } from '../../../src/ports/deribit-wire/exact-json.ts';
import { Fields, MalformedMessage } from '../../../src/ports/deribit-wire/message-fields.ts';
import { orderIn } from '../../../src/ports/deribit-wire/order-rows.ts';
import { tradeIn } from '../../../src/ports/deribit-wire/trade-rows.ts';
import { WireTally } from '../../../src/ports/deribit-wire/wire-tally.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName } from '../../../src/values/ids.ts';
import { btcCall } from '../../exchange/instruments.ts';

const ACCOUNT = accountId('10001');
const terms = { ...btcCall, name: instrumentName('BTC-25DEC26-80000-C') };
const termsOf = (name: string) => (name === terms.name ? terms : undefined);

const ORDER = {
  order_id: '80000000123',
  order_state: 'open',
  order_type: 'limit',
  label: 'tw1-ab12-1x-0-7-1',
  time_in_force: 'good_til_cancelled',
  instrument_name: terms.name,
  direction: 'buy',
  price: 0.0545,
  amount: 1.0,
  contracts: 1.0,
  filled_amount: 0.0,
  average_price: 0.0,
  post_only: true,
  reject_post_only: true,
  reduce_only: false,
  replaced: false,
  mmp: false,
  creation_timestamp: 1790000000400,
  last_update_timestamp: 1790000000400,
};
const TRADE = {
  trade_id: '310000002',
  trade_seq: 240000018,
  instrument_name: terms.name,
  direction: 'buy',
  timestamp: 1790000000500,
  order_id: '80000000123',
  order_type: 'limit',
  state: 'filled',
  tick_direction: 0,
  price: 0.0545,
  amount: 0.1,
  fee: 0.00003,
  fee_currency: 'BTC',
  liquidity: 'M',
  label: 'tw1-ab12-1x-0-7-1',
  iv: 41.25,
  mark_price: 0.0552,
  index_price: 77498.2,
};

const counted: string[] = [];
const fields = (value: object, replaced: Readonly<Record<string, string>> = {}): Fields => {
  let json = JSON.stringify(value);
  for (const [from, to] of Object.entries(replaced)) json = json.replace(from, to);
  return new Fields('one', parseExact(json), new WireTally((what) => counted.push(what)));
};
const read = (changes: object, replaced?: Readonly<Record<string, string>>) =>
  orderIn(fields({ ...ORDER, ...changes }, replaced), ACCOUNT, termsOf);

describe('an order', () => {
  it('an order is read with its terms, without an average price before its first fill', () => {
    const order = read({});
    expect(order).toMatchObject({
      orderId: '80000000123',
      account: ACCOUNT,
      side: 'buy',
      type: 'limit',
      state: 'open',
      timeInForce: 'good_til_cancelled',
      postOnly: true,
      rejectPostOnly: true,
      replaced: false,
      label: 'tw1-ab12-1x-0-7-1',
      averagePrice: undefined,
      createdAt: 1790000000400,
    });
    expect(text(must(order.price, 'a price'))).toBe('0.0545');
  });

  test.each([
    ['0.30000000000000004', '0.3'],
    ['0.7999999999999998', '0.8'],
    ['0.79999999999994', '0.8'],
    ['0.25', '0.25'],
  ])(
    'a filled amount of %s is %s lots of a tenth, unless it is off the grid by more than noise',
    (sent, meant) => {
      const order = read({ filled_amount: 'FILLED' }, { '"FILLED"': sent });
      expect(text(order.filledQuantity)).toBe(meant);
    },
  );

  it('an order that waits for its trigger without a limit price has none', () => {
    const waiting = {
      price: 'market_price',
      order_state: 'untriggered',
      order_type: 'stop_market',
      trigger: 'mark_price',
      trigger_price: 70000,
      filled_amount: undefined,
      average_price: undefined,
    };
    const order = read(waiting);
    expect(order).toMatchObject({ state: 'untriggered', type: 'stop_market', price: undefined });
    expect(text(order.filledQuantity)).toBe('0');
  });

  it('an order in an unknown state is never taken for closed', () => {
    expect(read({ order_state: 'some_new_state' }).state).toBe('open');
    expect(counted).toContain('one: order_state is some_new_state');
  });

  it('an order in its speed bump is open, and said to be in its bump', () => {
    const before = counted.length;
    expect(read({ order_state: 'speed_bumped' })).toMatchObject({
      state: 'open',
      isSpeedBumped: true,
    });
    expect(read({ order_state: 'open' })).not.toHaveProperty('isSpeedBumped');
    expect(counted).toHaveLength(before);
  });

  it('an order of another client, with new words and members, is read', () => {
    const strange = {
      order_type: 'block',
      time_in_force: 'good_til_tuesday',
      api: false,
      web: true,
      user_id: 7,
      starbase_order_id: 'BIG',
      label: null,
      is_rebalance: false,
      cancel_reason: 'a_new_reason',
    };
    const order = read(strange, { '"BIG"': '184467440737095516' });
    expect(order).toMatchObject({ type: 'limit', label: '', cancelReason: 'a_new_reason' });
  });

  test.each([
    ['order_id', null],
    ['direction', 'sideways'],
    ['instrument_name', undefined],
    ['filled_amount', 'much'],
    ['last_update_timestamp', 'yesterday'],
    ['post_only', 'perhaps'],
  ])('an order without a usable %s is malformed', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(MalformedMessage);
  });
});

describe('a trade', () => {
  const trade = (
    changes: object,
    side?: 'buy' | 'sell',
    replaced?: Readonly<Record<string, string>>,
  ) =>
    tradeIn(fields({ ...TRADE, ...changes }, replaced), {
      account: ACCOUNT,
      termsOf,
      sideOf: () => side,
    });

  it('a trade has the side of its order, whatever its own word says', () => {
    expect(trade({ direction: 'sell' }, 'buy').side).toBe('buy');
    expect(trade({ direction: 'sell' }).side).toBe('sell');
  });

  it('a trade has its fee in the currency it names, a rebate below zero, and its volatility as a fraction', () => {
    const found = trade({ fee: 'FEE', fee_currency: 'USDC' }, 'buy', { '"FEE"': '-4.0e-7' });
    expect(text(found.fee)).toBe('-0.0000004');
    expect(found).toMatchObject({ feeCurrency: 'USDC', liquidity: 'maker', iv: 0.4125 });
  });

  it('a trade from the archive, without the words of a live one, is read', () => {
    const bare = { state: 'archive', liquidity: undefined, label: undefined, trade_seq: undefined };
    expect(trade(bare)).toMatchObject({ state: 'filled', liquidity: 'taker', label: '' });
    expect(trade({ post_only: 'true', reduce_only: 'false' })).toMatchObject({
      postOnly: true,
      reduceOnly: false,
    });
  });

  test.each(['trade_id', 'order_id', 'price', 'amount', 'fee', 'fee_currency', 'timestamp'])(
    'a trade without %s is malformed',
    (name) => {
      expect(() => trade({ [name]: undefined })).toThrow(MalformedMessage);
    },
  );
});
