// Linked orders on explicit books: how a fill or the end of one order affects the others.

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';

import type { ExchangeOrder } from '../../../src/exchange/order.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { orderId } from '../../../src/values/ids.ts';
import type { Side } from '../../../src/values/instrument.ts';
import type { FillCondition, LinkKind, OrderTerms } from '../../../src/values/order-terms.ts';
import { ALICE, accepted, BOB, Desk, options, type PlaceTerms, refused } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot } from '../instruments.ts';

type OtherTerms = Partial<Omit<OrderTerms, 'price' | 'quantity' | 'side'>> & {
  readonly price?: string;
  readonly quantity: string;
};

const other = (side: Side, terms: OtherTerms): OrderTerms => ({
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
  ...terms,
  side,
  quantity: quantity(terms.quantity),
  price: terms.price === undefined ? undefined : price(terms.price),
});

const takeAt = (at: string, amount = '100') => other('sell', { price: at, quantity: amount });
const stopAt = (at: string, amount = '100') =>
  other('sell', {
    type: 'stop_market',
    trigger: 'mark_price',
    triggerPrice: price(at),
    quantity: amount,
  });

const linked = (
  kind: LinkKind,
  fillCondition: FillCondition,
  others: readonly OrderTerms[],
): Pick<PlaceTerms, 'link'> => ({ link: { kind, fillCondition, others } });

const OTO = 'one_triggers_other';
const OCO = 'one_cancels_other';
const OTOCO = 'one_triggers_one_cancels_other';

/** A perpetual at 100 with an empty book and a wide band. */
function emptyMarket(exchange?: Exchange): Desk {
  const desk = new Desk(btcPerpetual, exchange);
  desk.reference('100', { min: '50', max: '200' });
  return desk;
}
const mark = (desk: Desk, at: string) => desk.reference(at, { min: '50', max: '200' });

/** Buys 100 at 90, linked. */
const primary = (desk: Desk, link: Pick<PlaceTerms, 'link'>, terms: Partial<PlaceTerms> = {}) =>
  accepted(desk.place(ALICE, 'buy', { price: '90', quantity: '100', ...terms, ...link })).order;

const fill = (desk: Desk, amount: string) => desk.take('sell', amount, '90');
const open = (desk: Desk) => desk.exchange.openOrders({ account: ALICE });
const shown = (orders: readonly ExchangeOrder[]) =>
  orders.map((o) => `${o.orderId} ${o.state} ${text(o.filledQuantity)}/${text(o.quantity)}`);
const stateOf = (desk: Desk, id: string) => {
  const { state, cancelReason } = desk.order(ALICE, orderId(id));
  return cancelReason === undefined ? state : `${state} ${cancelReason}`;
};

describe('one triggers other', () => {
  it('dormant orders are shown next to their primary, under ids of their own', () => {
    const desk = emptyMarket();
    const order = primary(desk, linked(OTO, 'first_hit', [takeAt('110'), stopAt('80')]));
    expect(order.link).toMatchObject({
      kind: OTO,
      role: 'primary',
      fillCondition: 'first_hit',
      secondaryIds: ['OTO-1', 'OTO-2'],
    });
    expect(shown(open(desk))).toEqual([
      '1 open 0/100',
      'OTO-1 untriggered 0/100',
      'OTO-2 untriggered 0/100',
    ]);
    expect(open(desk)[1]?.link).toMatchObject({ role: 'secondary', primaryId: order.orderId });
    expect(open(desk)[1]?.link?.ocoRef).toBeUndefined();
    expect(desk.book('sell')).toEqual([]);
    mark(desk, '79');
    expect(stateOf(desk, 'OTO-2')).toBe('untriggered');
  });

  it('first hit: the first fill places all secondaries in full', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'first_hit', [takeAt('110'), stopAt('80')]));
    desk.exchange.drainEvents();
    fill(desk, '10');
    expect(desk.book('sell')).toEqual(['110×100']);
    expect(shown(open(desk))).toEqual([
      '1 open 10/100',
      '2 open 0/100',
      'SLMS-1 untriggered 0/100',
    ]);
    expect(stateOf(desk, 'OTO-1')).toBe('triggered');
    const placed = desk.order(ALICE, orderId('2'));
    expect(placed).toMatchObject({ triggerOrderId: 'OTO-1', link: { primaryId: '1' } });
    fill(desk, '90');
    expect(desk.book('sell')).toEqual(['110×100']);
  });

  it('complete fill: secondaries are placed with the last lot', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'complete_fill', [takeAt('110')]));
    fill(desk, '90');
    expect(desk.book('sell')).toEqual([]);
    fill(desk, '10');
    expect(desk.book('sell')).toEqual(['110×100']);
  });

  it('complete fill: a primary cancelled after a partial fill triggers nothing', () => {
    const desk = emptyMarket();
    const { orderId: id } = primary(desk, linked(OTO, 'complete_fill', [takeAt('110')]));
    fill(desk, '90');
    desk.cancel(ALICE, id);
    expect(stateOf(desk, 'OTO-1')).toBe('cancelled oto_primary_closed');
    expect(open(desk)).toEqual([]);
  });

  it('incremental: one secondary grows by its share, rounded down, up to its total', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'incremental', [takeAt('110', '70')]));
    const seen = ['30', '30', '40'].map((amount) => {
      fill(desk, amount);
      return shown(open(desk));
    });
    expect(seen).toEqual([
      ['1 open 30/100', 'OTO-1 untriggered 0/70', '2 open 0/20'],
      ['1 open 60/100', 'OTO-1 untriggered 0/70', '2 open 0/40'],
      ['2 open 0/70'],
    ]);
    expect(stateOf(desk, 'OTO-1')).toBe('triggered');
    expect(desk.order(ALICE, orderId('2')).replaced).toBe(false);
  });

  it('incremental: growing loses the place in the queue', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'incremental', [takeAt('110')]));
    fill(desk, '50');
    desk.place(BOB, 'sell', { price: '110', quantity: '10' });
    fill(desk, '50');
    desk.take('buy', '10', '110');
    expect(desk.position(BOB)).toBe('-10');
  });

  it('incremental: after the placed part is filled, the next share is a new order', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'incremental', [takeAt('110')]));
    fill(desk, '40');
    desk.take('buy', '40', '110');
    expect(stateOf(desk, '2')).toBe('filled');
    fill(desk, '60');
    expect(desk.book('sell')).toEqual(['110×60']);
    expect(stateOf(desk, '3')).toBe('open');
  });

  it('incremental: cancelling the primary keeps the placed part and cancels the rest', () => {
    const desk = emptyMarket();
    const { orderId: id } = primary(desk, linked(OTO, 'incremental', [takeAt('110')]));
    fill(desk, '40');
    desk.cancel(ALICE, id);
    expect(stateOf(desk, 'OTO-1')).toBe('cancelled oto_primary_closed');
    expect(desk.book('sell')).toEqual(['110×40']);
  });

  it('incremental: cancelling the placed part cancels the unplaced rest too', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'incremental', [takeAt('110')]));
    fill(desk, '40');
    desk.cancel(ALICE, orderId('2'));
    expect(stateOf(desk, 'OTO-1')).toBe('cancelled user_request');
    fill(desk, '60');
    expect(desk.book('sell')).toEqual([]);
  });

  it('incremental: an untriggered stop grows', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'incremental', [stopAt('80', '70')]));
    fill(desk, '30');
    fill(desk, '30');
    expect(shown(open(desk)).at(-1)).toBe('SLMS-1 untriggered 0/40');
    desk.cancel(ALICE, orderId('1'));
    desk.quotes([['70', '1000']], []);
    mark(desk, '80');
    expect(desk.position(ALICE)).toBe('20');
  });

  it('a primary filled on arrival places its secondaries at once', () => {
    const desk = emptyMarket();
    desk.quotes([], [['90', '1000']]);
    const order = primary(desk, linked(OTO, 'complete_fill', [takeAt('110')]));
    expect(order.state).toBe('filled');
    expect(desk.book('sell')).toEqual(['90×900', '110×100']);
  });

  it('the child of a trigger order takes over as the primary', () => {
    const desk = emptyMarket();
    desk.quotes([], [['106', '1000']]);
    primary(desk, linked(OTO, 'first_hit', [takeAt('120')]), {
      type: 'stop_limit',
      trigger: 'mark_price',
      triggerPrice: price('105'),
      price: '105',
    });
    mark(desk, '105');
    expect(shown(open(desk))).toEqual(['OTO-1 untriggered 0/100', '1 open 0/100']);
    expect(open(desk)[0]?.link?.primaryId).toBe('1');
    desk.take('sell', '10', '105');
    expect(desk.book('sell')).toEqual(['106×1000', '120×100']);
  });

  it('a stop whose trigger is already met when it is placed is triggered at once', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'first_hit', [stopAt('80')]));
    desk.quotes([['70', '1000']], []);
    mark(desk, '79');
    fill(desk, '100');
    expect(stateOf(desk, 'SLMS-1')).toBe('triggered');
    expect(desk.position(ALICE)).toBe('0');
  });

  it('a trailing stop trails from the price at which its primary was filled', () => {
    const desk = emptyMarket();
    const trailing = other('sell', {
      type: 'trailing_stop',
      trigger: 'mark_price',
      triggerOffset: price('10'),
      quantity: '100',
    });
    primary(desk, linked(OTO, 'first_hit', [trailing]));
    expect(open(desk)[1]?.trigger?.price).toBeUndefined();
    mark(desk, '150');
    mark(desk, '120');
    fill(desk, '10');
    const at = desk.order(ALICE, orderId('TSMS-1')).trigger?.price;
    expect(at && text(at)).toBe('110');
  });

  it('a triggered stop that would trade with its own primary is rejected', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'first_hit', [stopAt('80')]));
    fill(desk, '10');
    mark(desk, '80');
    const rejected = desk.exchange.closedOrders(ALICE).find(({ state }) => state === 'rejected');
    expect(rejected).toMatchObject({ triggerOrderId: 'SLMS-1', rejectReason: 'order_overlap' });
  });

  it('a secondary that cannot be placed stays on record as rejected', () => {
    const desk = emptyMarket();
    const sell = other('sell', { price: '110', quantity: '100000000000' });
    const wrongWay = other('buy', { price: '85', quantity: '10', reduceOnly: true });
    primary(desk, linked(OTO, 'first_hit', [sell, wrongWay]));
    fill(desk, '10');
    const closed = desk.exchange.closedOrders(ALICE).filter(({ state }) => state === 'rejected');
    expect(closed.map((o) => [o.triggerOrderId, o.rejectReason])).toEqual([
      ['OTO-1', 'not_enough_funds'],
      ['OTO-2', 'other_reject reduce_direction'],
    ]);
    expect(shown(open(desk))).toEqual(['1 open 10/100']);
  });

  it('a dormant order can be edited and cancelled by its own id', () => {
    const desk = emptyMarket();
    primary(desk, linked(OTO, 'first_hit', [takeAt('110'), takeAt('120')]));
    accepted(desk.edit(ALICE, orderId('OTO-1'), { price: '111', quantity: '50' }));
    accepted(desk.cancel(ALICE, orderId('OTO-2')));
    fill(desk, '10');
    expect(desk.book('sell')).toEqual(['111×50']);
  });
});

describe('one cancels other', () => {
  const pair = (desk: Desk, condition: FillCondition, amount = '100') =>
    accepted(
      desk.place(ALICE, 'sell', {
        price: '110',
        quantity: '100',
        ...linked(OCO, condition, [takeAt('120', amount)]),
      }),
    ).order;

  it('both orders are placed at once, under one reference', () => {
    const desk = emptyMarket();
    const own = pair(desk, 'first_hit');
    expect(desk.book('sell')).toEqual(['110×100', '120×100']);
    const refs = open(desk).map(({ link }) => link?.ocoRef);
    expect(refs).toEqual([own.link?.ocoRef, own.link?.ocoRef]);
    expect(own.link).toMatchObject({ role: 'peer', place: 0 });
  });

  it.each([
    ['first_hit', '10', ['1 open 10/100']],
    ['complete_fill', '90', ['1 open 90/100', '2 open 0/70']],
    ['complete_fill', '100', []],
    ['incremental', '30', ['1 open 30/100', '2 open 0/50']],
    ['incremental', '90', ['1 open 90/100', '2 open 0/10']],
    ['incremental', '100', []],
  ] as const)('%s: a fill of %s leaves %j', (condition, amount, left) => {
    const desk = emptyMarket();
    pair(desk, condition, '70');
    desk.take('buy', amount, '110');
    expect(shown(open(desk))).toEqual(left);
  });

  it('a taker large enough for both fills one of them, then the next order in line', () => {
    const desk = emptyMarket();
    pair(desk, 'first_hit');
    desk.place(BOB, 'sell', { price: '130', quantity: '100' });
    desk.take('buy', '150', '130');
    expect(stateOf(desk, '1')).toBe('filled');
    expect(stateOf(desk, '2')).toBe('cancelled oco_other_closed');
    expect(desk.position(BOB)).toBe('-50');
  });

  it('cancelling one order cancels the other', () => {
    const desk = emptyMarket();
    const own = pair(desk, 'complete_fill');
    desk.cancel(ALICE, own.orderId);
    expect(stateOf(desk, '1')).toBe('cancelled user_request');
    expect(stateOf(desk, '2')).toBe('cancelled oco_other_closed');
  });

  it('a market child reduces the others at its trigger, a limit child at its first fill', () => {
    const desk = emptyMarket();
    const guarded = (stop: OrderTerms) =>
      desk.place(ALICE, 'sell', {
        price: '110',
        quantity: '100',
        ...linked(OCO, 'first_hit', [stop]),
      });
    guarded(stopAt('80'));
    mark(desk, '80');
    expect(stateOf(desk, '1')).toBe('cancelled oco_other_closed');
    desk.do({ kind: 'cancel_all', now: desk.now, account: ALICE });
    mark(desk, '100');
    const limit = { ...stopAt('80'), type: 'stop_limit', price: price('85') } as const;
    const own = accepted(guarded(limit)).order;
    mark(desk, '80');
    expect(desk.book('sell')).toEqual(['85×100', '110×100']);
    desk.take('buy', '10', '85');
    expect(desk.book('sell')).toEqual(['85×90']);
    expect(stateOf(desk, own.orderId)).toBe('cancelled oco_other_closed');
  });

  it('an untriggered stop is reduced by the fills of the other order', () => {
    const desk = emptyMarket();
    const terms = { price: '110', quantity: '100' };
    desk.place(ALICE, 'sell', { ...terms, ...linked(OCO, 'incremental', [stopAt('80')]) });
    desk.take('buy', '30', '110');
    expect(shown(open(desk))).toEqual(['1 open 30/100', 'SLMS-1 untriggered 0/70']);
  });

  it('the other order is not placed if the first is filled on arrival', () => {
    const desk = emptyMarket();
    desk.quotes([['110', '10']], []);
    pair(desk, 'first_hit');
    expect(stateOf(desk, '2')).toBe('cancelled oco_other_closed');
    expect(desk.book('sell')).toEqual(['110×90']);
  });

  it('an order that its peer cancels by filling at once is answered as cancelled, like its event', () => {
    const desk = emptyMarket();
    desk.quotes([['115', '100']], []);
    desk.exchange.drainEvents();
    const terms = { price: '120', quantity: '100' };
    const placed = desk.place(ALICE, 'sell', {
      ...terms,
      ...linked(OCO, 'first_hit', [takeAt('115')]),
    });
    const { order, trades } = accepted(placed);
    expect([order.state, order.cancelReason, trades]).toEqual([
      'cancelled',
      'oco_other_closed',
      [],
    ]);
    const published = desk.exchange
      .drainEvents()
      .flatMap((event) => (event.kind === 'order_changed' ? [event.order] : []));
    expect(published.find(({ orderId: id }) => id === order.orderId)).toEqual(order);
    expect(stateOf(desk, '2')).toBe('filled');
  });

  it('an order that its peer reduces by filling at once is answered with the rest', () => {
    const desk = emptyMarket();
    desk.quotes([['115', '30']], []);
    const terms = { price: '120', quantity: '100' };
    const placed = desk.place(ALICE, 'sell', {
      ...terms,
      ...linked(OCO, 'incremental', [takeAt('115')]),
    });
    expect(shown([accepted(placed).order])).toEqual(['1 open 0/70']);
  });

  it('after a partial fill on arrival the other order is placed with the remainder', () => {
    const desk = emptyMarket();
    desk.quotes([['110', '30']], []);
    pair(desk, 'incremental');
    expect(desk.book('sell')).toEqual(['110×70', '120×70']);
  });
});

describe('one triggers one cancels other', () => {
  const bracket = (desk: Desk, condition: FillCondition) =>
    primary(desk, linked(OTOCO, condition, [takeAt('110'), stopAt('80')]));

  it('the pair is placed linked, and one order cancels the other', () => {
    const desk = emptyMarket();
    const own = bracket(desk, 'first_hit');
    expect(own.link?.ocoRef).toBeUndefined();
    fill(desk, '100');
    const refs = open(desk).map(({ link }) => link?.ocoRef);
    expect(refs).toEqual(['OCO-1', 'OCO-1']);
    desk.take('buy', '10', '110');
    expect(stateOf(desk, 'SLMS-1')).toBe('cancelled oco_other_closed');
    expect(shown(open(desk))).toEqual(['2 open 10/100']);
  });

  it('the stop cancels the take-profit order', () => {
    const desk = emptyMarket();
    bracket(desk, 'complete_fill');
    fill(desk, '100');
    desk.quotes([['79', '1000']], []);
    mark(desk, '80');
    expect(desk.position(ALICE)).toBe('0');
    expect(stateOf(desk, '2')).toBe('cancelled oco_other_closed');
    expect(open(desk)).toEqual([]);
  });

  it('incremental: both orders grow with the primary and shrink with each other', () => {
    const desk = emptyMarket();
    bracket(desk, 'incremental');
    fill(desk, '50');
    expect(shown(open(desk)).slice(3)).toEqual(['2 open 0/50', 'SLMS-1 untriggered 0/50']);
    desk.take('buy', '20', '110');
    expect(shown(open(desk)).slice(3)).toEqual(['2 open 20/50', 'SLMS-1 untriggered 0/30']);
    fill(desk, '50');
    expect(shown(open(desk))).toEqual(['SLMS-1 untriggered 0/80', '2 open 20/100']);
    desk.take('buy', '80', '110');
    expect(stateOf(desk, 'SLMS-1')).toBe('cancelled oco_other_closed');
    expect(desk.position(ALICE)).toBe('0');
  });

  it('cancelling one dormant order leaves the other waiting', () => {
    const desk = emptyMarket();
    bracket(desk, 'first_hit');
    desk.cancel(ALICE, orderId('OTO-2'));
    expect(stateOf(desk, 'OTO-1')).toBe('untriggered');
    fill(desk, '10');
    expect(desk.book('sell')).toEqual(['110×100']);
  });

  it('cancelling the primary cancels its dormant orders', () => {
    const desk = emptyMarket();
    const own = bracket(desk, 'first_hit');
    desk.cancel(ALICE, own.orderId);
    expect([stateOf(desk, 'OTO-1'), stateOf(desk, 'OTO-2')]).toEqual([
      'cancelled oto_primary_closed',
      'cancelled oto_primary_closed',
    ]);
  });
});

describe('a linked request', () => {
  it.each([
    ['without other orders', OTO, [], -32602],
    ['of one that should cancel another', OTOCO, [takeAt('110')], -32602],
    ['with a price off the tick', OTO, [takeAt('110.3')], 10043],
    ['with an amount off the contract', OTO, [takeAt('110', '15')], -32602],
    ['with a limit missing', OTO, [other('sell', { quantity: '10' })], -32602],
    [
      'with a trigger missing',
      OTO,
      [other('sell', { type: 'stop_market', quantity: '10' })],
      -32602,
    ],
    ['with a trigger off the tick', OTO, [stopAt('80.3')], 10044],
    [
      'with a trigger price on an order without a trigger',
      OTO,
      [{ ...takeAt('110'), triggerPrice: price('80') }],
      11047,
    ],
  ] as const)('a linked request %s is refused as a whole', (_what, kind, others, code) => {
    const desk = emptyMarket();
    const link = linked(kind, 'first_hit', [...others]);
    const answer = desk.place(ALICE, 'buy', { price: '90', quantity: '10', ...link });
    expect(refused(answer).code).toBe(code);
    expect(open(desk)).toEqual([]);
    expect(desk.exchange.closedOrders(ALICE)).toEqual([]);
  });

  it('a one-cancels-other request with a trigger that is already met is refused as a whole', () => {
    const desk = emptyMarket();
    const terms = { price: '110', quantity: '100', ...linked(OCO, 'first_hit', [stopAt('120')]) };
    expect(refused(desk.place(ALICE, 'sell', terms)).code).toBe(11036);
    expect(open(desk)).toEqual([]);
  });

  it('future trigger orders of a linked request count towards the limit of trigger orders', () => {
    const exchange = new Exchange({ ...options(), triggersMax: 2 });
    const desk = emptyMarket(exchange);
    const link = (count: number) =>
      linked(
        OTO,
        'incremental',
        Array.from({ length: count }, () => stopAt('80')),
      );
    const place = (count: number) =>
      desk.place(ALICE, 'buy', { price: '90', quantity: '100', ...link(count) });
    expect(refused(place(3))).toMatchObject({ code: 11035 });
    accepted(place(2));
    fill(desk, '50');
    expect(shown(open(desk)).slice(-2)).toEqual([
      'SLMS-1 untriggered 0/50',
      'SLMS-2 untriggered 0/50',
    ]);
    expect(refused(place(1))).toMatchObject({ code: 11035 });
  });

  it('a request whose own order is refused leaves nothing behind', () => {
    const desk = emptyMarket();
    const before = desk.exchange.stateHash();
    const link = linked(OTO, 'first_hit', [takeAt('110')]);
    const answer = desk.place(ALICE, 'buy', { price: '90', quantity: '100000000000', ...link });
    expect(refused(answer).code).toBe(10009);
    expect(desk.exchange.stateHash()).toBe(before);
  });

  it('linked requests are accepted for futures and spot, not for options', () => {
    const spot = new Desk(btcSpot);
    const sell = other('sell', { price: '110000', quantity: '1' });
    const link = linked(OTO, 'first_hit', [sell]);
    accepted(spot.place(ALICE, 'buy', { price: '90000', quantity: '1', ...link }));
    spot.take('sell', '1', '90000');
    expect(spot.book('sell')).toEqual(['110000×1']);
    const option = new Desk(btcCall);
    const wanted = {
      price: '0.05',
      quantity: '1',
      ...linked(OTO, 'first_hit', [other('sell', { price: '0.06', quantity: '1' })]),
    };
    expect(refused(option.place(ALICE, 'buy', wanted)).code).toBe(10031);
  });

  it('the number of dormant linked orders is limited, separately for spot', () => {
    const exchange = new Exchange({ ...options(), dormantLinksMax: 2 });
    const desk = emptyMarket(exchange);
    primary(desk, linked(OTO, 'first_hit', [takeAt('110'), takeAt('120')]));
    const link = linked(OTO, 'first_hit', [takeAt('110')]);
    const again = desk.place(ALICE, 'buy', { price: '90', quantity: '10', ...link });
    expect(refused(again)).toMatchObject({ code: 13901, message: 'no_more_oto_orders' });
    const spot = new Desk(btcSpot, exchange);
    const sell = other('sell', { price: '110000', quantity: '1' });
    const onSpot = { price: '90000', quantity: '1', ...linked(OTO, 'first_hit', [sell]) };
    accepted(spot.place(ALICE, 'buy', onSpot));
  });
});
