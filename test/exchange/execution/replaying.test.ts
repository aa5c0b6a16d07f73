// Tests of a recorded book with users' orders in it: queues, crossings, taken sizes, gaps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExchangeAnswer } from '../../../src/exchange/exchange-command.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import type { Side } from '../../../src/values/instrument.ts';
import { ALICE, accepted, Desk } from '../exchange-desk.ts';
import { btcUsdcPerpetual } from '../instruments.ts';

const RECORDED = accountId('recorded');
/** Ticks of 0.5; lots of 0.0001, so that whole coins are round numbers. */
const LOTS_PER_COIN = 10_000;

type Row = readonly (readonly [price: number, coins: number])[];

class Replay extends Desk {
  constructor() {
    super(btcUsdcPerpetual);
  }

  show(bids: Row, asks: Row, renewsSizes = false): ExchangeAnswer {
    return this.do({
      kind: 'show_book',
      now: this.now,
      account: RECORDED,
      instrument: this.name,
      bids: levels(bids),
      asks: levels(asks),
      seenAt: this.now,
      renewsSizes,
    });
  }

  trade(side: Side, at: number, coins: number): ExchangeAnswer {
    return this.do({
      kind: 'replay_trade',
      now: this.now,
      account: RECORDED,
      instrument: this.name,
      side,
      lots: coins * LOTS_PER_COIN,
      priceTicks: at * 2,
    });
  }

  silence(): void {
    this.do({ kind: 'withdraw_book', now: this.now, instrument: this.name });
  }

  rest(side: Side, at: number, coins: number) {
    const terms = { price: String(at), quantity: String(coins) };
    return accepted(this.place(ALICE, side, terms)).order.orderId;
  }

  filled(order: Parameters<Replay['order']>[1]): string {
    return text(this.order(ALICE, order).filledQuantity);
  }
}

const levels = (row: Row) =>
  row.map(([at, coins]) => ({ priceTicks: at * 2, lots: coins * LOTS_PER_COIN }));

describe('the queue of a recorded book', () => {
  test('recorded quantity that rested first is filled first', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 5]]);
    const order = desk.rest('buy', 100, 2);
    desk.trade('sell', 100, 4);
    expect(desk.filled(order)).toBe('0');
    desk.trade('sell', 100, 2);
    expect(desk.filled(order)).toBe('1');
    desk.trade('sell', 100, 9);
    expect(desk.filled(order)).toBe('2');
  });

  test('quantity added by a row queues behind the order, removed quantity leaves from behind', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 5]]);
    const order = desk.rest('buy', 100, 1);
    desk.show([[100, 50]], [[101, 5]]);
    desk.show([[100, 5]], [[101, 5]]);
    desk.trade('sell', 100, 5);
    expect(desk.filled(order)).toBe('0');
    desk.trade('sell', 100, 1);
    expect(desk.filled(order)).toBe('1');
  });

  test('an order advances when a row shrinks the queue ahead of it', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 5]]);
    const order = desk.rest('buy', 100, 1);
    desk.show([[100, 2]], [[101, 5]]);
    desk.trade('sell', 100, 3);
    expect(desk.filled(order)).toBe('1');
  });

  test('recorded trades advance the queue and leave the shown size as in the rows', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 5]]);
    desk.rest('buy', 100, 1);
    desk.trade('sell', 100, 3);
    expect(desk.book('buy')).toEqual(['100×6']);
    desk.show([[100, 2]], [[101, 5]]);
    expect(desk.book('buy')).toEqual(['100×3']);
  });

  test('an order better than the book is filled first, whatever the price of the trade', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('buy', 101, 2);
    desk.trade('sell', 99, 1);
    expect(desk.filled(order)).toBe('1');
    expect(text(desk.order(ALICE, order).averagePrice ?? quantity('0'))).toBe('101');
  });

  test('a trade printed before the price was reached fills nothing', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('buy', 99, 2);
    desk.trade('sell', 100, 50);
    expect(desk.filled(order)).toBe('0');
  });

  test('a level that comes into view from below was there before the order', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 5]]);
    const order = desk.rest('buy', 99, 1);
    desk.show([[99, 7]], [[101, 5]]);
    desk.trade('sell', 99, 7);
    expect(desk.filled(order)).toBe('0');
  });

  test('a level that improves the best price queues behind the order', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('buy', 101, 1);
    desk.show([[101, 7]], [[103, 5]]);
    desk.trade('sell', 101, 1);
    expect(desk.filled(order)).toBe('1');
  });

  test('an order keeps its place in the queue while its price is out of view', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('buy', 100, 1);
    desk.show([[101, 2]], [[103, 5]]);
    desk.show([[100, 8]], [[103, 5]]);
    desk.trade('sell', 100, 5);
    expect(desk.filled(order)).toBe('0');
    desk.trade('sell', 100, 1);
    expect(desk.filled(order)).toBe('1');
  });
});

describe('crossing', () => {
  test("a row that reaches an order fills it at the order's price, up to the size of the row", () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('sell', 102, 4);
    desk.show([[102, 1]], [[104, 5]]);
    expect(desk.filled(order)).toBe('1');
    desk.show([[103, 2]], [[105, 5]]);
    expect(desk.filled(order)).toBe('3');
    expect(text(desk.order(ALICE, order).averagePrice ?? quantity('0'))).toBe('102');
  });

  test('an unchanged row fills nothing more', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[103, 5]]);
    const order = desk.rest('sell', 102, 4);
    for (let i = 0; i < 5; i += 1) desk.show([[102, 1]], [[104, 5]]);
    expect(desk.filled(order)).toBe('1');
    desk.show([[102, 3]], [[104, 5]]);
    expect(desk.filled(order)).toBe('3');
  });

  test('a book that is locked or crossed in the recording is shown unchanged', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[100, 3]]);
    expect([desk.book('buy'), desk.book('sell')]).toEqual([['100×5'], ['100×3']]);
    desk.show([[101, 5]], [[100, 3]]);
    expect([desk.book('buy'), desk.book('sell')]).toEqual([['101×5'], ['100×3']]);
    desk.show([[101, 5]], []);
    expect([desk.book('buy'), desk.book('sell')]).toEqual([['101×5'], []]);
  });
});

describe('liquidity taken from a recorded book', () => {
  const ioc = (desk: Replay, coins: number, at: number) =>
    accepted(
      desk.place(ALICE, 'buy', {
        price: String(at),
        quantity: String(coins),
        timeInForce: 'immediate_or_cancel',
      }),
    );

  test('a taker walks the levels, each at its price, and finds nothing behind them', () => {
    const desk = new Replay();
    desk.show(
      [[100, 5]],
      [
        [101, 1],
        [102, 2],
        [103, 3],
      ],
    );
    const { order, trades } = ioc(desk, 10, 102);
    expect(trades.map((trade) => `${text(trade.quantity)}@${text(trade.price)}`)).toEqual([
      '1@101',
      '2@102',
    ]);
    expect(order.state).toBe('cancelled');
  });

  test('taken quantity stays taken while the row is unchanged, and is restored as the row grows', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 4]]);
    ioc(desk, 3, 101);
    desk.show([[100, 5]], [[101, 4]]);
    expect(desk.book('sell')).toEqual(['101×1']);
    desk.show([[100, 5]], [[101, 6]]);
    expect(desk.book('sell')).toEqual(['101×3']);
    desk.show([[100, 5]], [[101, 3]]);
    expect(desk.book('sell')).toEqual(['101×3']);
    desk.show([[100, 5]], [[102, 3]]);
    desk.show([[100, 5]], [[101, 4]]);
    expect(desk.book('sell')).toEqual(['101×4']);
  });

  test('taken quantity is restored by each row if rows do not measure sizes', () => {
    const desk = new Replay();
    desk.show([[100, 5]], [[101, 4]], true);
    ioc(desk, 3, 101);
    desk.show([[100, 5]], [[101, 4]], true);
    expect(desk.book('sell')).toEqual(['101×4']);
  });
});

test("a gap removes everything but users' orders, and nothing fills until the next row", () => {
  const desk = new Replay();
  desk.show([[100, 5]], [[101, 5]]);
  const order = desk.rest('buy', 100, 1);
  desk.silence();
  expect([desk.book('buy'), desk.book('sell')]).toEqual([['100×1'], []]);
  desk.show([[100, 5]], [[101, 5]]);
  desk.trade('sell', 100, 5);
  expect(desk.filled(order)).toBe('0');
});

test('quotes can be read without the orders of given accounts', () => {
  const desk = new Replay();
  desk.show([[100, 5]], [[103, 5]]);
  desk.rest('buy', 101, 2);
  desk.rest('sell', 103, 2);
  const others = desk.exchange.bestWithout(desk.name, new Set([ALICE]));
  expect([others.bid, others.ask].map((level) => level && text(level.price))).toEqual([
    '100',
    '103',
  ]);
  expect(others.ask && text(others.ask.quantity)).toBe('5');
  const all = desk.exchange.best(desk.name);
  expect(all.bid && text(all.bid.price)).toBe('101');
});

test('fills never exceed the recorded quantities, for random rows, trades and orders', () => {
  const coins = fc.integer({ min: 1, max: 5 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('row' as const), bid: fc.integer({ min: 95, max: 100 }), coins }),
    fc.record({
      kind: fc.constant('trade' as const),
      at: fc.integer({ min: 94, max: 101 }),
      coins,
    }),
    fc.record({ kind: fc.constant('rest' as const), at: fc.integer({ min: 95, max: 101 }), coins }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const desk = new Replay();
      desk.show([[98, 3]], [[102, 3]]);
      let brought = 0;
      for (const each of steps) {
        if (each.kind === 'row') desk.show([[each.bid, each.coins]], [[102, 3]]);
        else if (each.kind === 'rest') desk.rest('buy', each.at, each.coins);
        else {
          desk.trade('sell', each.at, each.coins);
          brought += each.coins;
        }
      }
      const recordedBid = desk.exchange.bestWithout(desk.name, new Set([ALICE])).bid;
      expect(Number(desk.position(ALICE))).toBeLessThanOrEqual(brought);
      const lastRow = steps.findLast((each) => each.kind === 'row');
      const expected = lastRow === undefined ? ['98', '3'] : [`${lastRow.bid}`, `${lastRow.coins}`];
      expect(recordedBid && [text(recordedBid.price), text(recordedBid.quantity)]).toEqual(
        expected,
      );
    }),
    { numRuns: 300 },
  );
});
