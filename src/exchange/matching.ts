// How an incoming order meets the book: level by level from the best, first in first out within a
// level, always at the resting price. Also the two questions asked before it may: how much is there,
// and would it meet its own owner's orders.
import { opposite, type Side } from '../values/instrument.ts';
import type { OrderBook } from './order-book.ts';
import type { Resting } from './price-level.ts';

/** What walks into the book. */
export interface Incoming {
  readonly side: Side;
  readonly lots: number;
  /** Trades here or better. */
  readonly limitTicks: number;
}

/** Told of each fill after the book has changed; may itself change resting orders. */
type OnFill = (maker: Resting, lots: number, ticks: number) => void;

/** Trades as much as the limit allows and answers the lots that are left. */
export function match(book: OrderBook, incoming: Incoming, onFill: OnFill): number {
  const { side, limitTicks } = incoming;
  const against = book.against(side);
  const makerSide = opposite(side);
  let left = incoming.lots;
  while (left > 0) {
    const level = against.best;
    if (level === undefined || !against.isWithin(level.ticks, limitTicks)) break;
    const maker = level.head as Resting;
    const lots = Math.min(left, maker.lots);
    const { ticks } = level;
    book.reduce(maker, makerSide, lots);
    left -= lots;
    onFill(maker, lots, ticks);
  }
  return left;
}

/** Lots that could trade inside the limit, counted no further than what is asked for. */
export function fillableLots(book: OrderBook, incoming: Incoming): number {
  const against = book.against(incoming.side);
  let found = 0;
  for (const level of against.levels()) {
    if (found >= incoming.lots || !against.isWithin(level.ticks, incoming.limitTicks)) break;
    found += level.lots;
  }
  return Math.min(found, incoming.lots);
}

/** True when the incoming order would reach a resting order of the same owner before it is filled. */
export function meetsOwn(book: OrderBook, incoming: Incoming, owner: object): boolean {
  const against = book.against(incoming.side);
  let left = incoming.lots;
  for (const level of against.levels()) {
    if (left <= 0 || !against.isWithin(level.ticks, incoming.limitTicks)) return false;
    for (let entry = level.head; entry !== undefined && left > 0; entry = entry.next) {
      if (entry.owner === owner) return true;
      left -= entry.lots;
    }
  }
  return false;
}
