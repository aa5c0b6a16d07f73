// Matches an incoming order against the book: level by level from the best price, first in first out within a
// level, always at the resting price.
import { must } from '../../values/assert.ts';
import type { Side } from '../../values/instrument.ts';
import { assertProgress } from '../../values/progress.ts';
import type { BookSide } from './book-side.ts';
import type { OrderBook } from './order-book.ts';
import type { Resting } from './price-level.ts';

/** The incoming order as the matching sees it. */
export interface Incoming {
  readonly side: Side;
  readonly lots: number;
  /** Trades at this price or better. */
  readonly limitTicks: number;
}

/** How a fill changed the resting entry. */
export interface FilledPart {
  /** The fill came out of the hidden quantity. */
  readonly isHidden: boolean;
  /** The entry now shows its next part, at the end of its level's queue. */
  readonly isRefilled: boolean;
}

const SHOWN: FilledPart = { isHidden: false, isRefilled: false };
const SHOWN_REFILLED: FilledPart = { isHidden: false, isRefilled: true };
const HIDDEN: FilledPart = { isHidden: true, isRefilled: false };
const HIDDEN_REFILLED: FilledPart = { isHidden: true, isRefilled: true };

/** Called for each fill after the book has changed; may itself remove or reduce resting orders. */
export type OnFill = (maker: Resting, lots: number, ticks: number, part: FilledPart) => void;

/** Trades as much as the limit allows and returns the remaining lots. */
export function match(book: OrderBook, incoming: Incoming, onFill: OnFill): number {
  const { limitTicks } = incoming;
  const against = book.against(incoming.side);
  let left = incoming.lots;
  while (left > 0) {
    const level = against.best;
    if (level === undefined || !against.isWithin(level.ticks, limitTicks)) break;
    const traded = fillMaker(against, level.head as Resting, left, onFill);
    assertProgress(traded > 0, 'matching against the book');
    left -= traded;
  }
  return left;
}

/**
 * Trades up to `lots` against one resting entry of `side` and returns how many lots traded. A fill larger
 * than the shown quantity continues into the hidden quantity at once; what remains hidden is then shown at
 * the end of the queue.
 */
export function fillMaker(side: BookSide, maker: Resting, lots: number, onFill: OnFill): number {
  const level = must(maker.level, 'a maker is in the book');
  const { ticks } = level;
  const shown = Math.min(lots, maker.lots);
  if (shown < maker.lots || maker.hiddenLots === 0) {
    level.shrink(maker, shown);
    if (maker.lots === 0) side.remove(maker, level);
    onFill(maker, shown, ticks, SHOWN);
    return shown;
  }
  if (lots === shown) {
    level.refill(maker);
    onFill(maker, shown, ticks, SHOWN_REFILLED);
    return shown;
  }
  level.shrink(maker, shown);
  onFill(maker, shown, ticks, SHOWN);
  return shown + fillHidden(side, maker, lots - shown, onFill);
}

function fillHidden(side: BookSide, maker: Resting, lots: number, onFill: OnFill): number {
  const { level } = maker;
  // The level has gone, or shrunk, while the previous fill was booked.
  if (level === undefined) return 0;
  const hidden = Math.min(lots, maker.hiddenLots);
  level.shrinkHidden(maker, hidden);
  const isRefilled = maker.hiddenLots > 0;
  if (isRefilled) level.refill(maker);
  else side.remove(maker, level);
  onFill(maker, hidden, level.ticks, isRefilled ? HIDDEN_REFILLED : HIDDEN);
  return hidden;
}
