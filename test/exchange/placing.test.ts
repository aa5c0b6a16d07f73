import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import { text } from '../../src/values/amounts.ts';
import { accountId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import {
  ALICE,
  accepted,
  BOB,
  Desk,
  limitOf,
  options,
  type PlaceTerms,
  refused,
} from './exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot } from './instruments.ts';

const perpetual = () => new Desk(btcPerpetual);

describe('time in force', () => {
  const book = () => {
    const desk = perpetual();
    desk.quotes(
      [],
      [
        ['100', '50'],
        ['101', '50'],
      ],
    );
    return desk;
  };

  it('good til cancelled takes what it can and rests with the remainder', () => {
    const desk = book();
    const { order, trades } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '80' }));
    expect([order.state, text(order.filledQuantity), trades.length]).toEqual(['open', '50', 1]);
    expect(desk.book('buy')).toEqual(['100×30']);
  });

  it('an order walks level by level and pays each maker its own price', () => {
    const { order, trades } = accepted(
      book().place(ALICE, 'buy', { price: '105', quantity: '80' }),
    );
    expect(trades.map((t) => `${text(t.price)}×${text(t.quantity)}`)).toEqual(['100×50', '101×30']);
    expect(text(order.filledValue)).toBe('8030');
    expect(order.averagePrice && text(order.averagePrice)).toBe('100.375');
  });

  it('immediate or cancel cancels the remainder, without a reason', () => {
    const desk = book();
    const timeInForce = 'immediate_or_cancel';
    const terms: PlaceTerms = { price: '100', quantity: '80', timeInForce };
    const { order } = accepted(desk.place(ALICE, 'buy', terms));
    expect([order.state, text(order.filledQuantity)]).toEqual(['cancelled', '50']);
    expect(order.cancelReason).toBeUndefined();
    expect(desk.book('buy')).toEqual([]);
  });

  it('fill or kill trades all or nothing', () => {
    const desk = book();
    const terms: PlaceTerms = { price: '101', quantity: '110', timeInForce: 'fill_or_kill' };
    const killed = accepted(desk.place(ALICE, 'buy', terms));
    expect([killed.order.state, killed.trades.length]).toEqual(['cancelled', 0]);
    expect(desk.book('sell')).toEqual(['100×50', '101×50']);
    const whole = accepted(desk.place(ALICE, 'buy', { ...terms, quantity: '100' }));
    expect([whole.order.state, whole.trades.length]).toEqual(['filled', 2]);
  });
});

describe('a market order', () => {
  it('the remainder of a market order rests at the band, as a limit order', () => {
    const desk = perpetual();
    desk.reference('100', { min: '98.5', max: '101.5' });
    desk.quotes(
      [],
      [
        ['101', '50'],
        ['102', '50'],
      ],
    );
    const { order } = accepted(desk.place(ALICE, 'buy', { type: 'market', quantity: '80' }));
    expect([order.state, order.originalType, text(limitOf(order))]).toEqual([
      'open',
      'market',
      '101.5',
    ]);
    expect(desk.book('buy')).toEqual(['101.5×30']);
  });

  it('a market order has no time in force of its own', () => {
    const desk = perpetual();
    desk.reference('100', { min: '98.5', max: '101.5' });
    desk.quotes([['99', '20']], []);
    for (const type of ['market', 'market_limit'] as const) {
      const terms = { type, quantity: '10', timeInForce: 'immediate_or_cancel' } as const;
      expect(refused(desk.place(ALICE, 'sell', terms))).toMatchObject({ code: 11047 });
    }
  });

  it('a market order is refused without a band, and on options', () => {
    expect(
      refused(perpetual().place(ALICE, 'buy', { type: 'market', quantity: '10' })),
    ).toMatchObject({ code: 11030, message: 'other_reject price_band_unavailable' });
    const options = new Desk(btcCall);
    expect(refused(options.place(ALICE, 'buy', { type: 'market', quantity: '1' })).data).toEqual({
      param: 'type',
      reason: 'market orders are not supported for options',
    });
  });
});

describe('a market_limit order', () => {
  it('a market_limit order takes only the best level and rests there with the remainder', () => {
    const desk = perpetual();
    desk.quotes(
      [],
      [
        ['101', '50'],
        ['102', '50'],
      ],
    );
    const terms = { type: 'market_limit', quantity: '80' } as const;
    const { order } = accepted(desk.place(ALICE, 'buy', terms));
    expect([order.originalType, order.state, text(order.filledQuantity)]).toEqual([
      'market_limit',
      'open',
      '50',
    ]);
    expect([desk.book('buy'), desk.book('sell')]).toEqual([['101×30'], ['102×50']]);
  });

  it('a market_limit order is refused by an empty book, beyond the band, post-only and on options', () => {
    const desk = perpetual();
    const terms = { type: 'market_limit', quantity: '10' } as const;
    desk.quotes([['99', '10']], []);
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject({
      code: 10011,
      message: 'price_not_allowed',
    });
    desk.reference('100', { min: '99.5', max: '101.5' });
    expect(refused(desk.place(ALICE, 'sell', terms))).toMatchObject({ code: 10005 });
    const postOnly = { ...terms, postOnly: true };
    expect(refused(desk.place(ALICE, 'sell', postOnly))).toMatchObject({ code: 11055 });
    const option = new Desk(btcCall).place(ALICE, 'sell', { ...terms, quantity: '1' });
    expect(refused(option).data?.param).toBe('type');
  });

  it('a market_limit order is accepted on options if the exchange rules allow it', () => {
    const exchange = new Exchange({ ...options(), marketOrdersOnOptions: true });
    const desk = new Desk(btcCall, exchange);
    desk.quotes([], [['0.05', '2']]);
    const terms = { type: 'market_limit', quantity: '1' } as const;
    expect(accepted(desk.place(ALICE, 'buy', terms)).order.state).toBe('filled');
  });
});

describe('beyond the band', () => {
  const clamping = (): Desk => {
    const exchange = new Exchange({ ...options(), clampInverseOptions: true });
    const desk = new Desk(btcCall, exchange);
    desk.reference('0.05', { index: '100000', min: '0.03', max: '0.08' });
    return desk;
  };

  it('an inverse option is clamped to the band if the exchange rules say so', () => {
    const desk = clamping();
    const buy = accepted(desk.place(ALICE, 'buy', { price: '0.1', quantity: '1' })).order;
    expect(text(limitOf(buy))).toBe('0.08');
    const sell = accepted(desk.place(BOB, 'sell', { price: '0.09', quantity: '1' })).order;
    const edited = accepted(desk.edit(BOB, sell.orderId, { price: '0.01' }));
    expect([text(limitOf(edited.order)), edited.order.state]).toEqual(['0.03', 'filled']);
  });

  it('any other order beyond the band is refused', () => {
    const desk = new Desk(btcPerpetual, clamping().exchange);
    desk.reference('100', { min: '98.5', max: '101.5' });
    expect(refused(desk.place(ALICE, 'buy', { price: '102', quantity: '10' })).code).toBe(10007);
  });
});

describe('post-only', () => {
  it('a post-only order rests one tick away from the best opposite price', () => {
    const desk = perpetual();
    desk.quotes([['9000', '10']], [['10000', '10']]);
    const terms = { quantity: '10', postOnly: true };
    const buy = accepted(desk.place(ALICE, 'buy', { ...terms, price: '11000' }));
    expect(text(limitOf(buy.order))).toBe('9999.5');
    const sell = accepted(desk.place(BOB, 'sell', { ...terms, price: '100' }));
    expect(text(limitOf(sell.order))).toBe('10000');
  });

  it('a repriced post-only order rests at a price that is valid in its range', () => {
    const desk = new Desk(btcCall);
    desk.quotes([], [['0.0055', '1']]);
    const terms = { price: '0.006', quantity: '1', postOnly: true };
    expect(text(limitOf(accepted(desk.place(ALICE, 'buy', terms)).order))).toBe('0.005');
  });

  it('a post-only order is refused on request, or if the best offer leaves no price below it', () => {
    const desk = perpetual();
    desk.quotes([], [['0.5', '10']]);
    const terms = { price: '1', quantity: '10', postOnly: true };
    const rejecting = { ...terms, rejectPostOnly: true };
    expect(refused(desk.place(ALICE, 'buy', rejecting))).toMatchObject({ code: 11054 });
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject({ code: 11021 });
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([]);
  });
});

describe('refusals', () => {
  const cases: readonly (readonly [what: string, terms: PlaceTerms, expected: object])[] = [
    [
      'a price off the tick',
      { price: '100.3', quantity: '10' },
      { code: 10043, message: 'price_wrong_tick' },
    ],
    [
      'an amount off the lot',
      { price: '100', quantity: '15' },
      {
        code: -32602,
        data: {
          param: 'amount',
          reason:
            'must be a multiple of contract size; lot 10, minimum 10; nearest accepted: 10 and 20',
        },
      },
    ],
    ['an amount of zero', { price: '100', quantity: '0' }, { code: 10002, message: 'qty_too_low' }],
    ['a negative amount', { price: '100', quantity: '-10' }, { code: 10002 }],
    [
      'a price of zero',
      { price: '0', quantity: '10' },
      { code: 10005, message: 'price_too_low 0.5' },
    ],
    [
      'a price above the band',
      { price: '102', quantity: '10' },
      { code: 10007, message: 'price_too_high 101.5' },
    ],
    ['no price', { quantity: '10' }, { code: -32602, data: { param: 'price' } }],
    [
      'post-only with immediate or cancel',
      { price: '100', quantity: '10', postOnly: true, timeInForce: 'immediate_or_cancel' },
      { code: 11047 },
    ],
    ['post-only market', { type: 'market', quantity: '10', postOnly: true }, { code: 11055 }],
    [
      'reduce-only without a position',
      { price: '100', quantity: '10', reduceOnly: true },
      { code: 11030, message: 'other_reject reduce_direction' },
    ],
    [
      'a label of 65 characters',
      { price: '100', quantity: '10', label: 'x'.repeat(65) },
      { code: -32602, data: { param: 'label' } },
    ],
    [
      'absurdly much',
      { price: '100', quantity: '100000000000000000' },
      { code: 10009, message: 'not_enough_funds' },
    ],
    ['more than there is', { price: '100', quantity: '600000' }, { code: 10009 }],
  ];

  it.each(cases)('an order is refused and changes nothing: %s', (_what, terms, expected) => {
    const desk = perpetual();
    desk.reference('100', { min: '98.5', max: '101.5' });
    const before = desk.exchange.stateHash();
    desk.exchange.drainEvents();
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject(expected);
    expect(desk.exchange.stateHash()).toBe(before);
    expect(desk.exchange.drainEvents()).toEqual([]);
  });

  it("an order is refused from valid_until on, inclusive, by the exchange's clock", () => {
    const desk = perpetual();
    const terms = { price: '100', quantity: '10', validUntil: desk.now };
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject({
      code: 13888,
      message: 'timed_out',
    });
    accepted(desk.place(ALICE, 'buy', { ...terms, validUntil: later(desk.now, 1) }));
  });

  it('a sell below the band, an unknown instrument and an unknown account are refused by name', () => {
    const desk = perpetual();
    desk.reference('100', { min: '98.5', max: '101.5' });
    const terms = { price: '98', quantity: '10' };
    expect(refused(desk.place(ALICE, 'sell', terms)).message).toBe('price_too_low 98.5');
    expect(accepted(desk.place(ALICE, 'buy', terms)).order.state).toBe('open');
    const unknown = { ...terms, instrument: btcSpot.name.concat('X') as typeof btcSpot.name };
    expect(refused(desk.place(ALICE, 'buy', unknown)).data?.param).toBe('instrument_name');
    expect(refused(desk.place(accountId('nobody'), 'buy', terms)).code).toBe(13009);
  });

  it("an order that would reach its owner's own order is refused, but not one that stops before it", () => {
    const desk = perpetual();
    desk.quotes([], [['100', '30']]);
    desk.place(ALICE, 'sell', { price: '101', quantity: '10' });
    const terms = { price: '101', quantity: '40' };
    expect(refused(desk.place(ALICE, 'buy', terms))).toMatchObject({ code: 10003 });
    const { trades } = accepted(desk.place(ALICE, 'buy', { ...terms, quantity: '30' }));
    expect(trades).toHaveLength(1);
  });

  it('an order is refused while its book settles, when it is locked and when it has expired', () => {
    const desk = new Desk(btcCall);
    const terms = { price: '0.01', quantity: '1' };
    const { order } = accepted(desk.place(ALICE, 'buy', terms));
    const set = (state: 'settlement' | 'locked' | 'open') =>
      desk.do({ kind: 'set_book_state', now: desk.now, instrument: desk.name, state });
    set('settlement');
    expect(refused(desk.place(ALICE, 'buy', terms)).code).toBe(10041);
    expect(refused(desk.cancel(ALICE, order.orderId)).code).toBe(10041);
    set('locked');
    expect(refused(desk.edit(ALICE, order.orderId, { price: '0.02' })).code).toBe(10019);
    expect(accepted(desk.cancel(ALICE, order.orderId)).order.state).toBe('cancelled');
    set('open');
    desk.now = btcCall.expiresAt ?? desk.now;
    expect(refused(desk.place(ALICE, 'buy', terms)).code).toBe(13019);
  });

  it('flags that spot does not support are refused', () => {
    const desk = new Desk(btcSpot);
    const terms = { price: '100', quantity: '1' };
    expect(refused(desk.place(ALICE, 'sell', { ...terms, reduceOnly: true })).data?.param).toBe(
      'reduce_only',
    );
    const timeInForce = 'good_til_day';
    expect(refused(desk.place(ALICE, 'sell', { ...terms, timeInForce })).data?.param).toBe(
      'time_in_force',
    );
  });
});
