// A pair that is matched on another exchange: which orders it takes, and fills that follow the answer. By the venue's page.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../../src/exchange/exchange-command.ts';
import { ROUTED_FILLS_AFTER_MS } from '../../../src/exchange/model/instruments/contract-rules.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import type { OrderId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, Desk, options, type PlaceTerms, refused } from '../exchange-desk.ts';
import { btcSpot } from '../instruments.ts';

const routed: Instrument = { ...btcSpot, isRouted: true };

/** Quoted at 99 900 by 100 000, one coin each. */
function quoted(instrument = routed): Desk {
  const desk = new Desk(instrument, new Exchange({ ...options([instrument]), speedBumpMs: 10 }));
  desk.reference('100000', { min: '90000', max: '110000' });
  desk.quotes([['99900', '1']], [['100000', '1']]);
  return desk;
}

function pass(desk: Desk, ms: number): void {
  desk.now = later(desk.now, ms);
  desk.do({ kind: 'release_orders', now: desk.now });
}

const idOf = (answer: ExchangeAnswer): OrderId => accepted(answer).order.orderId;
const TAKE = { price: '100000', quantity: '0.4' } as const;

describe('fills', () => {
  it('fills follow the answer, which shows the order open and without trades', () => {
    const desk = quoted();
    const { order, trades } = accepted(desk.place(ALICE, 'buy', TAKE));
    expect([order.state, text(order.filledQuantity), trades]).toEqual(['open', '0', []]);
    pass(desk, ROUTED_FILLS_AFTER_MS - 1);
    expect(desk.order(ALICE, order.orderId).state).toBe('open');
    pass(desk, 1);
    expect(desk.order(ALICE, order.orderId).state).toBe('filled');
    expect([desk.balance(ALICE, 'BTC'), desk.balance(ALICE, 'USDC')]).toEqual(['100.4', '4960000']);
  });

  it('a resting order is filled by the orders that arrive', () => {
    const desk = quoted();
    const id = idOf(desk.place(ALICE, 'sell', { price: '100500', quantity: '0.3' }));
    expect(desk.book('sell')).toEqual(['100000×1', '100500×0.3']);
    desk.take('buy', '1.2', '100500');
    expect(text(desk.order(ALICE, id).filledQuantity)).toBe('0.2');
  });

  it.each([
    ['immediate_or_cancel', '1.5', 'cancelled', '1'],
    ['immediate_or_cancel', '1', 'filled', '1'],
    ['fill_or_kill', '1.5', 'cancelled', '0'],
    ['fill_or_kill', '1', 'filled', '1'],
  ] as const)(
    'an order with %s for %s coins is %s afterwards, with %s filled',
    (timeInForce, size, state, filled) => {
      const desk = quoted();
      const id = idOf(desk.place(ALICE, 'buy', { ...TAKE, quantity: size, timeInForce }));
      expect(desk.order(ALICE, id).state).toBe('open');
      pass(desk, ROUTED_FILLS_AFTER_MS);
      const after = desk.order(ALICE, id);
      expect([after.state, text(after.filledQuantity)]).toEqual([state, filled]);
    },
  );

  it('a market order is filled after its answer, and may be immediate_or_cancel', () => {
    const desk = quoted();
    const timeInForce = 'immediate_or_cancel';
    const market = { type: 'market', quantity: '0.5', timeInForce } as const;
    const id = idOf(desk.place(BOB, 'sell', market));
    expect(text(desk.order(BOB, id).filledQuantity)).toBe('0');
    pass(desk, ROUTED_FILLS_AFTER_MS);
    expect(desk.order(BOB, id).state).toBe('filled');
    expect(desk.balance(BOB, 'USDC')).toBe('5049950');
    expect(refused(quoted(btcSpot).place(BOB, 'sell', market)).code).toBe(11047);
  });

  it('an order may fill after its cancel, and an edit before that is refused for the moment', () => {
    const desk = quoted();
    const id = idOf(desk.place(ALICE, 'buy', TAKE));
    expect(refused(desk.edit(ALICE, id, { price: '99000' }))).toMatchObject({
      code: 10040,
      message: 'retry',
    });
    expect(accepted(desk.cancel(ALICE, id)).order.state).toBe('open');
    pass(desk, ROUTED_FILLS_AFTER_MS);
    expect(desk.order(ALICE, id).state).toBe('filled');
  });
});

describe('orders', () => {
  const sibling = {
    side: 'sell',
    type: 'limit',
    quantity: quantity('0.4'),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: '',
  } as const;
  const link = {
    kind: 'one_triggers_other',
    fillCondition: 'first_hit',
    others: [sibling],
  } as const;
  const stop = { trigger: 'last_price', triggerPrice: routed.tickSize } as const;

  it.each<[string, Partial<PlaceTerms>, number, string]>([
    ['with good_til_day', { timeInForce: 'good_til_day' }, -32602, 'Invalid params'],
    ['that only reduces', { reduceOnly: true }, -32602, 'Invalid params'],
    ['with MMP', { mmp: true }, -32602, 'Invalid params'],
    ['post only, repriced', { postOnly: true }, 11055, 'post_only_not_allowed'],
    ['as an iceberg', { displayQuantity: quantity('0.1') }, 11059, 'iceberg_not_allowed'],
    [
      'of type market_limit',
      { type: 'market_limit' },
      11060,
      'not_supported_for_coinbase_routed_spot',
    ],
    [
      'of type take_limit',
      { type: 'take_limit', ...stop },
      11060,
      'not_supported_for_coinbase_routed_spot',
    ],
    [
      'with a trigger on the mark price',
      { type: 'stop_limit', ...stop, trigger: 'mark_price' },
      11060,
      'not_supported_for_coinbase_routed_spot',
    ],
    ['that is linked', { link }, 13922, 'linked_order_type_not_supported_for_csr_spot'],
  ])('an order %s is refused', (_, change, code, message) => {
    const desk = quoted();
    const terms = { ...TAKE, price: '99000', ...change };
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject({ code, message });
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([]);
  });

  it('a post-only order with reject_post_only rests, or is refused', () => {
    const desk = quoted();
    const maker = { postOnly: true, rejectPostOnly: true } as const;
    expect(refused(desk.place(ALICE, 'buy', { ...TAKE, ...maker })).code).toBe(11054);
    const below = { ...TAKE, price: '99950', ...maker };
    expect(accepted(desk.place(ALICE, 'buy', below)).order.state).toBe('open');
    expect(desk.book('buy')).toEqual(['99950×0.4', '99900×1']);
  });

  it('an edit is refused where a new order with its terms would be', () => {
    const desk = quoted();
    const id = idOf(desk.place(ALICE, 'buy', { ...TAKE, price: '99000' }));
    expect(refused(desk.edit(ALICE, id, { postOnly: true })).code).toBe(11055);
    const iceberg = { displayQuantity: quantity('0.1') };
    expect(refused(desk.edit(ALICE, id, iceberg)).code).toBe(11059);
    expect(accepted(desk.edit(ALICE, id, { price: '99100' })).order.state).toBe('open');
  });
});

it('what was traded in the pair is unknown, also after trades', () => {
  const traded = (desk: Desk): string | undefined => {
    desk.take('buy', '0.5', '100000');
    const known = desk.exchange.traded(desk.name);
    return known && text(known);
  };
  expect([traded(quoted()), traded(quoted(btcSpot))]).toEqual([undefined, '0.5']);
});

it('a structure with a leg in the pair gets no quotes', () => {
  const desk = quoted();
  const legs = [{ instrument: desk.name, side: 'buy', quantity: quantity('1') }] as const;
  const { now } = desk;
  const created = desk.exchange.handle({
    kind: 'create_rfq',
    now,
    account: ALICE,
    legs,
    makers: [],
    disclosed: true,
    allocations: [],
    label: '',
  });
  expect(created).toMatchObject({ kind: 'refused', code: 11060, data: { param: 'legs' } });
});
