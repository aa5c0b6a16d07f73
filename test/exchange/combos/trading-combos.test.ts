// A combo trades as one instrument, at prices of zero and below too, and what it does happens in its legs.
import { describe, expect, it } from 'vitest';
import { price, text } from '../../../src/values/amounts.ts';
import { currency, type InstrumentName } from '../../../src/values/ids.ts';
import { BOT } from '../exchange-desk.ts';
import { btcCall, btcPerpetual } from '../instruments.ts';
import { btcFuture, highCall, lowPut } from '../rfq/rfq-desk.ts';
import {
  BUYER,
  CALL_SPREAD,
  ComboDesk,
  denied,
  FUTURE_SPREAD,
  legsOf,
  ordered,
  SELLER,
  STRADDLE,
  tradedAt,
} from './combo-desk.ts';

describe('the trade of a combo', () => {
  it.each([
    // The marks of the calls are 0.05 and 0.02.
    ['at the marks', '0.03', ['0.05', '0.02']],
    ['above the marks', '0.0312', ['0.0512', '0.02']],
    ['at zero', '0', ['0.02', '0.02']],
    ['below zero', '-0.001', ['0.02', '0.021']],
  ])('%s books legs at prices that add up', (_, at, prices) => {
    const desk = new ComboDesk();
    const trade = tradedAt(desk.book(CALL_SPREAD), at, '2');
    expect(legsOf(trade)).toEqual([
      `buy 2 ${btcCall.name} at ${prices[0]}`,
      `sell 2 ${highCall.name} at ${prices[1]}`,
    ]);
    expect(text(trade.price)).toBe(at);
    expect(desk.position(BUYER, btcCall)).toBe('2');
    expect(desk.position(BUYER, highCall)).toBe('-2');
    expect(desk.position(SELLER, btcCall)).toBe('-2');
    expect(desk.position(SELLER, highCall)).toBe('2');
  });

  it('a trade multiplies the size by the ratio of each leg', () => {
    const desk = new ComboDesk();
    const ratioSpread = desk.book([{ of: btcCall }, { of: highCall, size: '2', side: 'sell' }]);
    expect(legsOf(tradedAt(ratioSpread, '0.01', '0.3'))).toEqual([
      `buy 0.3 ${btcCall.name} at 0.05`,
      `sell 0.6 ${highCall.name} at 0.02`,
    ]);
  });

  it('a trade of futures books legs in steps of the combo, which may be finer than their own', () => {
    const desk = new ComboDesk();
    expect(legsOf(tradedAt(desk.book(FUTURE_SPREAD), '1000.5', '500'))).toEqual([
      `buy 500 ${btcFuture.name} at 101000.5`,
      `sell 500 ${btcPerpetual.name} at 100000`,
    ]);
  });

  it('a trade is on the tape with its legs, which do not move their own books', () => {
    const desk = new ComboDesk();
    const book = desk.book(CALL_SPREAD);
    desk.drained();
    const trade = tradedAt(book, '0.03');
    const prints = desk.drained().filter((event) => event.kind === 'print');
    expect(prints.map(({ instrument, side, tradeSeq }) => [instrument, side, tradeSeq])).toEqual([
      [book.name, 'buy', 1],
      [btcCall.name, 'buy', 1],
      [highCall.name, 'sell', 1],
    ]);
    expect(prints[0]?.legs).toEqual(prints.slice(1));
    const ofCombo = { id: book.name, tradeId: trade.tradeId };
    expect(prints.slice(1).map((print) => print.ofCombo)).toMatchObject([ofCombo, ofCombo]);
    expect(desk.exchange.lastTrade(btcCall.name)).toBeUndefined();
    expect(desk.exchange.lastTrade(book.name)).toMatchObject({ price: price('0.03') });
  });

  it('a trade is recorded once for the combo and once for each leg, tagged with the combo', () => {
    const desk = new ComboDesk();
    const book = desk.book(CALL_SPREAD);
    const trade = tradedAt(book, '0.03');
    const ofCombo = { id: book.name, tradeId: trade.tradeId };
    const query = { account: BUYER, now: desk.rfqs.now, count: 10, sorting: 'asc' } as const;
    const seen = (more: object): readonly InstrumentName[] =>
      desk.exchange.tradeHistory({ ...query, ...more }).trades.map(({ instrument }) => instrument);
    expect(seen({})).toEqual([btcCall.name, highCall.name]);
    expect(seen({ kinds: ['option'] })).toEqual([btcCall.name, highCall.name]);
    expect(seen({ kinds: ['option_combo'] })).toEqual([book.name]);
    expect(seen({ instrument: book.name })).toEqual([book.name]);
    expect(seen({ orderId: trade.orderId })).toEqual([book.name]);
    expect(trade.legs).toMatchObject([{ ofCombo }, { ofCombo }]);
    expect(new Set(trade.legs?.map(({ orderId }) => orderId)).size).toBe(2);
  });

  it('a trade leaves the inventory of a bot in the legs', () => {
    const desk = new ComboDesk();
    const book = desk.book(CALL_SPREAD);
    book.quotes([], [['0.03', '5']]);
    ordered(book.place(BUYER, 'buy', { price: '0.03', quantity: '5' }));
    const held = [btcCall.name, highCall.name, book.name].map((name) =>
      desk.exchange.inventory(BOT, name),
    );
    expect(held).toEqual([-50, 50, 0]);
  });
});

describe('the fees of a combo', () => {
  const feesOf = (trades: typeof CALL_SPREAD, at: string, size: string): readonly string[] => {
    const trade = tradedAt(new ComboDesk().book(trades), at, size);
    return [text(trade.fee), ...(trade.legs ?? []).map(({ fee }) => text(fee))];
  };

  it('a combo of options is charged for the side of the legs that costs more', () => {
    // 0.0003 of the coin for the bought leg; the sold one is capped at an eighth of its 0.001 and free.
    const desk = new ComboDesk();
    desk.rfqs.reference(highCall, { mark: '0.001', min: '0.0001', max: '0.05' });
    const trade = tradedAt(desk.book(CALL_SPREAD), '0.049', '10');
    expect(trade.legs?.map(({ fee }) => text(fee))).toEqual(['0.003', '0']);
    expect(text(trade.fee)).toBe('0.003');
  });

  it('a combo of options that are all bought is charged for every leg', () => {
    expect(feesOf(STRADDLE, '0.09', '10')).toEqual(['0.006', '0.003', '0.003']);
  });

  it('a combo of futures is not charged the cheapest leg of the taker', () => {
    // 100 000 USD at 101 000 costs less than at 100 000.
    expect(feesOf(FUTURE_SPREAD, '1000', '100000')).toEqual(['0.0005', '0', '0.0005']);
  });
});

describe('an order of a combo', () => {
  it('an order may rest below zero, is repriced by post-only there, and can be edited across zero', () => {
    const desk = new ComboDesk();
    const book = desk.book(CALL_SPREAD);
    ordered(book.place(SELLER, 'sell', { price: '-0.002', quantity: '1' }));
    const { order } = ordered(
      book.place(BUYER, 'buy', { price: '0.001', quantity: '1', postOnly: true }),
    );
    expect(order).toMatchObject({ state: 'open', price: price('-0.0021') });
    const zero = ordered(book.edit(BUYER, order.orderId, { price: '-0.003' })).order;
    expect(zero.price).toEqual(price('-0.003'));
    const edited = { price: '0', postOnly: false };
    const [trade] = ordered(book.edit(BUYER, order.orderId, edited)).trades;
    expect(trade?.price).toEqual(price('-0.002'));
  });

  it('at a price of zero is an order with a limit', () => {
    const desk = new ComboDesk();
    const { order } = ordered(
      desk.book(CALL_SPREAD).place(BUYER, 'buy', { price: '0', quantity: '1' }),
    );
    expect(desk.exchange.order(BUYER, order.orderId)?.price).toEqual(price('0'));
  });

  it.each([
    ['a straddle below one tick for each leg', STRADDLE, '0.0001', 10005],
    ['a price off the tick', CALL_SPREAD, '0.00005', 10043],
    ['a price beyond any market', CALL_SPREAD, '100000', 10007],
    ['a price below any market', CALL_SPREAD, '-100000', 10005],
  ])('an order is refused: %s', (_, trades, at, code) => {
    const book = new ComboDesk().book(trades);
    expect(denied(book.place(BUYER, 'buy', { price: at, quantity: '1' }))).toMatchObject({ code });
  });

  it.each([
    ['reduce-only', { reduceOnly: true }, 'reduce_only'],
    ['an iceberg', { displayQuantity: price('0.1') as never }, 'display_amount'],
    ['a stop', { type: 'stop_limit', trigger: 'mark_price', triggerPrice: price('1') }, 'type'],
    ['a trailing stop', { type: 'trailing_stop', trigger: 'mark_price' }, 'type'],
    ['an order in USD', { advanced: 'usd' }, 'advanced'],
    [
      'a linked order',
      { link: { kind: 'one_triggers_other', fillCondition: 'first_hit', others: [] } },
      'linked_order_type',
    ],
  ] as const)('an order is refused with 13036 as %s', (_, terms, param) => {
    const book = new ComboDesk().book(CALL_SPREAD);
    const answer = book.place(BUYER, 'buy', { price: '0.03', quantity: '1', ...terms });
    expect(denied(answer)).toMatchObject({ code: 13036, data: { param } });
  });

  it('an order cannot become reduce-only by an edit', () => {
    const book = new ComboDesk().book(CALL_SPREAD);
    const { order } = ordered(book.place(BUYER, 'buy', { price: '0.03', quantity: '1' }));
    const answer = book.edit(BUYER, order.orderId, { reduceOnly: true });
    expect(denied(answer)).toMatchObject({ code: 13036, data: { param: 'reduce_only' } });
  });

  it.each([
    ['fill_or_kill', 'cancelled', '0'],
    ['immediate_or_cancel', 'cancelled', '1'],
    ['good_til_cancelled', 'open', '1'],
  ] as const)('with %s ends %s when the book holds half of it', (timeInForce, state, filled) => {
    const book = new ComboDesk().book(CALL_SPREAD);
    ordered(book.place(SELLER, 'sell', { price: '0.03', quantity: '1' }));
    const { order } = ordered(
      book.place(BUYER, 'buy', { price: '0.03', quantity: '2', timeInForce }),
    );
    expect([order.state, text(order.filledQuantity)]).toEqual([state, filled]);
  });

  it('an order never trades with another order of its account', () => {
    const book = new ComboDesk().book(CALL_SPREAD);
    ordered(book.place(BUYER, 'sell', { price: '0.03', quantity: '1' }));
    const answer = book.place(BUYER, 'buy', { price: '0.03', quantity: '1' });
    expect(denied(answer)).toMatchObject({ code: 10003 });
  });

  it('an order of futures may be a market order within the band of the combo', () => {
    const desk = new ComboDesk();
    const book = desk.book(FUTURE_SPREAD);
    ordered(book.place(SELLER, 'sell', { price: '1000', quantity: '100' }));
    const market = { type: 'market', quantity: '100' } as const;
    expect(denied(book.place(BUYER, 'buy', market))).toMatchObject({ code: 11030 });
    book.reference('1000', { index: '100000', min: '-2000', max: '4000' });
    expect(ordered(book.place(BUYER, 'buy', market)).order.state).toBe('filled');
    const wide = denied(book.place(SELLER, 'sell', { price: '-2000.5', quantity: '100' }));
    expect(wide).toMatchObject({ code: 10005 });
  });
});

describe('the funds of a combo order', () => {
  const BTC = currency('BTC');

  it('funds are reserved while an order rests: its premium, the fees of its legs, the margin of what it sells', () => {
    const desk = new ComboDesk();
    const book = desk.book(CALL_SPREAD);
    const before = desk.exchange.availableFunds(BUYER, BTC);
    const { order } = ordered(book.place(BUYER, 'buy', { price: '0.03', quantity: '10' }));
    // 0.3 of premium, 0.006 of fees, and per sold call 0.1 plus its mark of 0.02.
    const during = desk.exchange.availableFunds(BUYER, BTC);
    expect(text(before?.minus(during ?? before) as never)).toBe('1.506');
    ordered(book.cancel(BUYER, order.orderId));
    expect(desk.exchange.availableFunds(BUYER, BTC)).toEqual(before);
  });

  it('the exchange refuses an order that costs more than there is', () => {
    const book = new ComboDesk().book(CALL_SPREAD);
    const answer = book.place(BUYER, 'buy', { price: '0.03', quantity: '700' });
    expect(denied(answer)).toMatchObject({ code: 10009 });
    ordered(book.place(BUYER, 'buy', { price: '0.03', quantity: '600' }));
  });

  it('the funds of a seller include what a price below zero would cost him', () => {
    const book = new ComboDesk().book(CALL_SPREAD);
    const terms = { price: '-0.5', quantity: '190' };
    expect(denied(book.place(SELLER, 'sell', terms))).toMatchObject({ code: 10009 });
    ordered(book.place(SELLER, 'sell', { ...terms, price: '0' }));
  });

  it('a trade costs what was reserved: the premium of both legs and the fee', () => {
    const desk = new ComboDesk();
    tradedAt(desk.book(CALL_SPREAD), '0.03', '10');
    expect(desk.rfqs.balance(BUYER, 'BTC')).toBe('99.697');
    expect(desk.rfqs.balance(SELLER, 'BTC')).toBe('100.297');
  });
});

describe('a leg of a combo', () => {
  it('a leg reduces the position it is traded against, and with it the reduce-only orders there', () => {
    const desk = new ComboDesk();
    const calls = desk.at(btcCall);
    ordered(calls.place(SELLER, 'sell', { price: '0.05', quantity: '3' }));
    ordered(calls.place(BUYER, 'buy', { price: '0.05', quantity: '3' }));
    const { order } = ordered(
      calls.place(BUYER, 'sell', { price: '0.06', quantity: '3', reduceOnly: true }),
    );
    const book = desk.book(CALL_SPREAD);
    ordered(book.place(SELLER, 'buy', { price: '0.03', quantity: '2' }));
    ordered(book.place(BUYER, 'sell', { price: '0.03', quantity: '2' }));
    expect(desk.position(BUYER, btcCall)).toBe('1');
    expect(text(desk.exchange.order(BUYER, order.orderId)?.quantity as never)).toBe('1');
  });

  it('a leg counts towards the open interest of its instrument', () => {
    const desk = new ComboDesk();
    tradedAt(desk.book(STRADDLE), '0.09', '4');
    const open = desk.exchange.market(lowPut.name, desk.rfqs.now)?.openInterest;
    expect(text(open as never)).toBe('4');
  });
});
