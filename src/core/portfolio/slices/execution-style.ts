// How the children of a slice are priced at one moment: by the leg's own rule, by the current step of the escalation,
// or at market when the time is up.

import { price, type Quantity } from '../../../values/amounts.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import type { PriceGuards } from '../../pricing/price-guards.ts';
import type { EscalationManner, EscalationStep } from '../../terms/execution.ts';
import type { LegPricing, LegSpec } from '../../terms/spec.ts';
import type { CurrentSlice, PortfolioState } from '../aggregate/portfolio-state.ts';
import { legSpec, legState } from '../aggregate/positions.ts';
import { endActionOf } from './residual-rfq-due.ts';

export interface ExecutionStyle {
  readonly pricing: LegPricing;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Never worse than the price given by this rule. */
  readonly limit?: LegPricing | undefined;
  /** A child priced before this instant is repriced. */
  readonly since?: Instant | undefined;
  /** Quantity to take, whatever the slice still has to place. */
  readonly take?: Quantity | undefined;
  /** Replaces the price guards requested for the portfolio. */
  readonly guards?: PriceGuards | undefined;
}

export const MARKETABLE: ExecutionStyle = {
  pricing: { type: 'market' },
  timeInForce: 'immediate_or_cancel',
  postOnly: false,
};

/** How often a resting child of an escalation checks its reference. */
const FOLLOW_MS = 1_000;

/** The leg's own execution style. */
export function legStyle({ state }: View, leg: number): ExecutionStyle {
  const { pricing, timeInForce, postOnly } = legSpec(state, leg);
  const fallback = pricing.type === 'market' ? 'immediate_or_cancel' : 'good_til_cancelled';
  return { pricing, timeInForce: timeInForce ?? fallback, postOnly };
}

interface View {
  readonly state: PortfolioState;
}

/** The execution style of the leg's current slice at `now`. */
export function styleAt(view: View, leg: number, now: Instant): ExecutionStyle {
  const { escalation } = view.state.spec.execution;
  const { current } = legState(view.state, leg);
  if (escalation === undefined || current === undefined) return legStyle(view, leg);
  const step = escalation.findLast(({ from }) => stepAt(current, from) <= now) ?? escalation[0];
  if (step === undefined) return legStyle(view, leg);
  return { ...stepStyle(view, leg, { step, current }), since: stepAt(current, step.from) };
}

/** When the next step of the escalation starts; `undefined` after the last. */
export function nextStepAt(
  escalation: readonly EscalationStep[] | undefined,
  current: CurrentSlice,
  now: Instant,
): Instant | undefined {
  return escalation?.map(({ from }) => stepAt(current, from)).find((at) => at > now);
}

const stepAt = ({ dueAt, endsAt }: CurrentSlice, share: number): Instant =>
  later(dueAt, Math.floor(share * (endsAt - dueAt)));

function stepStyle(
  view: View,
  leg: number,
  { step, current }: { readonly step: EscalationStep; readonly current: CurrentSlice },
): ExecutionStyle {
  const spec = legSpec(view.state, leg);
  const own = legStyle(view, leg);
  if (step.manner === 'cross') return own;
  const limit = spec.pricing.type === 'limit' ? { limit: spec.pricing } : {};
  // A posted order that stays in place needs no further check during the slice.
  const everyMs = step.manner === 'post' ? current.endsAt - current.dueAt : FOLLOW_MS;
  const pricing = following(step.manner, spec, everyMs);
  return { pricing, timeInForce: 'good_til_cancelled', postOnly: true, ...limit };
}

function following(
  manner: Exclude<EscalationManner, 'cross'>,
  { side }: LegSpec,
  everyMs: number,
): LegPricing {
  const ownSide = side === 'buy' ? 'bid' : 'ask';
  const reference = manner === 'mid' ? 'mid' : ownSide;
  const none = price('0');
  return { type: 'dynamic', price: none, unit: 'currency', reference, offset: none, everyMs };
}

/** The style of the sweep of the residual: the end action ignores the spread limit but keeps every price bound. */
export function sweepStyle({ spec }: PortfolioState): ExecutionStyle {
  const { endCapBps, bandBps, slippageMaxBps } = spec.execution;
  const endAction = endActionOf(spec);
  const caps = [bandBps, endAction === 'sweep' ? endCapBps : undefined].filter(
    (bps) => bps !== undefined,
  );
  const bound = caps.length === 0 ? {} : { bandBps: Math.min(...caps) };
  return { ...MARKETABLE, guards: { slippageMaxBps, ...bound } };
}
