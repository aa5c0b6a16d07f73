// The volume traded in an instrument since a leg's first slice, from a count that only grows and restarts with the
// process that counts.
import {
  isLess,
  minus,
  plus,
  type Quantity,
  quantity,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';

export interface Tape {
  /** The venue's count at the last sample. */
  readonly count: Quantity;
  readonly sum: Quantity;
}

/** The tape after one more sample of the count. */
export function markedTape(before: Tape | undefined, mark: string): Tape {
  const count = quantity(mark);
  return { count, sum: before === undefined ? ZERO_QUANTITY : tradedBy(before, count) };
}

/** Total volume when the count is `count`. A count below the last sample has restarted. */
export function tradedBy({ count: mark, sum }: Tape, count: Quantity): Quantity {
  return plus(sum, isLess(count, mark) ? count : minus(count, mark));
}
