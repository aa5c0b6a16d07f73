// What has traded in an instrument since a leg's first slice, from a count that only grows and begins
// anew with the process that counts.
import {
  isLess,
  minus,
  plus,
  type Quantity,
  quantity,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';

export interface Tape {
  /** The venue's count at the last mark. */
  readonly count: Quantity;
  readonly sum: Quantity;
}

/** The tape after one more mark of the count. */
export function markedTape(before: Tape | undefined, mark: string): Tape {
  const count = quantity(mark);
  return { count, sum: before === undefined ? ZERO_QUANTITY : tradedBy(before, count) };
}

/** Traded in all when the count stands at `count`. A count below the mark began anew. */
export function tradedBy({ count: mark, sum }: Tape, count: Quantity): Quantity {
  return plus(sum, isLess(count, mark) ? count : minus(count, mark));
}
