import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillableQuantity } from '../../../src/exchange/accounting/fillable-quantity.ts';
import { type FilledPart, match } from '../../../src/exchange/book/matching.ts';
import type { OrderBook } from '../../../src/exchange/book/order-book.ts';
import { Resting } from '../../../src/exchange/book/price-level.ts';
import { Listing } from '../../../src/exchange/model/instruments/listing.ts';
import { btcPerpetual } from '../instruments.ts';
import { NaiveQueue, type NaiveTaker, type Side } from '../naive-queue.ts';

const stranger = () => ({ siblings: new Set<object>() });
const STRANGER = stranger();
const OWNERS = [stranger(), stranger(), stranger()];

class Entry extends Resting {
  readonly id: number;
  readonly side: Side;

  constructor(id: number, owner: number, at: { side: Side; lots: number }) {
    super(OWNERS[owner] as object, at.lots);
    this.id = id;
    this.side = at.side;
  }
}

interface SeenFill {
  readonly maker: number;
  readonly lots: number;
  readonly ticks: number;
  readonly isHidden: boolean;
}

const queueOf = (head: Resting | undefined): Entry[] => {
  const queue: Entry[] = [];
  for (let e = head; e !== undefined; e = e.next) queue.push(e as Entry);
  return queue;
};

const sideOf = (book: OrderBook, side: Side): unknown[] =>
  [...book.own(side).levels()].map((level) => {
    const queue = queueOf(level.head);
    expect(level.count).toBe(queue.length);
    expect(level.tail).toBe(queue.at(-1));
    for (const e of queue) expect(Math.min(e.lots - 1, e.hiddenLots)).toBeGreaterThanOrEqual(0);
    const shown = queue.map((e) => [e.id, e.lots, e.hiddenLots]);
    return [level.ticks, level.lots, level.hiddenLots, shown];
  });

/** The book and the naive list, compared after every operation. */
class Pair {
  readonly listing = new Listing(btcPerpetual);
  readonly book: OrderBook = this.listing.book;
  readonly naive = new NaiveQueue();
  readonly entries: Entry[] = [];

  rest(at: { side: Side; ticks: number; owner: number }, size: Size): void {
    const { side, ticks, owner } = at;
    const { shown, hidden, refresh } = size;
    const id = this.entries.length;
    const entry = new Entry(id, owner, { side, lots: shown });
    entry.hiddenLots = hidden;
    entry.refreshLots = refresh;
    this.entries.push(entry);
    this.book.rest(entry, side, ticks);
    this.naive.rest({ id, owner, side, ticks, refresh, shown, left: shown + hidden });
  }

  /** Executes a taker in both and returns the fills that both report. */
  take(taker: NaiveTaker): SeenFill[] {
    const seen: SeenFill[] = [];
    const refilled = new Set<number>();
    const onFill = (maker: Resting, lots: number, ticks: number, part: FilledPart): void => {
      const { id } = maker as Entry;
      seen.push({ maker: id, lots, ticks, isHidden: part.isHidden });
      if (!part.isRefilled) return;
      refilled.add(id);
      expect(maker.level?.tail).toBe(maker);
      expect(maker.lots).toBe(Math.min(maker.refreshLots, maker.lots + maker.hiddenLots));
    };
    const incoming = { side: taker.side, lots: taker.lots, limitTicks: taker.ticks };
    const left = match(this.book, incoming, onFill);
    expect(seen).toEqual(this.naive.match(taker));
    expect(left + seen.reduce((sum, { lots }) => sum + lots, 0)).toBe(taker.lots);
    const last = seen.at(-1)?.maker;
    expect([...refilled].filter((id) => id !== last)).toEqual([]);
    return seen;
  }

  compare(): void {
    for (const side of ['buy', 'sell'] as const) {
      expect(sideOf(this.book, side)).toEqual(this.naive.side(side));
    }
    const [bid, ask] = [this.book.bids.best, this.book.asks.best];
    if (bid !== undefined && ask !== undefined) expect(bid.ticks).toBeLessThan(ask.ticks);
  }
}

interface Size {
  readonly shown: number;
  readonly hidden: number;
  readonly refresh: number;
}

const plain = (shown: number): Size => ({ shown, hidden: 0, refresh: 0 });

const side = fc.constantFrom<Side>('buy', 'sell');
const ticks = fc.integer({ min: 90, max: 110 });
const lots = fc.integer({ min: 1, max: 12 });
const size: fc.Arbitrary<Size> = fc.oneof(
  { weight: 2, arbitrary: lots.map(plain) },
  {
    weight: 1,
    arbitrary: fc.record({ shown: lots, hidden: fc.integer({ min: 1, max: 40 }), refresh: lots }),
  },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ side, ticks, size, owner: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ cancel: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ reduce: fc.nat(), by: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ side, ticks, take: fc.integer({ min: 1, max: 60 }) }) },
);

describe('matching an incoming order', () => {
  it('matching agrees with a search of a flat list, including hidden quantities', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const pair = new Pair();
        const { book, naive } = pair;
        for (const each of steps) {
          const open = pair.entries.filter(({ level }) => level !== undefined);
          if ('cancel' in each) {
            const entry = pair.entries[each.cancel % Math.max(1, pair.entries.length)];
            if (entry !== undefined) book.remove(entry, entry.side);
            if (entry !== undefined) naive.remove(entry.id);
          } else if ('reduce' in each) {
            const entry = open[each.reduce % Math.max(1, open.length)];
            if (entry === undefined) continue;
            const by = 1 + (each.by % (entry.lots + entry.hiddenLots));
            book.reduce(entry, entry.side, by);
            naive.reduce(entry.id, by);
          } else if ('take' in each) {
            const taker = { side: each.side, ticks: each.ticks, lots: each.take };
            const incoming = { side: each.side, lots: each.take, limitTicks: each.ticks };
            const { lots, meets } = fillableQuantity(pair.listing, incoming, STRANGER);
            expect([lots, meets]).toEqual([naive.fillable(taker), undefined]);
            OWNERS.forEach((owner, i) => {
              const reach = fillableQuantity(pair.listing, incoming, owner);
              expect(reach.meets).toBe(naive.meets(taker, i) ? 'order_overlap' : undefined);
            });
            pair.take(taker);
          } else {
            const { side, ticks, size, owner } = each;
            // A marketable order trades first and only the remainder rests, as for any order.
            const whole = size.shown + size.hidden;
            const fills = pair.take({ side, ticks, lots: whole });
            const left = whole - fills.reduce((sum, fill) => sum + fill.lots, 0);
            const shown = Math.min(size.shown, left);
            if (left > 0)
              pair.rest({ side, ticks, owner }, { ...size, shown, hidden: left - shown });
          }
          pair.compare();
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('an iceberg in the book', () => {
  const sold = { side: 'sell', ticks: 100, owner: 0 } as const;

  it('an iceberg shows its next part behind the other orders when its shown part is filled', () => {
    const pair = new Pair();
    pair.rest(sold, { shown: 10, hidden: 85, refresh: 20 });
    pair.rest(sold, plain(5));
    expect(pair.take({ side: 'buy', ticks: 100, lots: 10 })).toEqual([
      { maker: 0, lots: 10, ticks: 100, isHidden: false },
    ]);
    expect(sideOf(pair.book, 'sell')).toEqual([
      [
        100,
        25,
        65,
        [
          [1, 5, 0],
          [0, 20, 65],
        ],
      ],
    ]);
  });

  it('a taker larger than the shown part fills from the hidden part at once', () => {
    const pair = new Pair();
    pair.rest(sold, { shown: 10, hidden: 85, refresh: 20 });
    pair.rest(sold, plain(5));
    expect(pair.take({ side: 'buy', ticks: 100, lots: 85 })).toEqual([
      { maker: 0, lots: 10, ticks: 100, isHidden: false },
      { maker: 0, lots: 75, ticks: 100, isHidden: true },
    ]);
    expect(sideOf(pair.book, 'sell')).toEqual([
      [
        100,
        15,
        0,
        [
          [1, 5, 0],
          [0, 10, 0],
        ],
      ],
    ]);
  });

  it('an iceberg keeps its place while part of its shown quantity is left', () => {
    const pair = new Pair();
    pair.rest(sold, { shown: 10, hidden: 5, refresh: 20 });
    pair.rest(sold, plain(5));
    pair.take({ side: 'buy', ticks: 100, lots: 9 });
    expect(sideOf(pair.book, 'sell')).toEqual([
      [
        100,
        6,
        5,
        [
          [0, 1, 5],
          [1, 5, 0],
        ],
      ],
    ]);
  });

  it('a reduced iceberg loses hidden quantity first', () => {
    const pair = new Pair();
    pair.rest(sold, { shown: 10, hidden: 5, refresh: 20 });
    const [entry] = pair.entries as [Entry];
    pair.book.reduce(entry, 'sell', 4);
    expect(sideOf(pair.book, 'sell')).toEqual([[100, 10, 1, [[0, 10, 1]]]]);
    pair.book.reduce(entry, 'sell', 4);
    expect(sideOf(pair.book, 'sell')).toEqual([[100, 7, 0, [[0, 7, 0]]]]);
  });

  it('an iceberg removed while its first fill is booked gets no second fill', () => {
    const pair = new Pair();
    const { book } = pair;
    pair.rest(sold, { shown: 10, hidden: 85, refresh: 20 });
    const fills: number[] = [];
    const left = match(book, { side: 'buy', lots: 30, limitTicks: 100 }, (maker, filled) => {
      fills.push(filled);
      book.remove(maker, 'sell');
    });
    expect({ left, fills, level: pair.entries[0]?.level }).toEqual({
      left: 20,
      fills: [10],
      level: undefined,
    });
    expect(book.asks.best).toBe(undefined);
  });
});
