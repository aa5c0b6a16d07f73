import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { SelfTradeMode, SelfTradeRule } from '../../../src/exchange/model/account.ts';
import type { ExchangeRules } from '../../../src/exchange/model/exchange-rules.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Side } from '../../../src/values/instrument.ts';
import { cases } from '../../support/cases.ts';
import { ALICE, accepted, BOB, Desk, options, RICH, refused } from '../exchange-desk.ts';
import { btcPerpetual, btcUsdcPerpetual } from '../instruments.ts';

const yielding = (): Desk =>
  new Desk(btcPerpetual, new Exchange({ ...options(), selfTrade: 'cancel_maker' }));
const limit = (price: string, amount: string) => ({ price, quantity: amount });
const PLAIN = {
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
} as const;

/** Alice is behind the bot at 100 and alone at 101. */
function book(desk: Desk): readonly string[] {
  desk.quotes([], [['100', '20']]);
  const own = [limit('100', '30'), limit('101', '40')].map((terms) =>
    accepted(desk.place(ALICE, 'sell', terms)),
  );
  desk.exchange.drainEvents();
  return own.map(({ order }) => order.orderId);
}

describe('an account whose incoming orders are cancelled in a self-trade', () => {
  const giving = (): Desk =>
    new Desk(btcPerpetual, new Exchange({ ...options(), selfTrade: 'cancel_taker' }));

  it('an order that reaches an own one is answered as cancelled, and neither trades nor rests', () => {
    const desk = giving();
    const own = book(desk);
    const { order, trades } = accepted(desk.place(ALICE, 'buy', limit('101', '30')));
    expect([order.state, order.cancelReason, trades]).toEqual(['cancelled', 'order_overlap', []]);
    expect(desk.book('sell')).toEqual(['100×50', '101×40']);
    expect(desk.book('buy')).toEqual([]);
    expect(desk.exchange.openOrders({ account: ALICE }).map((o) => o.orderId)).toEqual(own);
  });

  it('an order that is filled before it reaches an own one trades, and so does that of another account', () => {
    const desk = giving();
    book(desk);
    const { order } = accepted(desk.place(ALICE, 'buy', limit('101', '20')));
    expect([order.state, desk.position(ALICE)]).toEqual(['filled', '20']);
    expect(accepted(desk.place(BOB, 'buy', limit('101', '50'))).order.state).toBe('filled');
    expect(desk.position(ALICE)).toBe('-30');
  });

  it.each(['fill_or_kill', 'immediate_or_cancel'] as const)(
    'an order with %s that reaches an own one has the same reason',
    (timeInForce) => {
      const desk = giving();
      book(desk);
      const terms = { ...limit('101', '70'), timeInForce };
      const { order } = accepted(desk.place(ALICE, 'buy', terms));
      expect([order.state, order.cancelReason]).toEqual(['cancelled', 'order_overlap']);
    },
  );

  it('an edit that would reach an own order cancels the order that is edited', () => {
    const desk = giving();
    book(desk);
    const { order } = accepted(desk.place(ALICE, 'buy', limit('99', '30')));
    const edited = accepted(desk.edit(ALICE, order.orderId, { price: '100' }));
    expect([edited.order.state, edited.order.cancelReason]).toEqual(['cancelled', 'order_overlap']);
    expect([desk.book('buy'), desk.position(ALICE)]).toEqual([[], '0']);
  });
});

describe('accounts of one main account', () => {
  const CAROL = accountId('10003');
  /** Alice and Bob are subaccounts of one main account, Carol is of another; Bob's mode is his own. */
  function family(rule: SelfTradeRule, more: ExchangeRules = {}, of = btcPerpetual): Desk {
    const accounts = [
      { account: ALICE, balances: RICH, main: ALICE, selfTrade: rule },
      { account: BOB, balances: RICH, main: ALICE, selfTrade: 'cancel_taker' as const },
      { account: CAROL, balances: RICH, main: CAROL, selfTrade: rule },
    ];
    return new Desk(of, new Exchange({ ...options(), accounts, ...more }));
  }
  const outcome = (desk: Desk, amount: string) => {
    const { order } = accepted(desk.place(ALICE, 'buy', limit('101', amount)));
    return [order.state, order.cancelReason, text(order.filledQuantity)];
  };

  it('an order that reaches one of another account is cancelled whole, and the reason names which it met first', () => {
    const desk = family('cancel_taker_extended');
    desk.quotes([], [['100', '20']]);
    accepted(desk.place(BOB, 'sell', limit('100', '30')));
    accepted(desk.place(ALICE, 'sell', limit('101', '40')));
    expect(outcome(desk, '20')).toEqual(['filled', undefined, '20']);
    expect(outcome(desk, '10')).toEqual(['cancelled', 'order_overlap_another_sub', '0']);
    expect(outcome(desk, '70')).toEqual(['cancelled', 'order_overlap_another_sub', '0']);
    expect(desk.book('sell')).toEqual(['100×30', '101×40']);
    accepted(desk.place(CAROL, 'buy', limit('100', '30')));
    expect(outcome(desk, '10')).toEqual(['cancelled', 'order_overlap', '0']);
    expect([desk.position(BOB), desk.position(CAROL)]).toEqual(['-30', '30']);
  });

  it('without the extension, and with the mode of the resting order alone, they trade', () => {
    const plain = family('cancel_taker');
    accepted(plain.place(BOB, 'sell', limit('100', '30')));
    expect(outcome(plain, '30')).toEqual(['filled', undefined, '30']);
    const extended = family('cancel_taker_extended');
    accepted(extended.place(ALICE, 'sell', limit('100', '30')));
    expect(accepted(extended.place(BOB, 'buy', limit('100', '30'))).order.state).toBe('filled');
    expect([extended.position(ALICE), extended.position(BOB)]).toEqual(['-30', '30']);
  });

  it('an incoming order is refused where the mode rejects it', () => {
    const desk = family('reject_taker_extended');
    accepted(desk.place(BOB, 'sell', limit('100', '30')));
    expect(refused(desk.place(ALICE, 'buy', limit('100', '10')))).toMatchObject({ code: 10003 });
    expect(accepted(desk.place(ALICE, 'buy', limit('99', '10'))).order.state).toBe('open');
  });

  it('a resting order gives way where the mode cancels the maker, and the order goes through to strangers', () => {
    const desk = family('cancel_maker_extended');
    const { order: brothers } = accepted(desk.place(BOB, 'sell', limit('100', '30')));
    accepted(desk.place(CAROL, 'sell', limit('101', '40')));
    expect(outcome(desk, '40')).toEqual(['filled', undefined, '40']);
    expect(desk.order(BOB, brothers.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'order_overlap_another_sub',
    });
    expect([desk.position(BOB), desk.position(CAROL)]).toEqual(['0', '-40']);
  });

  it('an order that waits for its speed bump meets an order that came after it', () => {
    const desk = family('cancel_taker_extended', { speedBumpMs: 10 }, btcUsdcPerpetual);
    desk.quotes([], [['100000', '1']]);
    const { order } = accepted(desk.place(ALICE, 'buy', limit('100000', '1')));
    desk.quotes([], []);
    accepted(desk.place(BOB, 'sell', limit('100000', '1')));
    desk.now = instant(desk.now + 10);
    desk.do({ kind: 'release_orders', now: desk.now });
    expect(desk.order(ALICE, order.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'order_overlap_another_sub',
    });
    expect(desk.book('sell')).toEqual(['100000×1']);
  });
});

describe('an account whose resting orders are cancelled in a self-trade', () => {
  it("an incoming order trades past its owner's resting orders and cancels those it reaches", () => {
    const desk = yielding();
    const [near, far] = book(desk);
    desk.quotes(
      [],
      [
        ['100', '20'],
        ['100.5', '10'],
      ],
    );
    const { order, trades } = accepted(desk.place(ALICE, 'buy', limit('101', '30')));
    expect(order.state).toBe('filled');
    expect(trades.map((t) => `${text(t.price)}×${text(t.quantity)}`)).toEqual([
      '100×20',
      '100.5×10',
    ]);
    const states = desk.exchange
      .drainEvents()
      .flatMap((event) =>
        event.kind === 'order_changed' && event.order.side === 'sell'
          ? [[event.order.orderId, event.order.state, event.order.cancelReason]]
          : [],
      );
    expect(states).toEqual([[near, 'cancelled', 'order_overlap']]);
    expect(desk.exchange.openOrders({ account: ALICE }).map((o) => o.orderId)).toEqual([far]);
  });

  it("an incoming order rests if only its owner's orders were in the way", () => {
    const desk = yielding();
    desk.place(ALICE, 'sell', limit('100', '30'));
    const { order, trades } = accepted(desk.place(ALICE, 'buy', limit('100', '50')));
    expect([order.state, trades.length]).toEqual(['open', 0]);
    expect([desk.book('sell'), desk.book('buy')]).toEqual([[], ['100×50']]);
  });

  it('an iceberg is cancelled completely in a self-trade', () => {
    const desk = yielding();
    const terms = { ...limit('100', '5000'), displayQuantity: quantity('1000') };
    desk.place(ALICE, 'sell', terms);
    desk.place(ALICE, 'buy', limit('100', '10'));
    expect([desk.book('sell'), desk.book('buy')]).toEqual([[], ['100×10']]);
  });

  it("fill or kill does not count the owner's orders, and a killed order cancels none of them", () => {
    const desk = yielding();
    book(desk);
    const terms = { ...limit('101', '30'), timeInForce: 'fill_or_kill' } as const;
    expect(accepted(desk.place(ALICE, 'buy', terms)).order.state).toBe('cancelled');
    expect(desk.book('sell')).toEqual(['100×50', '101×40']);
    const whole = accepted(desk.place(ALICE, 'buy', { ...terms, ...limit('101', '20') }));
    expect(whole.order.state).toBe('filled');
  });

  it("an edit cancels the owner's resting orders like a new order does", () => {
    const desk = yielding();
    const { order } = accepted(desk.place(ALICE, 'buy', limit('99', '30')));
    book(desk);
    const edited = accepted(desk.edit(ALICE, order.orderId, { price: '100' }));
    expect([edited.order.state, text(edited.order.filledQuantity)]).toEqual(['open', '20']);
    expect(desk.book('sell')).toEqual(['101×40']);
  });

  it("a post-only order is repriced away from its owner's own orders", () => {
    const desk = yielding();
    book(desk);
    desk.quotes([], []);
    const { order } = accepted(desk.place(ALICE, 'buy', { ...limit('102', '10'), postOnly: true }));
    expect(order.price && text(order.price)).toBe('99.5');
  });

  it('the self-trade mode can be set for one account only', () => {
    const accounts = [
      { account: ALICE, balances: RICH, selfTrade: 'cancel_maker' as const },
      { account: BOB, balances: RICH },
    ];
    const desk = new Desk(btcPerpetual, new Exchange({ ...options(), accounts }));
    for (const account of [ALICE, BOB]) desk.place(account, 'sell', limit('100', '10'));
    expect(refused(desk.place(BOB, 'buy', limit('100', '20')))).toMatchObject({ code: 10003 });
    expect(accepted(desk.place(ALICE, 'buy', limit('100', '10'))).order.state).toBe('filled');
  });
});

/**
 * Bob holds 10 and offers them twice, the second time reduce-only: a fill of the first offer cancels the
 * second. Alice offers behind him.
 */
function offeredTwice(): Desk {
  const desk = new Desk(btcPerpetual);
  desk.quotes([], [['100', '10']]);
  desk.place(BOB, 'buy', limit('100', '10'));
  desk.place(BOB, 'sell', limit('100', '10'));
  desk.place(BOB, 'sell', { ...limit('101', '10'), reduceOnly: true });
  desk.place(ALICE, 'sell', limit('102', '10'));
  expect(desk.book('sell')).toEqual(['100×10', '101×10', '102×10']);
  return desk;
}

describe('reduce-only offers that are cancelled while others trade', () => {
  it("a vanishing offer does not shield an order from its owner's own", () => {
    const desk = offeredTwice();
    expect(refused(desk.place(ALICE, 'buy', limit('102', '20')))).toMatchObject({ code: 10003 });
    expect(desk.book('sell')).toEqual(['100×10', '101×10', '102×10']);
  });

  it('a vanishing offer does not count for fill or kill', () => {
    const desk = offeredTwice();
    const terms = { ...limit('101', '20'), timeInForce: 'fill_or_kill' } as const;
    const { order, trades } = accepted(desk.place(ALICE, 'buy', terms));
    expect([order.state, trades.length]).toEqual(['cancelled', 0]);
    const half = accepted(desk.place(ALICE, 'buy', { ...terms, ...limit('101', '10') }));
    expect(half.order.state).toBe('filled');
    expect(desk.book('sell')).toEqual(['102×10']);
  });
});

describe('a reduce-only offer that cancels another one when it is filled', () => {
  it('fill or kill does not count the other offer if an earlier fill shrinks the reduce-only one', () => {
    const desk = new Desk(btcPerpetual, new Exchange(options()));
    accepted(desk.place(BOB, 'buy', limit('98', '20')));
    accepted(desk.place(ALICE, 'sell', limit('98', '20')));
    accepted(desk.place(ALICE, 'buy', limit('98', '10')));
    const others = [
      { ...PLAIN, side: 'buy' as const, quantity: quantity('20'), price: price('98') },
    ];
    const link = { kind: 'one_cancels_other', fillCondition: 'complete_fill', others } as const;
    accepted(desk.place(ALICE, 'buy', { ...limit('98', '20'), reduceOnly: true, link }));
    // Alice is short 20: her first bid leaves 10 to reduce, and that fill is complete.
    const terms = { ...limit('98', '30'), timeInForce: 'fill_or_kill' } as const;
    const { order, trades } = accepted(desk.place(BOB, 'sell', terms));
    expect([order.state, trades.length]).toEqual(['cancelled', 0]);
    const less = accepted(desk.place(BOB, 'sell', { ...terms, ...limit('98', '20') }));
    expect([less.order.state, less.trades.length]).toEqual(['filled', 2]);
  });
});

describe('random orders of two accounts', () => {
  const fillCondition = fc.constantFrom('first_hit', 'complete_fill', 'incremental' as const);
  const step = fc.record({
    isAlice: fc.boolean(),
    side: fc.constantFrom<Side>('buy', 'sell'),
    price: fc.integer({ min: 98, max: 102 }),
    lots: fc.integer({ min: 1, max: 9 }),
    reduceOnly: fc.boolean(),
    isWhole: fc.boolean(),
    /** A linked order that is cancelled when this one fills, this many ticks away. */
    peer: fc.option(fc.record({ away: fc.integer({ min: -2, max: 2 }), fillCondition })),
  });
  const mode = fc.constantFrom<SelfTradeMode>('reject_taker', 'cancel_taker', 'cancel_maker');

  it('no account trades with itself, and fill or kill fills all or nothing', () => {
    fc.assert(
      fc.property(mode, fc.array(step, { maxLength: 60, size: 'max' }), (selfTrade, steps) => {
        const exchange = new Exchange({ ...options(), selfTrade });
        const desk = new Desk(btcPerpetual, exchange);
        for (const { isAlice, side, price: at, lots, reduceOnly, isWhole, peer } of steps) {
          const terms = { ...limit(`${at}`, `${lots * 10}`), reduceOnly };
          const others = [
            {
              ...PLAIN,
              side,
              quantity: quantity(terms.quantity),
              price: price(`${at + (peer?.away ?? 0)}`),
            },
          ];
          const link = peer && { kind: 'one_cancels_other' as const, ...peer, others };
          const timeInForce = isWhole ? 'fill_or_kill' : 'good_til_cancelled';
          const account = isAlice ? ALICE : BOB;
          const linked = link === null || isWhole ? {} : { link };
          const answer = desk.place(account, side, { ...terms, timeInForce, ...linked });
          if (!isWhole || answer.kind !== 'order') continue;
          const { state, filledQuantity } = answer.order;
          expect(state === 'filled' || filledQuantity.isZero()).toBe(true);
        }
        const idsOf = (trades: readonly ExchangeTrade[]) => trades.map(({ tradeId }) => tradeId);
        for (const account of [ALICE, BOB]) {
          const ids = idsOf(exchange.tradesSince(account, instant(0)));
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
      { numRuns: cases(120) },
    );
  });
});
