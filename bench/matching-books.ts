// The compared order books, behind one small interface. All of them find an order to cancel by its number;
// none writes a journal or notifies listeners.
import { OrderBook as NodejsOrderBook, Side as NodejsSide } from 'nodejs-order-book';
import { Orderbook as MatchEngineBook, TRADE_SIDE } from 'orderbook-match-engine';
import type { BookSide } from '../src/exchange/book/book-side.ts';
import { match } from '../src/exchange/book/matching.ts';
import { OrderBook } from '../src/exchange/book/order-book.ts';
import { Resting } from '../src/exchange/book/price-level.ts';
import type { Side } from '../src/values/instrument.ts';
import type { StreamStep } from './order-stream.ts';

/** Price and size of every level, best first. */
export type Ladder = readonly (readonly [ticks: number, lots: number])[];

export interface MeasuredBook {
  /** Trades what it can; the remainder rests. */
  place(order: StreamStep): void;
  cancel(order: StreamStep): void;
  ladder(side: Side): Ladder;
}

const OWNER = {};

class Numbered extends Resting {
  readonly number: number;
  readonly side: Side;

  constructor(order: StreamStep, lots: number) {
    super(OWNER, lots);
    this.number = order.number;
    this.side = order.side;
  }
}

export class OwnBook implements MeasuredBook {
  readonly #book = new OrderBook();
  readonly #resting = new Map<number, Numbered>();

  place(order: StreamStep): void {
    const { side, ticks } = order;
    let { lots } = order;
    if (this.#book.wouldTrade(side, ticks)) {
      lots = match(this.#book, { side, lots, limitTicks: ticks }, this.#filled);
    }
    if (lots === 0) return;
    const entry = new Numbered(order, lots);
    this.#book.rest(entry, side, ticks);
    this.#resting.set(order.number, entry);
  }

  cancel({ number }: StreamStep): void {
    const entry = this.#resting.get(number);
    if (entry === undefined) throw new Error(`order ${number} does not rest`);
    this.#book.remove(entry, entry.side);
    this.#resting.delete(number);
  }

  ladder(side: Side): Ladder {
    const own: BookSide = this.#book.own(side);
    return [...own.levels()].map(({ ticks, lots }) => [ticks, lots]);
  }

  readonly #filled = (maker: Resting): void => {
    if (maker.level === undefined) this.#resting.delete((maker as Numbered).number);
  };
}

/** The most widely used one. Takes order numbers as text, and everything else as floats. */
export class NodejsBook implements MeasuredBook {
  readonly #book = new NodejsOrderBook();

  place({ name, side, ticks, lots }: StreamStep): void {
    this.#book.limit({ id: name, side: nodejsSide(side), size: lots, price: ticks });
  }

  cancel({ name }: StreamStep): void {
    this.#book.cancel(name);
  }

  ladder(side: Side): Ladder {
    const [asks, bids] = this.#book.depth();
    return side === 'buy' ? bids : asks;
  }
}

const nodejsSide = (side: Side): NodejsSide => (side === 'buy' ? NodejsSide.BUY : NodejsSide.SELL);

/**
 * The fastest of those that can be installed. Only its book, without the engine that makes every call
 * asynchronous.
 */
export class MatchEngine implements MeasuredBook {
  readonly #book = new MatchEngineBook({ limit: 1_000_000 });

  place({ number, side, ticks, lots }: StreamStep): void {
    this.#book.add(number, side === 'buy' ? TRADE_SIDE.BID : TRADE_SIDE.ASK, ticks, lots);
  }

  cancel({ number }: StreamStep): void {
    this.#book.cancel(number);
  }

  ladder(side: Side): Ladder {
    const levels = side === 'buy' ? this.#book.getBids() : this.#book.getAsks();
    return levels.map(({ price, quantity }) => [Number(price), Number(quantity)]);
  }
}
