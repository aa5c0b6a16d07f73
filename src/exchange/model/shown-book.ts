// A recorded book inside a live one. The recorded rows alone decide what is shown; the lots that users took
// of a level stay taken until the level shrinks by as much or disappears. Queue positions are kept: earlier
// quantity stays ahead of a user's order, later quantity is queued behind it, and removals come from behind,
// unless another model of the queue is chosen.
import type { Side } from '../../values/instrument.ts';
import { assertProgress } from '../../values/progress.ts';
import type { OrderBook } from '../book/order-book.ts';
import { type PriceLevel, Resting } from '../book/price-level.ts';
import type { QuoteLevel } from '../exchange-command.ts';
import type { Bot } from './bot.ts';
import type { QueueModel } from './queue-model.ts';

export interface ShownBook {
  readonly bot: Bot;
  readonly book: OrderBook;
  readonly buy: ShownSide;
  readonly sell: ShownSide;
}

export const shownBook = (bot: Bot, book: OrderBook): ShownBook => ({
  bot,
  book,
  buy: new ShownSide(bot, book, 'buy'),
  sell: new ShownSide(bot, book, 'sell'),
});

/** One price of the recording: its size, the lots users took of it, and the pieces that rest in the book. */
interface ShownLevel {
  recorded: number;
  taken: number;
  /** Lots that recorded takers traded ahead of users since the last row: the next row no longer shows them. */
  passed: number;
  pieces: Resting[];
}

/** Trades a level that is newly shown with users' crossing orders; returns the lots they took of it. */
type Cross = (side: Side, level: QuoteLevel) => number;

/** How a row is applied. */
interface Showing {
  readonly renewsSizes: boolean;
  readonly queue: QueueModel;
  readonly cross: Cross;
}

export class ShownSide {
  readonly #bot: Bot;
  readonly #book: OrderBook;
  readonly #side: Side;
  readonly #sign: 1 | -1;
  readonly #levels = new Map<number, ShownLevel>();
  /** Worst price of the latest row: a level that appears beyond it may have existed before. */
  #worst: number | undefined;
  #hasRow = false;

  constructor(bot: Bot, book: OrderBook, side: Side) {
    this.#bot = bot;
    this.#book = book;
    this.#side = side;
    this.#sign = side === 'buy' ? 1 : -1;
  }

  /** Counts the lots users have taken since the last call. */
  absorb(): void {
    for (const level of this.#levels.values()) {
      let standing = 0;
      for (const piece of level.pieces) standing += piece.lots;
      const missing = level.recorded - level.taken - standing;
      if (missing === 0) continue;
      level.taken += missing;
      level.pieces = level.pieces.filter(({ lots }) => lots > 0);
    }
  }

  /**
   * True if everything stands as the row shows it and no order has left a trace: then the latest row alone decides what will be
   * shown, however many there are before it. Call only while no user has an order here.
   */
  get isPlain(): boolean {
    for (const { recorded, taken, passed, pieces } of this.#levels.values()) {
      if (taken !== 0 || passed !== 0 || pieces.length > 1) return false;
      if ((pieces[0]?.lots ?? 0) !== recorded) return false;
    }
    return true;
  }

  /** Applies a new row. Call `absorb` first. */
  show(row: readonly QuoteLevel[], showing: Showing): void {
    this.#dropUnnamed(row);
    for (const level of row) this.#stand(level, showing);
    this.#worst = row.at(-1)?.priceTicks;
    this.#hasRow = true;
  }

  /** Removes everything; the next row starts from scratch. */
  withdraw(): void {
    for (const level of this.#levels.values()) this.#remove(level);
    this.#levels.clear();
    this.#worst = undefined;
    this.#hasRow = false;
  }

  /** Moves `lots` that a recorded taker traded ahead of users' orders to the end of the queue. */
  moveBehind(ticks: number, lots: number): void {
    const level = this.#levels.get(ticks);
    if (level === undefined || lots === 0) return;
    level.pieces = level.pieces.filter((piece) => piece.lots > 0);
    level.passed += lots;
    this.#addBehind(level, ticks, lots);
  }

  /** Removes levels that are gone; a level that fell out of view stays if a user's order waits behind it. */
  #dropUnnamed(row: readonly QuoteLevel[]): void {
    if (this.#levels.size === 0) return;
    const worst = row.at(-1)?.priceTicks;
    for (const [ticks, level] of this.#levels) {
      if (row.some(({ priceTicks }) => priceTicks === ticks)) continue;
      const isOutOfSight = worst !== undefined && this.#sign * (worst - ticks) > 0;
      if (isOutOfSight && this.#hasUser(level)) continue;
      this.#remove(level);
      this.#levels.delete(ticks);
    }
  }

  #stand(row: QuoteLevel, { renewsSizes, queue, cross }: Showing): void {
    const { priceTicks, lots } = row;
    const known = this.#levels.get(priceTicks);
    const level = known ?? { recorded: 0, taken: 0, passed: 0, pieces: [] };
    if (known === undefined) this.#levels.set(priceTicks, level);
    const eased = level.taken - Math.max(0, level.recorded - lots);
    level.taken = renewsSizes ? 0 : Math.max(0, Math.min(lots, eased));
    level.recorded = lots;
    const free = lots - level.taken;
    if (free > 0) level.taken += cross(this.#side, { priceTicks, lots: free });
    const wasFirst = known === undefined && this.#wasHidden(priceTicks);
    this.#bring(level, priceTicks, { queue, isAhead: wasFirst || queue === 'behind' });
    level.passed = 0;
  }

  #bring(
    level: ShownLevel,
    ticks: number,
    { queue, isAhead }: { readonly queue: QueueModel; readonly isAhead: boolean },
  ): void {
    let standing = 0;
    for (const piece of level.pieces) standing += piece.lots;
    const wanted = level.recorded - level.taken;
    if (wanted < standing) {
      const gone = standing - wanted;
      const traded = queue === 'pro_rata' ? Math.min(gone, level.passed) : gone;
      this.#cut(level, traded);
      if (gone > traded) this.#thin(level, gone - traded);
    }
    if (wanted <= standing) return;
    if (isAhead) this.#addAhead(level, ticks, wanted - standing);
    else this.#addBehind(level, ticks, wanted - standing);
  }

  /** For the first row, and below the last one's worst price, it is unknown whether a level is new. */
  #wasHidden(ticks: number): boolean {
    if (!this.#hasRow) return true;
    return this.#worst !== undefined && this.#sign * (this.#worst - ticks) > 0;
  }

  #addAhead(level: ShownLevel, ticks: number, lots: number): void {
    const piece = new Resting(this.#bot, lots);
    this.#book.restInFront(piece, this.#side, ticks);
    level.pieces.unshift(piece);
  }

  #addBehind(level: ShownLevel, ticks: number, lots: number): void {
    const last = level.pieces.at(-1);
    if (last?.level !== undefined && last.level.tail === last) {
      last.level.lots += lots;
      last.lots += lots;
      return;
    }
    const piece = new Resting(this.#bot, lots);
    this.#book.rest(piece, this.#side, ticks);
    level.pieces.push(piece);
  }

  #cut(level: ShownLevel, lots: number): void {
    let left = lots;
    while (left > 0) {
      const piece = level.pieces.at(-1);
      if (piece === undefined) return;
      const part = Math.min(left, piece.lots);
      assertProgress(part > 0, 'cutting what a level shows');
      if (part === piece.lots) level.pieces.pop();
      this.#book.reduce(piece, this.#side, part);
      left -= part;
    }
  }

  /** Removes cancelled lots from every piece in proportion, what rounding leaves from behind. */
  #thin(level: ShownLevel, lots: number): void {
    const standing = level.pieces.reduce((sum, piece) => sum + piece.lots, 0);
    let left = lots;
    for (const piece of level.pieces) {
      const part = Math.min(left, Math.floor((piece.lots * lots) / standing));
      if (part === 0) continue;
      this.#book.reduce(piece, this.#side, part);
      left -= part;
    }
    level.pieces = level.pieces.filter((piece) => piece.lots > 0);
    this.#cut(level, left);
  }

  #remove(level: ShownLevel): void {
    for (const piece of level.pieces) this.#book.remove(piece, this.#side);
  }

  #hasUser(level: ShownLevel): boolean {
    const queue: PriceLevel | undefined = level.pieces[0]?.level;
    return queue !== undefined && queue.count > level.pieces.length;
  }
}
