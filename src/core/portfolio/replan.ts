// Where the plan of a leg restarts when it is amended: with the slice that would have been next, so that repeated
// amendments do not accelerate the pace. The current slice continues.
import {
  equals,
  isZero,
  minus,
  plus,
  type Quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instant, later, latest } from '../../values/instant.ts';
import { tradable } from '../../values/instrument.ts';
import type { Rebase } from '../schedule/rebased-plan.ts';
import type { LegPlan } from '../schedule/slice-plan.ts';
import type { PortfolioSpec } from '../terms/spec.ts';
import type { Draft } from './aggregate/draft.ts';
import { committedOf, endAt, legInstrument, legState, planOf } from './aggregate/positions.ts';
import { sliceRest } from './slices/work-slice.ts';

export interface Replan {
  readonly rebase: Rebase;
  /** The current slice cannot continue as it is. */
  readonly endsSlice: boolean;
}

/**
 * The cut for `leg` under the new specification; `undefined` if the new specification's own plan applies: nothing of
 * it is due yet, the leg follows other legs or parts, or neither its total nor the end changes.
 */
export function replan(draft: Draft, leg: number, spec: PortfolioSpec): Replan | undefined {
  const { state, now } = draft;
  const before = state.spec.legs[leg];
  const after = spec.legs[leg];
  if (before === undefined || after === undefined || after.hedge) return undefined;
  if (spec.balance !== undefined) return undefined;
  const isSame =
    equals(before.quantity, after.quantity) && state.spec.durationMs === spec.durationMs;
  const { nextSlice, rebase } = legState(state, leg);
  if (rebase === undefined && (isSame || (nextSlice === 0 && now < spec.startAt))) return undefined;
  if (isSame) return rebase && { rebase, endsSlice: false };
  const cut = nextCut(planOf(state, leg), { nextSlice, state: draft.state, now });
  const committed = committedOf(state, leg);
  const pending = cut < endAt(spec) ? pendingOf(draft, leg) : undefined;
  const left = minus(after.quantity, committed);
  const own = smaller(pending ?? ZERO_QUANTITY, left);
  const isDust = isUntradable(draft, leg, minus(left, own));
  const keeps = pending !== undefined && !isDust;
  return {
    rebase: {
      from: pending === undefined ? now : cut,
      slice: nextSlice,
      done: keeps ? plus(committed, own) : committed,
    },
    endsSlice: !keeps,
  };
}

/** What the current slice still has to place. */
function pendingOf(draft: Draft, leg: number): Quantity {
  const { current } = legState(draft.state, leg);
  return current === undefined ? ZERO_QUANTITY : sliceRest(draft, leg, current);
}

const isUntradable = ({ state }: Draft, leg: number, quantity: Quantity): boolean =>
  !isZero(quantity) && isZero(tradable(legInstrument(state, leg), quantity));

interface Cut {
  readonly nextSlice: number;
  readonly state: Draft['state'];
  readonly now: Instant;
}

/** When the interval of the next slice starts, so that at an unchanged pace its due time is unchanged. */
function nextCut(plan: LegPlan, { nextSlice, state, now }: Cut): Instant {
  const { spec } = state;
  if (nextSlice >= plan.slices) return latest(now, endAt(spec));
  const dueAt = plan.dueAt(nextSlice);
  const beside = nextSlice > 0 ? plan.dueAt(nextSlice - 1) : plan.endsAt(nextSlice);
  const gapMs = Math.abs(dueAt - beside);
  const slotMs = Math.min(gapMs, spec.frequencyMs);
  const aheadMs = Math.ceil((gapMs - slotMs) / 2 + spec.execution.phase * slotMs);
  return latest(now, later(dueAt, -aheadMs));
}
