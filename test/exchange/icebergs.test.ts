import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { AccountEvent } from '../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../src/exchange/journal/plain.ts';
import type { ExchangeOrder } from '../../src/exchange/order.ts';
import { quantity, text } from '../../src/values/amounts.ts';
import { ALICE, accepted, BOB, Desk, options, refused } from './exchange-desk.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual } from './instruments.ts';

const shown = (order: ExchangeOrder): (string | undefined)[] =>
  [order.displayQuantity, order.refreshQuantity].map((amount) => amount && text(amount));

/** Alice offers `total` and shows 1000 of it; the bot is behind her with 500. */
function offered(total: string): { desk: Desk; order: ExchangeOrder } {
  const desk = new Desk(btcPerpetual);
  const terms = { price: '100', quantity: total, displayQuantity: quantity('1000') };
  const { order } = accepted(desk.place(ALICE, 'sell', terms));
  desk.quotes([], [['100', '500']]);
  return { desk, order };
}

describe('iceberg orders', () => {
  it('the book shows the requested part of an iceberg, and the owner sees both amounts', () => {
    const { desk, order } = offered('5000');
    expect(desk.book('sell')).toEqual(['100×1500']);
    expect(shown(order)).toEqual(['1000', '1000']);
    expect(text(order.quantity)).toBe('5000');
  });

  it('with 9500 of 10000 filled, an iceberg that refills to 1000 shows the remaining 500', () => {
    const desk = new Desk(btcPerpetual);
    const terms = { price: '100', quantity: '10000', displayQuantity: quantity('1000') };
    const { order } = accepted(desk.place(ALICE, 'sell', terms));
    for (let i = 0; i < 9; i += 1) desk.take('buy', '1000', '100');
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['1000', '1000']);
    desk.take('buy', '500', '100');
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['500', '1000']);
    expect(desk.book('sell')).toEqual(['100×500']);
  });

  it('an iceberg is refilled behind orders that arrived before the refill', () => {
    const { desk, order } = offered('3000');
    desk.take('buy', '1000', '100');
    expect(desk.book('sell')).toEqual(['100×1500']);
    desk.take('buy', '500', '100');
    expect(text(desk.order(ALICE, order.orderId).filledQuantity)).toBe('1000');
    desk.take('buy', '100', '100');
    expect(text(desk.order(ALICE, order.orderId).filledQuantity)).toBe('1100');
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['900', '1000']);
  });

  it('a larger taker fills from the hidden part at once, which pays the taker fee', () => {
    const { desk, order } = offered('3000');
    const { trades } = accepted(desk.place(BOB, 'buy', { price: '100', quantity: '1800' }));
    expect(trades.map((t) => `${text(t.quantity)} ${t.liquidity}`)).toEqual([
      '1000 taker',
      '800 taker',
    ]);
    const own = desk.exchange.tradesByOrder(ALICE, order.orderId);
    expect(own.map((t) => [text(t.quantity), t.liquidity, text(t.fee)])).toEqual([
      ['1000', 'maker', '0'],
      ['800', 'taker', '0.004'],
    ]);
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['1000', '1000']);
    expect(desk.book('sell')).toEqual(['100×1500']);
  });

  it('an iceberg counts in full for fill or kill', () => {
    const { desk } = offered('3000');
    const terms = { price: '100', timeInForce: 'fill_or_kill' } as const;
    const killed = accepted(desk.place(BOB, 'buy', { ...terms, quantity: '3510' }));
    expect([killed.order.state, killed.trades.length]).toEqual(['cancelled', 0]);
    const whole = accepted(desk.place(BOB, 'buy', { ...terms, quantity: '3500' }));
    expect(whole.order.state).toBe('filled');
    expect(desk.book('sell')).toEqual([]);
  });

  it('an incoming iceberg trades in full and shows a part of the remainder', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100', '2500']]);
    const terms = { price: '100', quantity: '4000', displayQuantity: quantity('1000') };
    const { order } = accepted(desk.place(ALICE, 'buy', terms));
    expect([text(order.filledQuantity), ...shown(order)]).toEqual(['2500', '1000', '1000']);
    expect(desk.book('buy')).toEqual(['100×1000']);
  });

  it('a reduce-only iceberg loses hidden quantity first', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['100', '3000']]);
    desk.place(ALICE, 'buy', { price: '100', quantity: '3000' });
    const terms = { price: '110', quantity: '3000', displayQuantity: quantity('1000') };
    const { order } = accepted(desk.place(ALICE, 'sell', { ...terms, reduceOnly: true }));
    desk.quotes([['99', '1500']], []);
    desk.place(ALICE, 'sell', { price: '99', quantity: '1500' });
    const cut = desk.order(ALICE, order.orderId);
    expect([text(cut.quantity), ...shown(cut)]).toEqual(['1500', '1000', '1000']);
    expect(desk.book('sell')).toEqual(['110×1000']);
  });
});

describe('the display amount of an iceberg', () => {
  const placed = (total: string, display: string) =>
    new Desk(btcPerpetual).place(ALICE, 'buy', {
      price: '1000',
      quantity: total,
      displayQuantity: quantity(display),
    });

  it.each([
    ['100000', '1000'],
    ['1000', '1000'],
    ['500', '1000'],
    ['200000', '2000'],
  ])('an order of %s may show %s', (total, display) => {
    expect(accepted(placed(total, display)).order.state).toBe('open');
  });

  it.each([
    ['10000', '990'],
    ['100010', '1000'],
    ['5000', '1005'],
    ['5000', '0'],
    ['5000', '-1000'],
  ])('an order of %s may not show %s', (total, display) => {
    expect(refused(placed(total, display))).toMatchObject({
      code: 10036,
      message: 'invalid_max_show_amount',
    });
  });

  it('options have no icebergs, and a linear perpetual must show a hundred minimum amounts', () => {
    const terms = { price: '0.01', quantity: '20', displayQuantity: quantity('10') };
    expect(refused(new Desk(btcCall).place(ALICE, 'buy', terms))).toMatchObject({ code: 11048 });
    const linear = { price: '100', quantity: '1', displayQuantity: quantity('0.01') };
    expect(accepted(new Desk(btcUsdcPerpetual).place(ALICE, 'buy', linear)).trades).toEqual([]);
  });
});

describe('an edit of an iceberg', () => {
  it('an edit to a smaller amount reduces the hidden part and keeps the place', () => {
    const { desk, order } = offered('3000');
    desk.edit(ALICE, order.orderId, { quantity: '1500' });
    desk.take('buy', '1000', '100');
    expect(text(desk.order(ALICE, order.orderId).filledQuantity)).toBe('1000');
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['500', '1000']);
  });

  it('an edit may change the display amount, which moves the order to the end of the queue', () => {
    const { desk, order } = offered('3000');
    const terms = { displayQuantity: quantity('2000') };
    expect(shown(accepted(desk.edit(ALICE, order.orderId, terms)).order)).toEqual(['2000', '2000']);
    expect(desk.book('sell')).toEqual(['100×2500']);
    desk.take('buy', '500', '100');
    expect(text(desk.order(ALICE, order.orderId).filledQuantity)).toBe('0');
  });

  it('an edit can turn a plain order into an iceberg', () => {
    const desk = new Desk(btcPerpetual);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '5000' }));
    expect(shown(order)).toEqual([undefined, undefined]);
    desk.edit(ALICE, order.orderId, { displayQuantity: quantity('1000') });
    expect(desk.book('buy')).toEqual(['100×1000']);
  });

  it('an edit is refused if too little of the new total would be shown', () => {
    const { desk, order } = offered('3000');
    const edits = [{ quantity: '100010' }, { displayQuantity: quantity('500') }];
    for (const terms of edits)
      expect(refused(desk.edit(ALICE, order.orderId, terms))).toMatchObject({ code: 10036 });
    expect(shown(desk.order(ALICE, order.orderId))).toEqual(['1000', '1000']);
  });
});

describe('an iceberg under any stream of takers', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 400 }), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  });
  const lots = (amount: { toNumber(): number } | undefined): number =>
    (amount?.toNumber() ?? 0) / 10;

  it('the total stays constant and the shown part never exceeds the display amount', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 100, max: 900 }), (taken, total) => {
        const desk = new Desk(btcPerpetual);
        const display = { displayQuantity: quantity('1000') };
        const place = (account: typeof ALICE, amount: number) =>
          accepted(
            desk.place(account, 'sell', { price: '100', quantity: `${amount}`, ...display }),
          );
        const ids = [place(ALICE, total * 10), place(BOB, 1500)].map((a) => a.order);
        let bought = 0;
        for (const amount of taken) {
          const answer = desk.take('buy', `${amount * 10}`, '100');
          if (answer.kind === 'count') bought += answer.count;
          const orders = ids.map(({ account, orderId }) => desk.order(account, orderId));
          const filled = orders.reduce((sum, o) => sum + lots(o.filledQuantity), 0);
          expect(filled).toBe(bought);
          const visible = orders.reduce((sum, o) => sum + lots(o.displayQuantity), 0);
          for (const order of orders) {
            const left = lots(order.quantity) - lots(order.filledQuantity);
            expect(lots(order.displayQuantity)).toBeLessThanOrEqual(Math.min(100, left));
            if (left > 0) expect(lots(order.displayQuantity)).toBeGreaterThan(0);
          }
          const ask = desk.exchange.bestTicks(desk.name, 'sell');
          expect(ask?.lots ?? 0).toBe(visible);
        }
      }),
    );
  });

  it('an iceberg is rebuilt with its shown and hidden parts, in the same queue, after every command', () => {
    fc.assert(
      fc.property(amounts, (taken) => {
        const { desk } = offered('5000');
        desk.quotes([], []);
        const terms = { price: '100', quantity: '2500', displayQuantity: quantity('1000') };
        desk.place(BOB, 'sell', terms);
        const rebuilt = new Exchange(options());
        for (const amount of [...taken, 0]) {
          const events = desk.exchange.drainEvents().filter(({ kind }) => kind !== 'print');
          rebuilt.applyJournal(events.map((event) => journalRecord(event as AccountEvent)));
          expect(rebuilt.stateHash()).toBe(desk.exchange.stateHash());
          expect(rebuilt.bookHash(desk.name)).toBe(desk.exchange.bookHash(desk.name));
          const snapshot = JSON.parse(JSON.stringify(desk.exchange.snapshot()));
          const restored = Exchange.restore(snapshot, options());
          expect(restored.bookHash(desk.name)).toBe(desk.exchange.bookHash(desk.name));
          if (amount > 0) desk.take('buy', `${amount * 10}`, '100');
        }
      }),
      { numRuns: 40 },
    );
  });
});
