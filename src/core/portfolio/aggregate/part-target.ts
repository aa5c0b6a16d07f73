// How a leg is cut into parts: differences of a cumulative line rounded down to the lot, so that parts sum exactly
// and legs stay in proportion, within a lot, at every boundary.
import {
  isLess,
  isMultiple,
  isPositive,
  minus,
  onStep,
  proportionOnStep,
  type Quantity,
  smaller,
  stepsIn,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { type Instrument, tradable } from '../../../values/instrument.ts';

type Grid = Pick<Instrument, 'amountStep' | 'minAmount'>;

export interface Cut {
  readonly total: Quantity;
  readonly parts: number;
  readonly grid: Grid;
}

/** The cumulative target after `done` parts; zero for none, the total for all. */
export function targetAfterParts({ total, parts, grid }: Cut, done: number): Quantity {
  if (done <= 0) return ZERO_QUANTITY;
  if (done >= parts) return total;
  const part = { numerator: done, denominator: parts, rounding: 'down' } as const;
  return proportionOnStep(total, grid.amountStep, part);
}

/** The largest number of parts into which `total` can be cut so that each can be ordered. */
export function partsMax(total: Quantity, { amountStep, minAmount }: Grid): number {
  const least = Math.max(1, stepsIn(onStep(minAmount, amountStep, 'up'), amountStep));
  return Math.floor(stepsIn(total, amountStep) / least);
}

/** `of` × part ÷ whole, rounded down to the lot: never more than `of`. */
export function inProportion(
  of: Quantity,
  { part, whole }: { readonly part: Quantity; readonly whole: Quantity },
  { amountStep }: Pick<Grid, 'amountStep'>,
): Quantity {
  if (!isPositive(part)) return ZERO_QUANTITY;
  if (!isLess(part, whole)) return of;
  return onStep(of.mul(part).div(whole) as Quantity, amountStep, 'down');
}

/** The most of `wanted` that can be ordered without leaving an unorderable remainder of `open`. */
export function orderable(
  instrument: Instrument,
  { wanted, open }: { readonly wanted: Quantity; readonly open: Quantity },
): Quantity {
  const most = smaller(wanted, open);
  if (!isPositive(most)) return ZERO_QUANTITY;
  const sized = tradable(instrument, most);
  const rest = minus(open, sized);
  if (!isPositive(rest) || !isLess(rest, instrument.minAmount)) return sized;
  // A quantity off the lot grid leaves a remainder in any case.
  if (!isMultiple(open, instrument.amountStep)) return sized;
  const kept = minus(open, instrument.minAmount);
  return isPositive(kept) ? tradable(instrument, smaller(most, kept)) : ZERO_QUANTITY;
}
