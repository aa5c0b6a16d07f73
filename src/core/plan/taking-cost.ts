// The cost of taking a quantity from one side of the visible book, best level first.
import {
  isLess,
  isMore,
  isPositive,
  minus,
  type Price,
  plus,
  type Quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Side } from '../../values/instrument.ts';
import type { PriceLevel } from '../../values/quote.ts';

export interface Taking {
  readonly side: Side;
  readonly quantity: Quantity;
  /** The opposite side, best first. */
  readonly levels: readonly PriceLevel[];
  /** Takes nothing worse than this; absent = any price. */
  readonly limit?: Price | undefined;
}

export interface Taken {
  readonly quantity: Quantity;
  /** The quantity taken, level by level. */
  readonly fills: readonly PriceLevel[];
}

export function takenFrom({ side, quantity, levels, limit }: Taking): Taken {
  const fills: PriceLevel[] = [];
  let taken = ZERO_QUANTITY;
  for (const level of levels) {
    const rest = minus(quantity, taken);
    if (!isPositive(rest) || (limit !== undefined && isBeyond(level.price, limit, side))) break;
    const size = smaller(rest, level.quantity);
    taken = plus(taken, size);
    fills.push({ price: level.price, quantity: size });
  }
  return { quantity: taken, fills };
}

const isBeyond = (price: Price, limit: Price, side: Side): boolean =>
  side === 'buy' ? isMore(price, limit) : isLess(price, limit);
