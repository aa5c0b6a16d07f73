// Trigger orders on explicit books: when they are triggered, what they become, and how they can be changed.

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { currency, type OrderId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import type { OrderType, TriggerSource } from '../../../src/values/order-terms.ts';
import { ALICE, accepted, BOB, Desk, options, type PlaceTerms, refused } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, EXPIRY, ethFuture } from '../instruments.ts';

const triggered = (
  type: OrderType,
  at: string,
  trigger: TriggerSource = 'mark_price',
): Pick<PlaceTerms, 'type' | 'trigger' | 'triggerPrice'> => ({
  type,
  trigger,
  triggerPrice: price(at),
});

/** A perpetual at 100 with a band of ±10 and quotes around it. */
function marketAt100(): Desk {
  const desk = new Desk(btcPerpetual);
  desk.reference('100', { min: '90', max: '110' });
  desk.quotes([['99', '1000']], [['101', '1000']]);
  return desk;
}

const mark = (desk: Desk, at: string): void => desk.reference(at, { min: '90', max: '110' });
const idOf = (answer: Parameters<typeof accepted>[0]): OrderId => accepted(answer).order.orderId;
const childOf = (desk: Desk, id: OrderId) =>
  desk.exchange
    .drainEvents()
    .flatMap((event) => (event.kind === 'order_changed' ? [event.order] : []))
    .find(({ triggerOrderId }) => triggerOrderId === id);

describe('a trigger order', () => {
  it('a trigger order is in no book, has its own series of ids, and is listed among the open orders', () => {
    const desk = marketAt100();
    const { order, trades } = accepted(
      desk.place(ALICE, 'sell', { ...triggered('stop_limit', '95'), price: '94', quantity: '10' }),
    );
    expect(trades).toEqual([]);
    expect(order).toMatchObject({
      orderId: 'SLMS-1',
      state: 'untriggered',
    });
    expect(order.trigger?.price && text(order.trigger.price)).toBe('95');
    expect(desk.book('sell')).toEqual(['101×1000']);
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([order]);
  });

  it.each([
    ['stop_market', 'sell', 'index_price', 'SLIS-1'],
    ['take_limit', 'sell', 'last_price', 'TPTS-1'],
    ['trailing_stop', 'buy', 'mark_price', 'TSMB-1'],
  ] as const)('a %s to %s on %s has the id %s', (type, side, trigger, id) => {
    const desk = marketAt100();
    const triggerPrice = price(side === 'sell' && type === 'take_limit' ? '105' : '95');
    const terms = { trigger, triggerPrice, triggerOffset: price('5'), price: '100' };
    expect(idOf(desk.place(ALICE, side, { type, ...terms, quantity: '10' }))).toBe(id);
  });

  it('the id of a trigger order contains the currency, except for BTC', () => {
    const eth = new Desk(ethFuture);
    const stop = { ...triggered('stop_market', '3900'), quantity: '1' };
    expect(idOf(eth.place(ALICE, 'sell', stop))).toBe('ETH-SLMS-1');
    expect(idOf(eth.place(ALICE, 'sell', stop))).toBe('ETH-SLMS-2');
    const spot = new Desk(btcSpot);
    const terms = { ...triggered('stop_market', '90000'), quantity: '1' };
    expect(idOf(spot.place(ALICE, 'sell', terms))).toBe('USDC-SLMS-1');
  });

  it.each([
    ['stop_market', 'sell', '95', ['95.5', '95']],
    ['stop_market', 'buy', '105', ['104.5', '105']],
    ['take_market', 'sell', '105', ['104.5', '105']],
    ['take_market', 'buy', '95', ['95.5', '95']],
    ['stop_market', 'sell', '95', ['95.3', '94.9']],
    ['stop_market', 'buy', '105', ['104.9', '105.2']],
  ] as const)(
    'a %s to %s at %s is triggered at the price or beyond: %s',
    (type, side, at, [before, met]) => {
      const desk = marketAt100();
      const id = idOf(desk.place(ALICE, side, { ...triggered(type, at), quantity: '10' }));
      mark(desk, before);
      expect(desk.order(ALICE, id).state).toBe('untriggered');
      mark(desk, met);
      expect(desk.order(ALICE, id).state).toBe('triggered');
      expect(desk.position(ALICE)).toBe(side === 'buy' ? '10' : '-10');
    },
  );

  it('a triggered order is replaced by a new order with its label, published after it', () => {
    const desk = marketAt100();
    const stop = { ...triggered('stop_limit', '95'), price: '94', quantity: '10', label: 'guard' };
    const id = idOf(desk.place(ALICE, 'sell', stop));
    desk.quotes([['93', '1000']], [['101', '1000']]);
    desk.exchange.drainEvents();
    mark(desk, '95');
    const published = desk.exchange
      .drainEvents()
      .flatMap((event) => (event.kind === 'order_changed' ? [event.order] : []));
    expect(published.map(({ orderId, state }) => [orderId, state])).toEqual([
      [id, 'triggered'],
      ['1', 'open'],
    ]);
    expect(published[1]).toMatchObject({
      originalType: 'limit',
      label: 'guard',
      triggerOrderId: id,
    });
    expect(desk.book('sell')).toEqual(['94×10', '101×1000']);
    expect(desk.exchange.ordersByLabel(ALICE, 'guard')).toHaveLength(2);
    expect(refused(desk.cancel(ALICE, id)).code).toBe(11044);
  });

  it('a trigger on the index ignores the mark price', () => {
    const desk = marketAt100();
    const stop = { ...triggered('stop_market', '95', 'index_price'), quantity: '10' };
    const id = idOf(desk.place(ALICE, 'sell', stop));
    desk.reference('90', { index: '96', min: '80', max: '110' });
    expect(desk.order(ALICE, id).state).toBe('untriggered');
    desk.reference('100', { index: '95', min: '80', max: '110' });
    expect(desk.order(ALICE, id).state).toBe('triggered');
  });

  it('a trigger on the last price is met by a single trade of any account', () => {
    const desk = marketAt100();
    desk.quotes(
      [
        ['99', '1000'],
        ['95', '50'],
        ['94', '50'],
      ],
      [['101', '1000']],
    );
    const stop = { ...triggered('stop_market', '95', 'last_price'), quantity: '10' };
    const id = idOf(desk.place(ALICE, 'sell', stop));
    mark(desk, '95');
    expect(desk.order(ALICE, id).state).toBe('untriggered');
    desk.take('sell', '1010', '95');
    expect(desk.order(ALICE, id).state).toBe('triggered');
    expect(desk.book('buy')).toEqual(['95×30', '94×50']);
  });

  it('trades of triggered orders trigger others, the earlier placed first', () => {
    const desk = marketAt100();
    desk.quotes(
      [
        ['99', '20'],
        ['98', '20'],
        ['97', '20'],
        ['96', '100'],
      ],
      [['101', '1000']],
    );
    const stop = (account: typeof ALICE, at: string, quantity: string) =>
      idOf(
        desk.place(account, 'sell', { ...triggered('stop_market', at, 'last_price'), quantity }),
      );
    const [late, first, second] = [
      stop(ALICE, '97', '20'),
      stop(ALICE, '99', '20'),
      stop(BOB, '98', '20'),
    ];
    desk.take('sell', '10', '99');
    const fills = [late, first, second].map(
      (id) => desk.order(id === second ? BOB : ALICE, id).state,
    );
    expect(fills).toEqual(['triggered', 'triggered', 'triggered']);
    const prices = (account: typeof ALICE) =>
      desk.exchange.tradesSince(account, desk.now).map((t) => `${t.quantity}@${t.price}`);
    expect(prices(ALICE)).toEqual(['10@99', '10@98', '10@97', '10@96']);
    expect(prices(BOB)).toEqual(['10@98', '10@97']);
  });

  it('orders triggered by one price are activated in the order of placement', () => {
    const desk = marketAt100();
    desk.quotes(
      [
        ['94', '10'],
        ['93', '10'],
      ],
      [['101', '1000']],
    );
    for (const account of [BOB, ALICE]) {
      desk.place(account, 'sell', {
        ...triggered('stop_market', account === BOB ? '95' : '96'),
        quantity: '10',
      });
    }
    mark(desk, '94');
    const at = (account: typeof ALICE) =>
      text(desk.exchange.tradesSince(account, desk.now)[0]?.price ?? price('0'));
    expect([at(BOB), at(ALICE)]).toEqual(['94', '93']);
  });
});

describe('placing a trigger order', () => {
  it.each([
    ['without a trigger', { type: 'stop_market', triggerPrice: price('95') }, -32602],
    ['without a trigger price', { type: 'stop_market', trigger: 'mark_price' }, -32602],
    ['without an offset', { type: 'trailing_stop', trigger: 'mark_price' }, -32602],
    ['without a limit', triggered('stop_limit', '95'), -32602],
    ['off the tick', triggered('stop_market', '95.3'), 10044],
    [
      'with an offset off the tick',
      { type: 'trailing_stop', trigger: 'mark_price', triggerOffset: price('0.3') },
      10044,
    ],
    ['at a price of zero', triggered('stop_market', '0'), 10035],
    ['far above any market', triggered('stop_market', '1000000000000'), 10034],
    ['whose trigger is already met', triggered('stop_market', '100'), 11036],
    [
      'with a trailing offset larger than the price',
      { type: 'trailing_stop', trigger: 'mark_price', triggerOffset: price('100') },
      11036,
    ],
    [
      'trailing a price that is not known',
      { type: 'trailing_stop', trigger: 'last_price', triggerOffset: price('5') },
      11030,
    ],
    [
      'that would be post-only without a limit',
      { ...triggered('stop_market', '95'), postOnly: true },
      11055,
    ],
    [
      'that is an iceberg',
      { ...triggered('stop_market', '95'), displayQuantity: price('10') as never },
      11047,
    ],
  ] as const)('a trigger order %s is refused', (_what, terms, code) => {
    const desk = marketAt100();
    expect(refused(desk.place(ALICE, 'sell', { ...(terms as object), quantity: '10' })).code).toBe(
      code,
    );
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([]);
  });

  it('a plain order with a trigger price is refused, not placed in the book', () => {
    const desk = marketAt100();
    const terms = { price: '99', triggerPrice: price('95'), quantity: '10' };
    expect(refused(desk.place(ALICE, 'sell', terms)).code).toBe(11047);
  });

  it('an order whose trigger is already met is triggered at once if the exchange rules allow it', () => {
    const exchange = new Exchange({ ...options(), triggerAlreadyMet: 'fire' });
    const desk = new Desk(btcPerpetual, exchange);
    mark(desk, '100');
    desk.quotes([['99', '1000']], []);
    const id = idOf(
      desk.place(ALICE, 'sell', { ...triggered('stop_market', '105'), quantity: '10' }),
    );
    expect(desk.order(ALICE, id).state).toBe('triggered');
    expect(desk.position(ALICE)).toBe('-10');
  });

  it('trigger orders are limited per account across all instruments', () => {
    const exchange = new Exchange({ ...options(), triggersMax: 2 });
    const [btc, eth] = [new Desk(btcPerpetual, exchange), new Desk(ethFuture, exchange)];
    const stop = { ...triggered('stop_market', '95'), quantity: '10' };
    const first = idOf(btc.place(ALICE, 'sell', stop));
    accepted(eth.place(ALICE, 'sell', stop));
    expect(refused(eth.place(ALICE, 'sell', stop))).toMatchObject({
      code: 11035,
      message: 'no_more_triggers 2',
    });
    accepted(btc.place(BOB, 'sell', stop));
    btc.cancel(ALICE, first);
    accepted(eth.place(ALICE, 'sell', stop));
  });

  it('an option is watched in its coin by its mark price, in USD by its index', () => {
    const desk = new Desk(btcCall);
    desk.reference('0.05', { index: '100000', min: '0.01', max: '0.2' });
    const limit = { price: '0.04', quantity: '1' };
    accepted(desk.place(ALICE, 'sell', { ...triggered('stop_limit', '0.045'), ...limit }));
    const onIndex = triggered('stop_limit', '95000.01', 'index_price');
    const id = idOf(desk.place(ALICE, 'sell', { ...onIndex, ...limit }));
    desk.reference('0.05', { index: '95000.02', min: '0.01', max: '0.2' });
    expect(desk.order(ALICE, id).state).toBe('untriggered');
    desk.reference('0.05', { index: '95000.01', min: '0.01', max: '0.2' });
    expect(desk.order(ALICE, id).state).toBe('triggered');
  });
});

describe('activation', () => {
  it('funds are checked at the trigger: a child without funds stays on record as rejected', () => {
    const desk = marketAt100();
    const huge = { ...triggered('stop_market', '105'), quantity: '1000000000' };
    const id = idOf(desk.place(ALICE, 'buy', huge));
    desk.exchange.drainEvents();
    mark(desk, '105');
    const child = childOf(desk, id);
    expect(desk.order(ALICE, id).state).toBe('triggered');
    expect(child).toMatchObject({ state: 'rejected', rejectReason: 'not_enough_funds' });
    expect(desk.exchange.closedOrders(ALICE).map(({ state }) => state)).toEqual([
      'triggered',
      'rejected',
    ]);
    expect(desk.exchange.openOrders({ account: ALICE })).toEqual([]);
  });

  it('reduce-only is checked and capped against the position at the trigger', () => {
    const desk = marketAt100();
    const stop = { ...triggered('stop_market', '95'), quantity: '50', reduceOnly: true };
    const [kept, refusedLater] = [
      idOf(desk.place(ALICE, 'sell', stop)),
      idOf(desk.place(BOB, 'sell', stop)),
    ];
    desk.place(ALICE, 'buy', { price: '101', quantity: '30' });
    desk.exchange.drainEvents();
    mark(desk, '95');
    expect(desk.position(ALICE)).toBe('0');
    expect(text(desk.exchange.tradesSince(ALICE, desk.now).at(-1)?.quantity ?? price('0'))).toBe(
      '30',
    );
    expect(desk.order(ALICE, kept).state).toBe('triggered');
    expect(childOf(desk, refusedLater)).toMatchObject({
      rejectReason: 'other_reject reduce_direction',
    });
  });

  it('a limit outside the band is refused at the trigger', () => {
    const desk = marketAt100();
    const id = idOf(
      desk.place(ALICE, 'buy', { ...triggered('stop_limit', '105'), price: '200', quantity: '10' }),
    );
    desk.exchange.drainEvents();
    mark(desk, '105');
    expect(childOf(desk, id)?.rejectReason).toMatch(/^price_too_high/);
  });

  it('a paused book triggers nothing until it trades again', () => {
    const desk = marketAt100();
    const id = idOf(
      desk.place(ALICE, 'sell', { ...triggered('stop_market', '95'), quantity: '10' }),
    );
    const set = (state: 'open' | 'locked') =>
      desk.do({ kind: 'set_book_state', now: desk.now, instrument: desk.name, state });
    set('locked');
    mark(desk, '94');
    expect(desk.order(ALICE, id).state).toBe('untriggered');
    set('open');
    mark(desk, '94');
    expect(desk.order(ALICE, id).state).toBe('triggered');
  });
});

describe('trailing stops', () => {
  const trailing = (side: Side, desk: Desk, offset: string) =>
    desk.place(ALICE, side, {
      type: 'trailing_stop',
      trigger: 'mark_price',
      triggerOffset: price(offset),
      quantity: '10',
    });
  const wide = (desk: Desk, at: string) => desk.reference(at, { min: '50000', max: '200000' });
  const triggerAt = (desk: Desk, id: OrderId) => {
    const { trigger } = desk.order(ALICE, id);
    return trigger?.price && text(trigger.price);
  };

  it('a sell trailing stop follows the peak and is triggered at the offset below it', () => {
    const desk = new Desk(btcPerpetual);
    wide(desk, '120000');
    desk.quotes([['119000', '1000']], []);
    const { order } = accepted(trailing('sell', desk, '5000'));
    expect(order.trigger?.reference && text(order.trigger.reference)).toBe('120000');
    const seen = ['120000', '125000', '121000', '120000.5'].map((at) => {
      wide(desk, at);
      return triggerAt(desk, order.orderId);
    });
    expect(seen).toEqual(['115000', '120000', '120000', '120000']);
    expect(desk.order(ALICE, order.orderId).state).toBe('untriggered');
    wide(desk, '120000');
    expect(desk.order(ALICE, order.orderId).state).toBe('triggered');
    expect(desk.position(ALICE)).toBe('-10');
  });

  it('a buy trailing stop follows the trough', () => {
    const desk = new Desk(btcPerpetual);
    wide(desk, '100000');
    desk.quotes([], [['100000', '1000']]);
    const { order } = accepted(trailing('buy', desk, '1000'));
    const seen = ['99000.3', '99900', '98000', '98999.5'].map((at) => {
      wide(desk, at);
      return triggerAt(desk, order.orderId);
    });
    expect(seen).toEqual(['100000.5', '100000.5', '99000', '99000']);
    wide(desk, '99000');
    expect(desk.position(ALICE)).toBe('10');
  });

  it('trailing moves are not published to the owner, but journaled', () => {
    const desk = new Desk(btcPerpetual);
    wide(desk, '120000');
    const { order } = accepted(trailing('sell', desk, '5000'));
    desk.exchange.drainEvents();
    wide(desk, '125000');
    expect(desk.exchange.drainEvents()).toEqual([
      {
        kind: 'trailing_moved',
        at: desk.now,
        extremes: [{ orderId: order.orderId, extreme: price('125000') }],
      },
    ]);
  });

  it('an edit of the offset keeps the peak', () => {
    const desk = new Desk(btcPerpetual);
    wide(desk, '120000');
    const { order } = accepted(trailing('sell', desk, '5000'));
    wide(desk, '125000');
    wide(desk, '122000');
    desk.edit(ALICE, order.orderId, { triggerOffset: price('10000') });
    expect(triggerAt(desk, order.orderId)).toBe('115000');
    const tooNear = desk.edit(ALICE, order.orderId, { triggerOffset: price('2000') });
    expect(refused(tooNear).code).toBe(11036);
    expect(refused(desk.edit(ALICE, order.orderId, { triggerPrice: price('1') })).code).toBe(11047);
  });
});

describe('while untriggered', () => {
  const stop = { ...triggered('stop_limit', '95'), price: '94', quantity: '10', label: 'guard' };

  it('price, amount and trigger can be edited, by id and by label', () => {
    const desk = marketAt100();
    const id = idOf(desk.place(ALICE, 'sell', stop));
    accepted(desk.edit(ALICE, id, { price: '93', quantity: '30' }));
    const { order } = accepted(desk.editByLabel(ALICE, 'guard', { triggerPrice: price('96') }));
    expect(order).toMatchObject({ orderId: id, state: 'untriggered', replaced: true });
    mark(desk, '96');
    expect(desk.order(ALICE, id).state).toBe('triggered');
    expect(desk.position(ALICE)).toBe('-30');
  });

  it.each([
    [{ triggerPrice: price('100') }, 11036],
    [{ triggerPrice: price('95.2') }, 10044],
    [{ price: '93.2' }, 10043],
    [{ quantity: '15' }, -32602],
    [{ triggerOffset: price('5') }, 11047],
  ] as const)('an edit to %o is refused and changes nothing', (terms, code) => {
    const desk = marketAt100();
    const { order } = accepted(desk.place(ALICE, 'sell', stop));
    expect(refused(desk.edit(ALICE, order.orderId, terms)).code).toBe(code);
    expect(desk.order(ALICE, order.orderId)).toEqual(order);
  });

  it('a trigger price in an edit of a resting order is refused', () => {
    const desk = marketAt100();
    const id = idOf(desk.place(ALICE, 'buy', { price: '98', quantity: '10' }));
    expect(refused(desk.edit(ALICE, id, { triggerPrice: price('97') })).code).toBe(11047);
  });

  it('an untriggered order can be cancelled by id, by label, and by type', () => {
    const desk = marketAt100();
    const [a] = [idOf(desk.place(ALICE, 'sell', stop)), idOf(desk.place(ALICE, 'sell', stop))];
    expect(accepted(desk.cancel(ALICE, a)).order).toMatchObject({
      state: 'cancelled',
      cancelReason: 'user_request',
    });
    const { now } = desk;
    const byLabel = { kind: 'cancel_by_label', now, account: ALICE, label: 'guard' } as const;
    expect(desk.do(byLabel)).toEqual({ kind: 'count', count: 1 });
    desk.place(ALICE, 'sell', stop);
    desk.place(ALICE, 'sell', { ...triggered('take_market', '105'), quantity: '10' });
    desk.place(ALICE, 'buy', { price: '98', quantity: '10' });
    const cancelAll = (types: readonly OrderType[]) =>
      desk.do({ kind: 'cancel_all', now, account: ALICE, types });
    expect(cancelAll(['take_limit', 'take_market'])).toEqual({ kind: 'count', count: 1 });
    expect(cancelAll(['trailing_stop'])).toEqual({ kind: 'count', count: 0 });
    expect(cancelAll(['limit'])).toEqual({ kind: 'count', count: 1 });
    const left = desk.exchange.openOrders({ account: ALICE });
    expect(left.map(({ originalType }) => originalType)).toEqual(['stop_limit']);
    mark(desk, '94');
    expect(
      desk.exchange.closedOrders(ALICE).filter(({ state }) => state === 'triggered'),
    ).toHaveLength(1);
  });

  it('an untriggered day order is cancelled at the settlement, any other at the expiry', () => {
    const desk = new Desk(ethFuture);
    desk.reference('4000', { min: '3000', max: '5000' });
    const terms = { ...triggered('stop_limit', '3900'), price: '3800', quantity: '1' };
    const day = idOf(desk.place(ALICE, 'sell', { ...terms, timeInForce: 'good_til_day' }));
    const kept = idOf(desk.place(ALICE, 'sell', terms));
    desk.do({ kind: 'settle_day', now: desk.now });
    expect(desk.order(ALICE, day)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'settlement',
    });
    expect(desk.order(ALICE, kept).state).toBe('untriggered');
    desk.now = later(EXPIRY, 0);
    const instrument = desk.name;
    desk.do({ kind: 'expire_instrument', now: desk.now, instrument, deliveryPrice: price('3500') });
    const ended = desk.order(ALICE, kept);
    expect([ended.state, ended.cancelReason]).toEqual(['cancelled', undefined]);
  });

  it('an untriggered order reserves no funds', () => {
    const desk = new Desk(btcSpot);
    const before = desk.exchange.availableFunds(ALICE, currency('USDC'));
    accepted(
      desk.place(ALICE, 'buy', {
        ...triggered('stop_limit', '110000'),
        price: '110000',
        quantity: '40',
      }),
    );
    expect(desk.exchange.availableFunds(ALICE, currency('USDC'))).toEqual(before);
  });
});
