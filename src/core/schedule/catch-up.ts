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

export interface HedgeShare {
  /** Quantity of the hedge for the `total` of each other leg. */
  readonly whole: Quantity;
  /** What it never exceeds, its own total; absent = no bound. */
  readonly most?: Quantity | undefined;
}

/**
 * The target of a hedge leg: in the proportion in which the least filled of the other legs is done, on the lot grid. A
 * leg whose total was zero when the proportion was set does not count alongside others.
 */
export function hedgeTarget(
  { whole, most }: HedgeShare,
  others: readonly { readonly filled: Quantity; readonly total: Quantity }[],
  instrument: Instrument,
): Quantity {
  const reached = others
    .filter(({ total }) => isPositive(total))
    .map(({ filled, total }) => {
      const exact = whole.mul(filled).div(total) as Quantity;
      return onStep(exact, instrument.amountStep, 'down');
    });
  if (others.length > 0 && reached.length === 0) return ZERO_QUANTITY;
  const bounds = most === undefined ? reached : [most, ...reached];
  return bounds.length === 0 ? ZERO_QUANTITY : bounds.reduce(smaller);
}
