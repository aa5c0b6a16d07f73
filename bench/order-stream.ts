// A seeded stream of orders like that of a busy book, generated beforehand, so that every book receives the
// same one and its generation is not measured.
import { match } from '../src/exchange/book/matching.ts';
import { OrderBook } from '../src/exchange/book/order-book.ts';
import { Resting } from '../src/exchange/book/price-level.ts';
import type { Side } from '../src/values/instrument.ts';
import { type Rng, rng } from '../src/values/rng.ts';

/** `add` rests without trading, `cross` trades, `cancel` removes the resting order with the number. */
export type StreamKind = 'add' | 'cross' | 'cancel';

export interface StreamStep {
  readonly kind: StreamKind;
  readonly number: number;
  /** The number as text, for books that require text. */
  readonly name: string;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
}

export interface StreamShape {
  readonly seed: string;
  /** Orders resting before the mixed part starts, and approximately throughout it. */
  readonly resting: number;
  readonly mixed: number;
  /** Mean distance of a new order from the other side's best price. */
  readonly meanTicks: number;
}

export interface OrderStream {
  /** Adds only. */
  readonly opening: readonly StreamStep[];
  /** 60 % adds, 30 % cancels, 10 % crosses. */
  readonly mixed: readonly StreamStep[];
}

const MIDDLE = 1_000_000;
const ADD_LOTS_MAX = 20;
/** Of six adds three are not cancelled; one cross per six adds fills three of them on average. */
const CROSS_LOTS_MAX = 62;
const CROSS_DEPTH_TICKS = 5_000;

export function orderStream(shape: StreamShape): OrderStream {
  const writer = new StreamWriter(shape);
  const opening = Array.from({ length: shape.resting }, () => writer.next('add'));
  const mixed = Array.from({ length: shape.mixed }, () => writer.next(writer.kind()));
  return { opening, mixed };
}

const OWNER = {};

class Open extends Resting {
  readonly step: StreamStep;
  place = 0;

  constructor(step: StreamStep) {
    super(OWNER, step.lots);
    this.step = step;
  }
}

/** Maintains its own book, to know what would trade and what can be cancelled. */
class StreamWriter {
  readonly #random: Rng;
  readonly #meanTicks: number;
  readonly #book = new OrderBook();
  readonly #open: Open[] = [];
  #lastNumber = 0;

  constructor({ seed, meanTicks }: StreamShape) {
    this.#random = rng(seed);
    this.#meanTicks = meanTicks;
  }

  kind(): StreamKind {
    const dice = this.#random.below(10);
    if (dice < 6) return 'add';
    return dice < 9 ? 'cancel' : 'cross';
  }

  next(kind: StreamKind): StreamStep {
    if (kind === 'cancel') return this.#cancel();
    const step = this.#order(kind);
    this.#trade(step);
    return step;
  }

  #order(kind: 'add' | 'cross'): StreamStep {
    const side: Side = this.#random.below(2) === 0 ? 'buy' : 'sell';
    const sign = side === 'buy' ? 1 : -1;
    const other = this.#book.against(side).best?.ticks ?? MIDDLE + sign;
    const away = 1 + Math.floor(-Math.log(1 - this.#random.next()) * this.#meanTicks);
    const isCross = kind === 'cross';
    this.#lastNumber += 1;
    return {
      kind,
      number: this.#lastNumber,
      name: `${this.#lastNumber}`,
      side,
      ticks: other + sign * (isCross ? CROSS_DEPTH_TICKS : -away),
      lots: 1 + this.#random.below(isCross ? CROSS_LOTS_MAX : ADD_LOTS_MAX),
    };
  }

  #trade(step: StreamStep): void {
    const { side, ticks, lots } = step;
    const left = match(this.#book, { side, lots, limitTicks: ticks }, (maker) => {
      if (maker.level === undefined) this.#forget(maker as Open);
    });
    if (left === 0) return;
    const open = new Open(step);
    open.lots = left;
    this.#book.rest(open, side, ticks);
    open.place = this.#open.push(open) - 1;
  }

  #cancel(): StreamStep {
    const open = this.#open[this.#random.below(this.#open.length)] as Open;
    this.#book.remove(open, open.step.side);
    this.#forget(open);
    return { ...open.step, kind: 'cancel' };
  }

  #forget(open: Open): void {
    const last = this.#open.pop() as Open;
    if (last === open) return;
    this.#open[open.place] = last;
    last.place = open.place;
  }
}
