// The size of a slice: its plan plus its share of what earlier slices left, within a cap.
import {
  isPositive,
  isZero,
  larger,
  minus,
  onStep,
  plus,
  proportionOnStep,
  type Quantity,
  type Ratio,
  share,
  smaller,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instrument, tradable } from '../../values/instrument.ts';
import type { LegPlan } from './slice-plan.ts';

export interface SliceDemand {
  readonly plan: LegPlan;
  readonly slice: number;
  readonly filled: Quantity;
  /** Live or unknown at the venue: counted as if it will fill. */
  readonly outstanding: Quantity;
  /** Largest slice as a multiple of the planned one. */
  readonly maxCatchUp: Ratio;
  /** Whether the backlog is spread over the remaining slices (default) or requested at once. */
  readonly rule?: 'spread' | 'front' | undefined;
  /** Given up for good: neither behind nor ever requested. Default: none. */
  readonly skipped?: Quantity | undefined;
  readonly instrument: Instrument;
}

/**
 * The shortfall relative to the curve before this slice is spread evenly over the remaining slices, including this
 * one, or requested whole. The slice never exceeds `maxCatchUp` × planned, nor what is left of the leg. A remainder
 * that could not be traded on its own joins the last slice.
 */
export function sliceQuantity(demand: SliceDemand): Quantity {
  const { plan, slice, instrument, rule, skipped = ZERO_QUANTITY } = demand;
  const committed = plus(plus(demand.filled, demand.outstanding), skipped);
  const open = minus(plan.total, committed);
  if (!isPositive(open)) return ZERO_QUANTITY;
  const planned = plan.planned(slice);
  const behind = minus(plan.targetAfter(slice - 1), committed);
  const step = instrument.amountStep;
  const slicesLeft = rule === 'front' ? 1 : plan.slices - slice;
  const part = { numerator: 1, denominator: slicesLeft, rounding: 'up' } as const;
  const wanted = isPositive(behind)
    ? plus(planned, proportionOnStep(behind, step, part))
    : minus(plan.targetAfter(slice), committed);
  const cap = larger(onStep(share(planned, demand.maxCatchUp), step, 'down'), instrument.minAmount);
  const sized = tradable(instrument, smaller(smaller(wanted, cap), open));
  const rest = minus(open, sized);
  const isLast = slice === plan.slices - 1;
  const isDust = isPositive(rest) && isZero(tradable(instrument, rest));
  return isLast && isDust ? tradable(instrument, open) : sized;
}

/**
 * The target of a hedge leg: its total in the proportion in which the least filled of the other legs is done, on the
 * lot grid.
 */
export function hedgeTarget(
  total: Quantity,
  others: readonly { readonly filled: Quantity; readonly total: Quantity }[],
  instrument: Instrument,
): Quantity {
  let least = total;
  for (const leg of others) {
    const reached = total.mul(leg.filled).div(leg.total) as Quantity;
    least = smaller(least, onStep(reached, instrument.amountStep, 'down'));
  }
  return least;
}
