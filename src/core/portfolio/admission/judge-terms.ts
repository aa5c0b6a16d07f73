// Judges terms that would be in force from now on: what is filled and at the venue, what remains and the time left. Submit
// and plan judge a portfolio of which nothing has happened, an amendment the one that it makes.
import { isPositive, type Quantity, text } from '../../../values/amounts.ts';
import { type Instant, isoText, later } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { courseOutlook } from '../../plan/course.ts';
import { type Rejection, reject } from '../../rejection.ts';
import { accountLimit } from '../../risk/gate/control-limits.ts';
import { slippageFault } from '../../risk/gate/execution-cost.ts';
import { blockText } from '../../risk/gate/judge-order.ts';
import { strategyFault } from '../../risk/gate/strategy-limits.ts';
import type { LegPlan } from '../../schedule/slice-plan.ts';
import { openFrom } from '../../terms/blackout-windows.ts';
import type { LegSpec, PortfolioSpec } from '../../terms/spec.ts';
import { endAt, maxCatchUpOf } from '../aggregate/positions.ts';
import type { AdmitContext } from './admit-context.ts';
import { capOf, largestAhead } from './planned-orders.ts';

export interface LegAhead {
  readonly spec: LegSpec;
  readonly instrument: Instrument;
  /** Only for types whose parts begin by time. */
  readonly plan?: LegPlan | undefined;
  /** The first slice that has not begun. */
  readonly nextSlice: number;
  /** What is filled, at the venue or wanted by the slice at work. */
  readonly committed: Quantity;
}

export interface TermsAhead {
  readonly spec: PortfolioSpec;
  readonly legs: readonly LegAhead[];
  /** A leg is to trade more than was agreed to before, as every leg of a new portfolio is. */
  readonly isMore: boolean;
}

/** Every fault, by the names of a submit. */
export function judgeTerms(terms: TermsAhead, context: AdmitContext): readonly Rejection[] {
  const faults: Rejection[] = [];
  judgeEnd(terms, faults);
  judgeSlices(terms, context, faults);
  judgeStrategy(terms, context, faults);
  judgeLoss(terms, context, faults);
  if (terms.spec.balance !== undefined || faults.length > 0) return faults;
  for (const [index, leg] of terms.legs.entries()) {
    // A hedge has no slices of its own, and its orders are as large as they may be.
    if (leg.plan === undefined || leg.spec.hedge) continue;
    judgeOrders({ ...leg, plan: leg.plan }, { index, context, faults, terms });
    judgeWindows({ ...leg, plan: leg.plan }, { index, context, faults, terms });
  }
  return faults;
}

/** Until when the portfolio may trade, with what its end action adds. */
export function tradesUntil(spec: PortfolioSpec): Instant {
  const { extendMs = 0, rfq, quiet } = spec.execution;
  const end = endAt(spec);
  // A residual RFQ waits for the end of a blackout window.
  return rfq === undefined ? later(end, extendMs) : later(openFrom(quiet, end), rfq.waitMs);
}

function judgeEnd({ spec, legs }: TermsAhead, faults: Rejection[]): void {
  if (spec.balance !== undefined && spec.durationMs === 0) return;
  const end = tradesUntil(spec);
  for (const [index, { instrument }] of legs.entries()) {
    if (instrument.expiresAt === undefined || end <= instrument.expiresAt) continue;
    const message = `${instrument.name} expires ${isoText(instrument.expiresAt)}, before the end ${isoText(end)}`;
    faults.push(reject('ends_after_expiry', `legs[${index}].instrument`, message));
  }
}

function judgeSlices(
  { spec, legs }: TermsAhead,
  { limits: { slicesMax } }: AdmitContext,
  faults: Rejection[],
): void {
  if (spec.balance !== undefined) return;
  let slices = 0;
  for (const { plan } of legs) slices += plan?.slices ?? 0;
  if (slices <= slicesMax) return;
  const message = `makes ${slices} slices over all legs; accepted: at most ${slicesMax}`;
  faults.push(reject('time_out_of_range', 'twapTrade.frequencySec', message));
}

/** PT-12. */
function judgeStrategy(
  { spec, legs }: TermsAhead,
  { controls, quote }: AdmitContext,
  faults: Rejection[],
): void {
  if (spec.strategy === undefined || controls?.strategy === undefined) return;
  const instruments = legs.map(({ instrument }) => instrument);
  const fault = strategyFault({ spec, instruments, quote }, controls.strategy);
  if (fault === undefined) return;
  const control = 'strategy_limits';
  const message = blockText({ ...fault, control, version: controls.version });
  faults.push({ ...reject('risk_limit', 'strategy', message), control });
}

/** PT-20: an account that has lost its limit of the day begins nothing more. */
function judgeLoss(
  { spec: { accountId }, isMore: asksMore }: TermsAhead,
  { controls, loss }: AdmitContext,
  faults: Rejection[],
): void {
  if (!asksMore || controls?.slippageUsdMax === undefined || loss === undefined) return;
  const fault = slippageFault(loss.usd, accountLimit(controls.slippageUsdMax, accountId));
  if (fault === undefined) return;
  const control = 'slippage';
  const message = blockText({ ...fault, control, version: controls.version });
  const kind = loss.usd === undefined ? 'unavailable' : 'risk_limit';
  faults.push({ ...reject(kind, 'accountId', message), control });
}

interface LegTools {
  readonly index: number;
  readonly context: AdmitContext;
  readonly terms: TermsAhead;
  readonly faults: Rejection[];
}

type PlannedLeg = LegAhead & { readonly plan: LegPlan };

/** A slice above the cap of an order would be cut into several, which is for what could not be foreseen. */
function judgeOrders(leg: PlannedLeg, { index, context, terms, faults }: LegTools): void {
  const cap = capOf(leg.instrument, terms.spec.accountId, context);
  if (cap === undefined) return;
  const largest = largestAhead(leg, cap.quantity);
  if (largest === undefined) return;
  const message = `makes slices of ${text(largest)} ${leg.instrument.name}; accepted: at most ${text(cap.quantity)} per order (${cap.control} ${cap.limit}); use more slices or a smaller quantity`;
  faults.push(reject('risk_limit', `legs[${index}].quantity`, message));
}

function judgeWindows(leg: PlannedLeg, { index, terms, faults }: LegTools): void {
  const { plan, instrument, nextSlice, committed } = leg;
  const { execution } = terms.spec;
  if (execution.endAction !== 'cancel' || execution.quiet === undefined) return;
  const maxCatchUp = maxCatchUpOf(terms);
  const from = { slice: nextSlice, filled: committed };
  const outlook = courseOutlook({ plan, instrument, execution, maxCatchUp, from });
  if (!isPositive(outlook.residual)) return;
  const message = `loses ${outlook.slicesLost} slices to blackout windows and cannot make up ${text(outlook.residual)} of legs[${index}]; accepted: another time, a larger maxCatchUp, or another endAction`;
  faults.push(reject('time_out_of_range', 'execution.avoidWindows', message));
}
