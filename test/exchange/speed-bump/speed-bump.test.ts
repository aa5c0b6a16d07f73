// The speed bump by Deribit's definition: what waits, where, how long, and what ends the wait..
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../../src/exchange/exchange-command.ts';
import type { ExchangeOrder } from '../../../src/exchange/order.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, instrumentName, type OrderId } from '../../../src/values/ids.ts';
import { DAY_MS, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, Desk, options, refused } from '../exchange-desk.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
  ethFuture,
} from '../instruments.ts';

const MS = 10;
const bumped = (instrument: Instrument, rules: object = {}): Desk =>
  new Desk(instrument, new Exchange({ ...options(), speedBumpMs: MS, ...rules }));

/** Lets time pass and returns the orders that were released. */
function pass(desk: Desk, ms: number): readonly ExchangeOrder[] {
  desk.now = later(desk.now, ms);
  desk.do({ kind: 'release_orders', now: desk.now });
  return desk.exchange.drainReleased().map(({ order }) => order);
}

/** A call quoted at 0.0500 by 0.0520, one contract each. */
function quotedCall(rules: object = {}): Desk {
  const desk = bumped(btcCall, rules);
  desk.quotes([['0.05', '1']], [['0.052', '1']]);
  return desk;
}

const idOf = (answer: ExchangeAnswer): OrderId => accepted(answer).order.orderId;
const filled = (order: ExchangeOrder): string => text(order.filledQuantity);
const TAKE = { price: '0.052', quantity: '1' } as const;

describe('which books have a speed bump', () => {
  const ethPerpetual = { ...btcPerpetual, name: instrumentName('ETH-PERPETUAL') };
  const solPerpetual = { ...btcUsdcPerpetual, name: instrumentName('SOL_USDC-PERPETUAL') };
  it.each<[string, Instrument, string, string, boolean]>([
    ['an inverse option', btcCall, '0.05', '1', true],
    ['a linear option', btcUsdcPut, '5000', '1', true],
    ['a dated future', ethFuture, '4000', '100', true],
    ['a linear perpetual of BTC', btcUsdcPerpetual, '100000', '0.1', true],
    ['a linear perpetual of SOL', solPerpetual, '100000', '0.1', true],
    ['the inverse perpetual of BTC', btcPerpetual, '100000', '100', false],
    ['the inverse perpetual of ETH', ethPerpetual, '100000', '100', false],
    ['spot', btcSpot, '100000', '0.1', false],
  ])('%s', (_, instrument, at, size, waits) => {
    const exchange = new Exchange({ ...options([instrument]), speedBumpMs: MS });
    const desk = new Desk(instrument, exchange);
    desk.quotes([], [[at, size]]);
    const { order, trades } = accepted(desk.place(ALICE, 'buy', { price: at, quantity: size }));
    expect([order.state, trades.length, order.bump !== undefined]).toEqual(
      waits ? ['open', 0, true] : ['filled', 1, false],
    );
    const [released] = pass(desk, MS);
    expect(released?.state).toBe(waits ? 'filled' : undefined);
  });

  it.each([
    ['of the dated future and the perpetual', ethFuture, true],
    ['of exempt perpetuals alone', ethPerpetual, false],
  ] as const)('a combo %s waits as its legs do', (_, leg, waits) => {
    const combo: Instrument = {
      ...btcPerpetual,
      name: instrumentName('BTC-FS-X'),
      kind: 'future_combo',
      legs: [
        { instrument: leg.name, ratio: 1 },
        { instrument: btcPerpetual.name, ratio: -1 },
      ],
    };
    const listed = options([btcPerpetual, { ...leg, amountStep: quantity('10') }, combo]);
    const desk = new Desk(combo, new Exchange({ ...listed, speedBumpMs: MS }));
    desk.quotes([], [['10', '100']]);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '10', quantity: '100' }));
    expect(order.bump !== undefined).toBe(waits);
  });

  it('an order matches at once where the rules set no speed bump', () => {
    const desk = quotedCall({ speedBumpMs: 0 });
    expect(accepted(desk.place(ALICE, 'buy', TAKE)).order.state).toBe('filled');
  });
});

describe('an order that would match at once', () => {
  it('waits the whole bump, is in no book, and then fills at the price of the book', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', { price: '0.053', quantity: '1' }));
    expect(desk.order(ALICE, id)).toMatchObject({ state: 'open', bump: { until: desk.now + MS } });
    expect(desk.book('buy')).toEqual(['0.05×1']);
    expect(desk.exchange.releasesAt()).toBe(desk.now + MS);
    expect(pass(desk, MS - 1)).toEqual([]);
    expect(desk.position(ALICE)).toBe('0');
    const [released] = pass(desk, 1);
    expect(released).toMatchObject({ orderId: id, state: 'filled' });
    expect(released).not.toHaveProperty('bump');
    expect(text(must(released?.averagePrice, 'it filled'))).toBe('0.052');
    expect(desk.exchange.releasesAt()).toBeUndefined();
  });

  it.each([
    ['good_til_cancelled', 'open', ['0.052×1', '0.05×1']],
    ['immediate_or_cancel', 'cancelled', ['0.05×1']],
    ['fill_or_kill', 'cancelled', ['0.05×1']],
  ] as const)('with %s it ends %s when its liquidity has gone', (timeInForce, state, bids) => {
    const desk = quotedCall();
    desk.place(ALICE, 'buy', { ...TAKE, timeInForce });
    desk.quotes([['0.05', '1']], []);
    // The queue is not looked at when the book changes: the whole bump runs.
    expect(pass(desk, MS - 1)).toEqual([]);
    const [released] = pass(desk, 1);
    expect(released?.state).toBe(state);
    expect(released?.cancelReason).toBeUndefined();
    expect(desk.book('buy')).toEqual(bids);
  });

  it('makers may leave during the bump, and others may come', () => {
    const desk = quotedCall();
    const own = idOf(desk.place(BOB, 'sell', { price: '0.0515', quantity: '0.4' }));
    desk.place(ALICE, 'buy', TAKE);
    desk.now = later(desk.now, 3);
    expect(accepted(desk.cancel(BOB, own)).order.state).toBe('cancelled');
    desk.place(BOB, 'sell', { price: '0.051', quantity: '0.3' });
    const [released] = pass(desk, MS - 3);
    // 0.3 at 0.0510 and 0.7 at 0.0520.
    expect(text(must(released?.filledValue, 'released'))).toBe('0.0517');
  });

  it('the orders of a book are released in the order in which they came', () => {
    const desk = quotedCall();
    const first = idOf(desk.place(BOB, 'buy', { price: '0.052', quantity: '0.7' }));
    desk.now = later(desk.now, 1);
    const second = idOf(desk.place(ALICE, 'buy', { price: '0.054', quantity: '0.7' }));
    // The better price of the second does not help it: 0.3 are left.
    expect(pass(desk, MS).map(({ orderId }) => orderId)).toEqual([first, second]);
    expect(filled(desk.order(BOB, first))).toBe('0.7');
    expect(filled(desk.order(ALICE, second))).toBe('0.3');
    expect(desk.book('buy')).toEqual(['0.054×0.4', '0.05×1']);
  });

  it('a post-only order and one that rests do not wait', () => {
    const desk = quotedCall();
    const slid = accepted(desk.place(ALICE, 'buy', { ...TAKE, postOnly: true })).order;
    expect([slid.bump, text(must(slid.price, 'a limit'))]).toEqual([undefined, '0.0515']);
    const rests = accepted(desk.place(ALICE, 'buy', { price: '0.049', quantity: '1' })).order;
    expect([rests.bump, rests.state]).toEqual([undefined, 'open']);
  });

  it('counts as open: its premium is reserved, and it is among the open orders', () => {
    const accounts = [
      { account: ALICE, balances: new Map([[currency('BTC'), money('0.06')]]) },
      { account: BOB, balances: new Map() },
    ];
    const desk = quotedCall({ accounts });
    const id = idOf(desk.place(ALICE, 'buy', TAKE));
    expect(refused(desk.place(ALICE, 'buy', TAKE)).code).toBe(10009);
    const open = desk.exchange.openOrders({ account: ALICE });
    expect(open.map(({ orderId }) => orderId)).toEqual([id]);
    desk.quotes([], []);
    desk.cancel(ALICE, id);
    pass(desk, MS);
    expect(accepted(desk.place(ALICE, 'buy', { ...TAKE, price: '0.05' })).order.state).toBe('open');
  });

  it('would it meet an order of its own account at the release, it is cancelled with order_overlap', () => {
    const desk = quotedCall();
    const buys = idOf(desk.place(ALICE, 'buy', TAKE));
    desk.quotes([], []);
    desk.place(ALICE, 'sell', { price: '0.0515', quantity: '1' });
    expect(pass(desk, MS)).toMatchObject([
      { orderId: buys, state: 'cancelled', cancelReason: 'order_overlap' },
    ]);
  });

  it('in mode cancel_maker the own order gives way at the release', () => {
    const desk = quotedCall({ selfTrade: 'cancel_maker' });
    const buys = idOf(desk.place(ALICE, 'buy', TAKE));
    desk.quotes([], []);
    const own = idOf(desk.place(ALICE, 'sell', { price: '0.0515', quantity: '1' }));
    expect(pass(desk, MS)).toMatchObject([{ orderId: buys, state: 'open' }]);
    expect(desk.order(ALICE, own)).toMatchObject({ cancelReason: 'order_overlap' });
  });

  it('a reduce-only order is reduced while it waits', () => {
    const desk = bumped(btcUsdcPerpetual);
    desk.quotes([['99999', '5']], [['100000', '5']]);
    desk.place(ALICE, 'buy', { price: '100000', quantity: '2' });
    pass(desk, MS);
    expect(desk.position(ALICE)).toBe('2');
    const id = idOf(desk.place(ALICE, 'sell', { price: '99999', quantity: '2', reduceOnly: true }));
    const also = idOf(desk.place(ALICE, 'sell', { price: '99998', quantity: '1.5' }));
    expect(pass(desk, MS).map(({ orderId }) => orderId)).toEqual([id, also]);
    // 2 − 2, and then 1.5 short.
    expect(desk.position(ALICE)).toBe('-1.5');
    const none = bumped(btcUsdcPerpetual);
    none.quotes([['99999', '5']], [['100000', '5']]);
    none.place(ALICE, 'buy', { price: '100000', quantity: '2' });
    pass(none, MS);
    none.place(ALICE, 'sell', { price: '99999', quantity: '1.5' });
    const capped = idOf(
      none.place(ALICE, 'sell', { price: '99999', quantity: '2', reduceOnly: true }),
    );
    pass(none, MS);
    expect(filled(none.order(ALICE, capped))).toBe('0.5');
    expect(none.position(ALICE)).toBe('0');
  });

  it('an order that its trigger sends waits too', () => {
    const desk = bumped(ethFuture);
    desk.reference('4000', { min: '3900', max: '4100' });
    desk.quotes([['3999', '100']], [['4001', '100']]);
    const terms = { type: 'stop_market', trigger: 'mark_price', quantity: '50' } as const;
    const stop = idOf(desk.place(ALICE, 'buy', { ...terms, triggerPrice: price('4005') }));
    desk.now = later(desk.now, 1);
    desk.reference('4010', { min: '3900', max: '4100' });
    const sent = must(desk.order(ALICE, stop).firedOrderId, 'it was triggered');
    expect(desk.order(ALICE, sent)).toMatchObject({
      state: 'open',
      bump: { until: desk.now + MS },
    });
    pass(desk, MS);
    expect(desk.order(ALICE, sent).state).toBe('filled');
  });
});

describe('a cancel of a waiting order', () => {
  it('makes it immediate-or-cancel: it may still fill, and what is left is cancelled', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', { price: '0.052', quantity: '1.5' }));
    expect(accepted(desk.cancel(ALICE, id)).order).toMatchObject({ state: 'open' });
    const [released] = pass(desk, MS);
    expect(released).toMatchObject({ state: 'cancelled', cancelReason: 'user_request' });
    expect(desk.position(ALICE)).toBe('1');
    expect(desk.book('buy')).toEqual(['0.05×1']);
  });

  it('of one whose liquidity has gone ends it without a fill, at the end of its bump', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', TAKE));
    desk.cancel(ALICE, id);
    desk.quotes([], []);
    pass(desk, MS - 1);
    expect(desk.order(ALICE, id).state).toBe('open');
    pass(desk, 1);
    expect(desk.order(ALICE, id)).toMatchObject({ state: 'cancelled' });
    expect(desk.position(ALICE)).toBe('0');
  });

  it.each(['user_request', 'cancel_on_disconnect', 'mmp_trigger'] as const)(
    'by a mass cancel for %s does the same, and counts it once',
    (reason) => {
      const desk = quotedCall();
      const id = idOf(desk.place(ALICE, 'buy', { ...TAKE, label: 'x', quantity: '2' }));
      const all = { kind: 'cancel_all', now: desk.now, account: ALICE, reason } as const;
      expect(desk.do(all)).toEqual({ kind: 'count', count: 1 });
      expect(desk.do(all)).toEqual({ kind: 'count', count: 0 });
      const labelled = { kind: 'cancel_by_label', now: desk.now, account: ALICE } as const;
      expect(desk.do({ ...labelled, label: 'x' })).toEqual({ kind: 'count', count: 0 });
      pass(desk, MS);
      expect(desk.order(ALICE, id)).toMatchObject({ state: 'cancelled', cancelReason: reason });
      expect(filled(desk.order(ALICE, id))).toBe('1');
    },
  );

  it.each(['immediate_or_cancel', 'fill_or_kill'] as const)(
    'a cancel of one that is %s already, and a second cancel, are refused',
    (timeInForce) => {
      const desk = quotedCall();
      const immediate = idOf(desk.place(ALICE, 'buy', { ...TAKE, timeInForce }));
      expect(refused(desk.cancel(ALICE, immediate)).code).toBe(11044);
      const id = idOf(desk.place(ALICE, 'buy', TAKE));
      desk.cancel(ALICE, id);
      expect(refused(desk.cancel(ALICE, id)).code).toBe(11044);
    },
  );
});

describe('an edit', () => {
  it.each([
    [{}, 11030, 'other_reject speed_bumped'],
    [{ speedBumpEditCode: 10_999 }, 10_999, 'speed_bumped'],
  ])('an edit of a waiting order is refused, also a reduction: %o', (rules, code, message) => {
    const desk = quotedCall(rules);
    const id = idOf(desk.place(ALICE, 'buy', { ...TAKE, quantity: '1.2', label: 'x' }));
    for (const terms of [{ quantity: '0.5' }, { price: '0.049' }, { price: '0.06' }]) {
      expect(refused(desk.edit(ALICE, id, terms))).toMatchObject({ code, message });
      expect(refused(desk.editByLabel(ALICE, 'x', terms))).toMatchObject({ code, message });
    }
    const [released] = pass(desk, MS);
    expect(filled(must(released, 'released'))).toBe('1');
    expect(accepted(desk.edit(ALICE, id, { price: '0.049' })).order.state).toBe('open');
  });

  it('an edit that makes a resting order match takes it out of the book and has it wait', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', { price: '0.051', quantity: '1' }));
    const { order, trades } = accepted(desk.edit(ALICE, id, { price: '0.052' }));
    expect([trades, order.bump?.until]).toEqual([[], desk.now + MS]);
    expect(desk.book('buy')).toEqual(['0.05×1']);
    pass(desk, MS);
    expect(desk.order(ALICE, id)).toMatchObject({ state: 'filled', replaced: true });
  });

  it('an edit that leaves a resting order resting is made at once', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', { price: '0.051', quantity: '1' }));
    const { order } = accepted(desk.edit(ALICE, id, { price: '0.0515' }));
    expect([order.bump, desk.book('buy')]).toEqual([undefined, ['0.0515×1', '0.05×1']]);
  });
});

describe('books that do not trade', () => {
  it('a book that is locked cancels what is released there', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', TAKE));
    desk.do({ kind: 'set_book_state', now: desk.now, instrument: desk.name, state: 'locked' });
    pass(desk, MS);
    expect(desk.order(ALICE, id)).toMatchObject({
      state: 'cancelled',
      filledQuantity: quantity('0'),
    });
  });

  it('a pause for the settlement releases afterwards, and ends day orders', () => {
    const desk = quotedCall();
    const day = idOf(desk.place(ALICE, 'buy', { ...TAKE, timeInForce: 'good_til_day' }));
    const id = idOf(desk.place(BOB, 'buy', TAKE));
    const pausedUntil = later(desk.now, 5_000);
    desk.do({ kind: 'settle_day', now: desk.now, pausedUntil });
    expect(desk.order(ALICE, day)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'settlement',
    });
    expect(pass(desk, MS)).toEqual([]);
    expect(desk.exchange.releasesAt()).toBeUndefined();
    expect(pass(desk, 5_000 - MS).map(({ orderId }) => orderId)).toEqual([id]);
    expect(desk.order(BOB, id).state).toBe('filled');
  });

  it('an expiry ends a waiting order at once', () => {
    const desk = quotedCall();
    const id = idOf(desk.place(ALICE, 'buy', TAKE));
    desk.now = later(desk.now, 1);
    const deliveryPrice = price('100000');
    desk.do({ kind: 'expire_instrument', now: desk.now, instrument: desk.name, deliveryPrice });
    const ended = desk.order(ALICE, id);
    expect([ended.state, ended.cancelReason]).toEqual(['cancelled', undefined]);
    expect(pass(desk, DAY_MS)).toEqual([]);
  });
});
