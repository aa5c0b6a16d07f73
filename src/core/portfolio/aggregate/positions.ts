// Sums over a portfolio's legs and children that several rules need.
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  ratioOf,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { InvariantBroken, must } from '../../../values/assert.ts';
import { INSTANT_MAX, type Instant, later } from '../../../values/instant.ts';
import { type Instrument, tradable } from '../../../values/instrument.ts';
import { LatestMap } from '../../../values/latest-map.ts';
import { type ChildOrder, isUnsettled, isWorking, outstanding } from '../../order/child-order.ts';
import { rebasedPlan } from '../../schedule/rebased-plan.ts';
import { type LegPlan, legPlan, type Schedule } from '../../schedule/slice-plan.ts';
import type { LegSpec, PortfolioSpec } from '../../terms/spec.ts';
import { hedgeAllowance } from './hedge-allowance.ts';
import { partAllowance } from './part-allowance.ts';
import { partPlan } from './part-plan.ts';
import type { LegState, PortfolioState } from './portfolio-state.ts';
import { openRfq } from './residual-rfq-state.ts';

export const legSpec = (state: PortfolioState, leg: number): LegSpec =>
  state.spec.legs[leg] ?? noLeg(state, leg);

export const legState = (state: PortfolioState, leg: number): LegState =>
  state.legs[leg] ?? noLeg(state, leg);

/** A separate function, because legs are read too often to build the message in advance. */
function noLeg({ id }: PortfolioState, leg: number): never {
  throw new InvariantBroken(`portfolio ${id} has no leg ${leg}`);
}

export function legInstrument(state: PortfolioState, leg: number): Instrument {
  const { instrument } = legSpec(state, leg);
  return must(state.instruments.get(instrument), () => `portfolio ${state.id} lacks ${instrument}`);
}

/** The end of all time if a BALANCE portfolio has no limit and no leg that expires. */
export const endAt = ({ balance, startAt, durationMs }: PortfolioSpec): Instant =>
  balance !== undefined && durationMs === 0 ? INSTANT_MAX : later(startAt, durationMs);

export const scheduleOf = (spec: PortfolioSpec): Schedule => ({
  startAt: spec.startAt,
  durationMs: spec.durationMs,
  frequencyMs: spec.frequencyMs,
  phase: spec.execution.phase,
  aim: spec.execution.aim,
  randomise: spec.execution.randomise,
});

/**
 * Plans are pure functions of the specification, so each is computed once while its portfolio is at work; a portfolio
 * that waits for days keeps none.
 */
const PLANS_KEPT = 1_024;
const plans = new LatestMap<PortfolioSpec, (LegPlan | undefined)[]>(PLANS_KEPT);

/** A turn reads the plans of the same specification repeatedly. */
let latest: { readonly spec: PortfolioSpec; readonly plans: (LegPlan | undefined)[] } | undefined;

function plansOf(spec: PortfolioSpec): (LegPlan | undefined)[] {
  if (latest?.spec === spec) return latest.plans;
  let known = plans.get(spec);
  if (known === undefined) {
    known = [];
    plans.set(spec, known);
  }
  latest = { spec, plans: known };
  return known;
}

export function planOf(state: PortfolioState, leg: number): LegPlan {
  const known = plansOf(state.spec);
  const found = known[leg];
  if (found !== undefined) return found;
  const { balance } = state.spec;
  const { quantity: total } = legSpec(state, leg);
  const plan =
    balance === undefined
      ? clockPlan(state, leg)
      : partPlan({ total, parts: balance.parts, grid: legInstrument(state, leg) }, state.spec);
  known[leg] = plan;
  return plan;
}

/** The plan of the specification, or, after an amendment, the one restarted for the remaining quantity. */
function clockPlan(state: PortfolioState, leg: number): LegPlan {
  const { spec } = state;
  const { quantity: total } = legSpec(state, leg);
  const instrument = legInstrument(state, leg);
  const { rebase } = legState(state, leg);
  if (rebase === undefined) {
    if (isPositive(tradable(instrument, total))) {
      return legPlan(scheduleOf(spec), total, instrument);
    }
    // A hedge has no schedule of its own; this one was amended to zero.
    return rebasedPlan({ from: spec.startAt, slice: 0, done: ZERO_QUANTITY }, total, undefined);
  }
  const left = minus(total, rebase.done);
  const durationMs = endAt(spec) - rebase.from;
  const isTradable = isPositive(left) && isPositive(tradable(instrument, left));
  const schedule = { ...scheduleOf(spec), startAt: rebase.from, durationMs };
  return rebasedPlan(rebase, total, isTradable ? legPlan(schedule, left, instrument) : undefined);
}

const NO_CHILDREN: readonly ChildOrder[] = [];

/** Called many times per turn, and mostly there are none. */
export function childrenOf(state: PortfolioState, leg: number): readonly ChildOrder[] {
  if (state.children.size === 0) return NO_CHILDREN;
  return [...state.children.values()].filter((child) => child.leg === leg);
}

export function workingOf(state: PortfolioState, leg: number): readonly ChildOrder[] {
  if (state.children.size === 0) return NO_CHILDREN;
  return [...state.children.values()].filter((child) => child.leg === leg && isWorking(child));
}

/** Whether something of it is, or may be, at the venue. */
export function hasUnsettled(state: PortfolioState): boolean {
  if (openRfq(state) !== undefined) return true;
  for (const child of state.children.values()) if (isUnsettled(child)) return true;
  return false;
}

export function outstandingOf(state: PortfolioState, leg: number): Quantity {
  if (state.children.size === 0) return ZERO_QUANTITY;
  let total = ZERO_QUANTITY;
  for (const child of state.children.values()) {
    if (child.leg === leg) total = plus(total, outstanding(child));
  }
  return total;
}

/** Filled or possibly going to fill. */
export const committedOf = (state: PortfolioState, leg: number): Quantity =>
  plus(legState(state, leg).filled, outstandingOf(state, leg));

export const remainingOf = (state: PortfolioState, leg: number): Quantity =>
  minus(legSpec(state, leg).quantity, legState(state, leg).filled);

/** Quantity given up with missed slices. */
export const skippedOf = (state: PortfolioState, leg: number): Quantity =>
  legState(state, leg).skipped ?? ZERO_QUANTITY;

/** The most the leg may have committed at this moment: its total; for a hedge, what the others' fills require. */
export function allowanceOf(state: PortfolioState, leg: number): Quantity {
  if (state.spec.balance !== undefined) return partAllowance(state, leg);
  const spec = legSpec(state, leg);
  if (!spec.hedge) return spec.quantity;
  return hedgeAllowance(state, leg, (other) => legState(state, other).filled);
}

export const maxCatchUpOf = ({ spec }: Pick<PortfolioState, 'spec'>) =>
  ratioOf(spec.execution.maxCatchUp);
