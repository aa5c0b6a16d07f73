// The book without our own orders. Reports of orders and the book come by streams of their own: a report may be half a
// second late, a book as well. A book that arrived longer ago is compared with our orders as of its change, exactly. In
// those after it, what our orders may have become meanwhile explains as much of a change as it can: a price that follows
// the market does not follow itself, and a change of the others at one of our prices is believed a second later.
import {
  isPositive,
  larger,
  minus,
  type Quantity,
  quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import type { OwnOrders } from '../orders/own-orders.ts';
import { type LevelBook, levelAt, priceLevel } from './level-book.ts';

interface Seen {
  readonly book: LevelBook;
  readonly arrivedAt: Instant;
}

/** Reports of our orders arrive within this time of a book that has them in it. */
const REPORTED_MS = 1_000;

type Others = Map<number, Quantity>;

export class OthersBook {
  readonly #name: InstrumentName;
  readonly #own: Pick<OwnOrders, 'inBook'>;
  /** The last that is old enough, and those after it. */
  readonly #seen: Seen[] = [];
  /** Of others at our own prices, in the first of those books. */
  readonly #settled: Readonly<Record<Side, Others>> = { buy: new Map(), sell: new Map() };

  constructor(name: InstrumentName, own: Pick<OwnOrders, 'inBook'>) {
    this.#name = name;
    this.#own = own;
  }

  see(book: LevelBook, arrivedAt: Instant): void {
    this.#seen.push({ book, arrivedAt });
    this.#settle(arrivedAt);
  }

  forget(): void {
    this.#seen.length = 0;
    this.#settled.buy.clear();
    this.#settled.sell.clear();
  }

  /** The best level of others in the latest book. */
  best(side: Side, now: Instant): PriceLevel | undefined {
    this.#settle(now);
    const last = this.#seen.at(-1);
    if (last === undefined) return undefined;
    const others = this.#othersOf(side);
    for (const level of sideOf(last, side).levels) {
      const left = others.get(level.at);
      if (left === undefined) return priceLevel(level);
      if (isPositive(left)) return { ...priceLevel(level), quantity: left };
    }
    return undefined;
  }

  /** Carries what is certain forward to the latest book that is old enough. */
  #settle(now: Instant): void {
    for (;;) {
      this.#settleFirst('buy');
      this.#settleFirst('sell');
      const [, next] = this.#seen;
      if (next === undefined || next.arrivedAt > now - REPORTED_MS) return;
      const [before] = this.#seen.splice(0, 1);
      for (const side of ['buy', 'sell'] as const) this.#carry(side, before as Seen, next);
    }
  }

  #settleFirst(side: Side): void {
    const [first] = this.#seen;
    if (first === undefined) return;
    const settled = this.#settled[side];
    const bounds = this.#bounds(side, first);
    for (const at of settled.keys()) if (!bounds.has(at)) settled.delete(at);
    for (const [at, { least, most }] of bounds) {
      const shown = shownAt(first, side, at);
      const [low, high] = [minus(shown, most), minus(shown, least)];
      settled.set(at, within(settled.get(at) ?? low, low, high));
    }
  }

  /** Where the next book has another price of ours, its others begin with what the book before had there. */
  #carry(side: Side, before: Seen, next: Seen): void {
    const settled = this.#settled[side];
    for (const at of this.#bounds(side, next).keys()) {
      if (!settled.has(at)) settled.set(at, shownAt(before, side, at));
    }
  }

  #othersOf(side: Side): Others {
    const others: Others = new Map(this.#settled[side]);
    for (let index = 1; index < this.#seen.length; index += 1) {
      const [before, seen] = [this.#seen[index - 1] as Seen, this.#seen[index] as Seen];
      const bounds = this.#bounds(side, seen);
      for (const at of new Set([...others.keys(), ...bounds.keys()])) {
        const shown = shownAt(seen, side, at);
        const most = bounds.get(at)?.most;
        // Our order may have been filled or cancelled, which is not reported yet.
        const low = most === undefined ? shown : minus(shown, most);
        others.set(at, within(others.get(at) ?? shownAt(before, side, at), low, shown));
      }
    }
    return others;
  }

  #bounds(side: Side, { book, arrivedAt }: Seen) {
    return this.#own.inBook(this.#name, side, { at: book.at, arrivedAt });
  }
}

const sideOf = ({ book }: Seen, side: Side) => (side === 'buy' ? book.bids : book.asks);

function shownAt(seen: Seen, side: Side, at: number): Quantity {
  const level = levelAt(sideOf(seen, side), at, side === 'buy' ? 'bids' : 'asks');
  return level === undefined ? ZERO_QUANTITY : quantity(level.amount);
}

/** Never below zero. */
const within = (value: Quantity, low: Quantity, high: Quantity): Quantity =>
  larger(ZERO_QUANTITY, smaller(larger(value, low), high));
