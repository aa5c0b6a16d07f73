// How an incoming order meets the book: level by level from the best, first in first out within a
// level, always at the resting price.
import { must } from '../../values/assert.ts';
import type { Side } from '../../values/instrument.ts';
import { assertProgress } from '../../values/progress.ts';
import type { BookSide } from './book-side.ts';
import type { OrderBook } from './order-book.ts';
import type { Resting } from './price-level.ts';

/** What walks into the book. */
export interface Incoming {
  readonly side: Side;
  readonly lots: number;
  /** Trades here or better. */
  readonly limitTicks: number;
}

/** What a fill did to the entry it came out of. */
export interface FilledPart {
  /** Out of what the book did not show. */
  readonly isHidden: boolean;
  /** The entry shows its next part now, at the end of its level's queue. */
  readonly isRefilled: boolean;
}

const SHOWN: FilledPart = { isHidden: false, isRefilled: false };
const SHOWN_REFILLED: FilledPart = { isHidden: false, isRefilled: true };
const HIDDEN: FilledPart = { isHidden: true, isRefilled: false };
const HIDDEN_REFILLED: FilledPart = { isHidden: true, isRefilled: true };

/** Told of each fill after the book has changed; may itself take resting orders off or down. */
export type OnFill = (maker: Resting, lots: number, ticks: number, part: FilledPart) => void;

/** Trades as much as the limit allows and answers the lots that are left. */
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
 * Trades up to `lots` of one resting entry of `side` and answers how many. Who wants more than it shows
 * goes on into what it hides at once; what is hidden after that shows up again at the end of the queue.
 */
export function fillMaker(side: BookSide, maker: Resting, lots: number, onFill: OnFill): number {
  const level = must(maker.level, 'a maker rests');
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
  // Gone or cut when the fill before was booked.
  if (level === undefined) return 0;
  const hidden = Math.min(lots, maker.hiddenLots);
  level.shrinkHidden(maker, hidden);
  const isRefilled = maker.hiddenLots > 0;
  if (isRefilled) level.refill(maker);
  else side.remove(maker, level);
  onFill(maker, hidden, level.ticks, isRefilled ? HIDDEN_REFILLED : HIDDEN);
  return hidden;
}
