// Projects how far a portfolio gets if every slice fills except those in its blackout windows: the catch-up rule and
// its cap decide whether the rest can be made up.
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  type Ratio,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { sliceQuantity } from '../schedule/catch-up.ts';
import type { LegPlan } from '../schedule/slice-plan.ts';
import { isBlackout, nextBlackoutEdge } from '../terms/blackout-windows.ts';
import type { Execution } from '../terms/execution.ts';

export interface CourseQuestion {
  readonly plan: LegPlan;
  readonly instrument: Instrument;
  readonly execution: Execution;
  readonly maxCatchUp: Ratio;
  /** The first slice that has not begun, and what is filled or wanted before it. */
  readonly from: { readonly slice: number; readonly filled: Quantity };
}

export interface CourseOutlook {
  /** Slices that lie entirely within a blackout window. */
  readonly slicesLost: number;
  readonly residual: Quantity;
}

/** Without windows every plan completes, so nothing is computed. */
export function courseOutlook({
  plan,
  instrument,
  execution,
  maxCatchUp,
  from,
}: CourseQuestion): CourseOutlook {
  const { quiet, catchUp: rule } = execution;
  if (quiet === undefined) return { slicesLost: 0, residual: ZERO_QUANTITY };
  let { filled } = from;
  let slicesLost = 0;
  for (let { slice } = from; slice < plan.slices; slice += 1) {
    if (isLost(plan, slice, quiet)) {
      slicesLost += 1;
      continue;
    }
    const demand = { plan, slice, filled, outstanding: ZERO_QUANTITY, instrument };
    filled = plus(filled, sliceQuantity({ ...demand, maxCatchUp, rule }));
  }
  const residual = minus(plan.total, filled);
  return { slicesLost, residual: isPositive(residual) ? residual : ZERO_QUANTITY };
}

function isLost(plan: LegPlan, slice: number, quiet: NonNullable<Execution['quiet']>): boolean {
  const end = plan.endsAt(slice);
  let at: Instant = plan.dueAt(slice);
  while (isBlackout(quiet, at)) {
    at = nextBlackoutEdge(quiet, at) ?? later(end, 1);
    if (at >= end) return true;
  }
  return false;
}
