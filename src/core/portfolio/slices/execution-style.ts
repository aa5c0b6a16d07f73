// How the children of a slice are priced at one moment: by the leg's own rule, by the step of the
// escalation the slice has come to, or through the market when the time is over.
import { price, type Quantity } from '../../../values/amounts.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { PriceGuards } from '../../pricing/price-guards.ts';
import type { EscalationManner, EscalationStep } from '../../terms/execution.ts';
import type { LegPricing, LegSpec, TimeInForce } from '../../terms/spec.ts';
import type { CurrentSlice, PortfolioState } from '../aggregate/portfolio-state.ts';
import { legSpec, legState } from '../aggregate/positions.ts';
import { endActionOf } from './residual-rfq-due.ts';

export interface ExecutionStyle {
  readonly pricing: LegPricing;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Never worse than what this gives. */
  readonly limit?: LegPricing | undefined;
  /** A child priced before this is priced anew. */
  readonly since?: Instant | undefined;
  /** As much as this, whatever the slice still has to place. */
  readonly take?: Quantity | undefined;
  /** In place of those the portfolio asks for. */
  readonly guards?: PriceGuards | undefined;
}

export const MARKETABLE: ExecutionStyle = {
  pricing: { type: 'market' },
  timeInForce: 'immediate_or_cancel',
  postOnly: false,
};

/** A resting child of an escalation looks for its reference this often. */
const FOLLOW_MS = 1_000;

/** The leg's own manner. */
export function legStyle({ state }: View, leg: number): ExecutionStyle {
  const { pricing, timeInForce, postOnly } = legSpec(state, leg);
  const fallback = pricing.type === 'market' ? 'immediate_or_cancel' : 'good_til_cancelled';
  return { pricing, timeInForce: timeInForce ?? fallback, postOnly };
}

interface View {
  readonly state: PortfolioState;
}

/** The manner of the leg's current slice at `now`. */
export function styleAt(view: View, leg: number, now: Instant): ExecutionStyle {
  const { escalation } = view.state.spec.execution;
  const { current } = legState(view.state, leg);
  if (escalation === undefined || current === undefined) return legStyle(view, leg);
  const step = escalation.findLast(({ from }) => stepAt(current, from) <= now) ?? escalation[0];
  if (step === undefined) return legStyle(view, leg);
  return { ...stepManner(view, leg, { step, current }), since: stepAt(current, step.from) };
}

/** When the next step of the escalation begins; `undefined` after the last. */
export function nextStepAt(
  escalation: readonly EscalationStep[] | undefined,
  current: CurrentSlice,
  now: Instant,
): Instant | undefined {
  return escalation?.map(({ from }) => stepAt(current, from)).find((at) => at > now);
}

const stepAt = ({ dueAt, endsAt }: CurrentSlice, share: number): Instant =>
  later(dueAt, Math.floor(share * (endsAt - dueAt)));

function stepManner(
  view: View,
  leg: number,
  { step, current }: { readonly step: EscalationStep; readonly current: CurrentSlice },
): ExecutionStyle {
  const spec = legSpec(view.state, leg);
  const own = legStyle(view, leg);
  if (step.manner === 'cross') return own;
  const limit = spec.pricing.type === 'limit' ? { limit: spec.pricing } : {};
  // What stays where it was posted is not looked at again while the slice lasts.
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

/** How the residual is swept: the end action waits for no narrow market, but keeps to every bound on price. */
export function sweepStyle({ spec }: PortfolioState): ExecutionStyle {
  const { endCapBps, bandBps, slippageMaxBps } = spec.execution;
  const endAction = endActionOf(spec);
  const caps = [bandBps, endAction === 'sweep' ? endCapBps : undefined].filter(
    (bps) => bps !== undefined,
  );
  const bound = caps.length === 0 ? {} : { bandBps: Math.min(...caps) };
  return { ...MARKETABLE, guards: { slippageMaxBps, ...bound } };
}
