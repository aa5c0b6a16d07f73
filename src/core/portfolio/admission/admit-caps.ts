// Refuses portfolios that are certain to fail before the first slice: a slice too large for any order, or a residual
// with no slice left to carry it.
import {
  isMore,
  isPositive,
  proportionOnStep,
  type Quantity,
  rounded,
  text,
} from '../../../values/amounts.ts';
import { courseOutlook } from '../../plan/course.ts';
import { type Rejection, reject } from '../../rejection.ts';
import { orderUsd } from '../../risk/order-check.ts';
import type { LegPlan } from '../../schedule/slice-plan.ts';
import type { PortfolioSpec } from '../../terms/spec.ts';
import { maxCatchUpOf } from '../aggregate/positions.ts';
import type { AdmitContext } from './admit-context.ts';
import type { AdmittedLeg } from './admit-leg.ts';

interface Tools {
  /** One per leg, in order. */
  readonly plans: readonly LegPlan[];
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

/** Faults of a TWAP that no market movement can remedy. */
export function admitCaps(
  spec: PortfolioSpec,
  legs: readonly AdmittedLeg[],
  { plans, context, faults }: Tools,
): void {
  for (const [index, leg] of legs.entries()) {
    const plan = plans[index];
    if (plan === undefined || leg.spec.hedge) continue;
    checkOrderValue({ leg, plan, index }, { context, faults });
    checkCourse({ leg, plan, index }, spec, faults);
  }
}

interface LegContext {
  readonly leg: AdmittedLeg;
  readonly plan: LegPlan;
  readonly index: number;
}

function checkOrderValue(
  { leg, plan, index }: LegContext,
  { context, faults }: Omit<Tools, 'plans'>,
): void {
  const { orderUsdMax } = context;
  if (orderUsdMax === undefined) return;
  const { instrument } = leg;
  const quote = context.quote(instrument.name);
  const price = quote?.mark ?? quote?.index;
  if (price === undefined) return;
  const usd = orderUsd({ instrument, quantity: evenSlice(leg, plan), price }, quote);
  if (usd === undefined || !isMore(usd, orderUsdMax)) return;
  const message = `makes slices worth ${text(rounded(usd, 0, 'half_up'))} USD; accepted: at most ${text(orderUsdMax)} per order; use more slices or a smaller quantity`;
  faults.push(reject('risk_limit', `legs[${index}].quantity`, message));
}

/** Upper bound of the slices of an even plan; at least one slice is smaller than it by no more than a lot. */
const evenSlice = ({ instrument }: AdmittedLeg, { total, slices }: LegPlan): Quantity =>
  proportionOnStep(total, instrument.amountStep, {
    numerator: 1,
    denominator: slices,
    rounding: 'down',
  });

function checkCourse(
  { leg, plan, index }: LegContext,
  spec: PortfolioSpec,
  faults: Rejection[],
): void {
  const { execution } = spec;
  if (execution.endAction !== 'cancel' || execution.quiet === undefined) return;
  const maxCatchUp = maxCatchUpOf({ spec });
  const outlook = courseOutlook({ plan, instrument: leg.instrument, execution, maxCatchUp });
  if (!isPositive(outlook.residual)) return;
  const message = `loses ${outlook.slicesLost} slices to blackout windows and cannot make up ${text(outlook.residual)} of legs[${index}]; accepted: another time, a larger maxCatchUp, or another endAction`;
  faults.push(reject('time_out_of_range', 'execution.avoidWindows', message));
}
