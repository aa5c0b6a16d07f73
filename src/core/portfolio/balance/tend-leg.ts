// Works one leg of the current part: one child at a time, by the leg's own pricing, or at market while the part is
// being completed. The quantity released to a leg grows with the fills it follows.
import { isLess, isPositive, minus, type Quantity, text } from '../../../values/amounts.ts';
import { type Instant, latest } from '../../../values/instant.ts';
import { outstanding } from '../../order/child-order.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import { balanceOf, openTargetOf, partSizeOf } from '../aggregate/part-allowance.ts';
import { orderable } from '../aggregate/part-target.ts';
import type { CurrentSlice, PartState, PortfolioState } from '../aggregate/portfolio-state.ts';
import {
  allowanceOf,
  committedOf,
  endAt,
  legInstrument,
  legSpec,
  legState,
  workingOf,
} from '../aggregate/positions.ts';
import { cancelLegChildren, endSlice } from '../slices/conclude.ts';
import {
  type ExecutionStyle,
  legStyle,
  MARKETABLE,
  sweepStyle,
} from '../slices/execution-style.ts';
import { nextAttemptAt, sliceRest, workSlice } from '../slices/work-slice.ts';
import { hedgedBy, renewAt, sweptBy } from './part-clock.ts';

/** Does what the leg needs at this moment. */
export function tendLeg(draft: Draft, leg: number): void {
  const { part } = draft.state;
  if (part === undefined) return;
  const { current } = legState(draft.state, leg);
  const own = current !== undefined && isCurrent(draft, leg, current) ? current : undefined;
  if (workingOf(draft.state, leg).length > 0) return tendResting(draft, leg, own);
  const isOpen = own !== undefined && !isSpent(draft, own) && !isOutgrown(draft, leg, own);
  if (!isOpen && !beginSlice(draft, leg, part)) return;
  workSlice(draft, leg, styleOf(draft, leg));
}

/** The leg has a child at the venue: follow the price with it, or cancel it so that it can be replaced. */
function tendResting(draft: Draft, leg: number, own: CurrentSlice | undefined): void {
  cancelLegChildren(draft, leg, { reason: 'part_over', except: own?.slice });
  if (own === undefined) return;
  if (!hasOutgrownChild(draft, leg)) return workSlice(draft, leg, styleOf(draft, leg));
  cancelLegChildren(draft, leg, { reason: 'outgrown' });
  // The replacement is a slice of its own and need not pause as after a failed attempt.
  endSlice(draft, leg);
}

/** What could be ordered for the leg now, in addition to what is outstanding. */
function wantedOf(state: PortfolioState, leg: number): Quantity {
  const committed = committedOf(state, leg);
  const open = minus(openTargetOf(state, leg), committed);
  const wanted = minus(allowanceOf(state, leg), committed);
  return orderable(legInstrument(state, leg), { wanted, open });
}

/** Returns false if there is nothing to start a slice for. */
function beginSlice(draft: Draft, leg: number, part: PartState): boolean {
  endSlice(draft, leg);
  const quantity = wantedOf(draft.state, leg);
  if (!isPositive(quantity)) return false;
  emit(draft, {
    kind: 'slice_started',
    leg,
    slice: legState(draft.state, leg).nextSlice,
    dueAt: latest(draft.now, crossedAt(draft.state, leg) ?? draft.now),
    endsAt: tradesUntil(draft, part),
    planned: text(partSizeOf(draft.state, leg)),
    quantity: text(quantity),
  });
  return true;
}

function tradesUntil({ state, inputs }: Draft, part: PartState): Instant {
  if (part.stage === 'sweep') return sweptBy(part, inputs.settings);
  return hedgedBy(state, inputs.settings) ?? endAt(state.spec);
}

/** At market while the part is being completed; a LIMIT leg keeps its limit except in the final sweep. */
function styleOf(draft: Draft, leg: number): ExecutionStyle {
  const { state } = draft;
  if (!crossesNow(state, leg)) return legStyle(draft, leg);
  return state.part?.stage === 'chase' && state.timeOverAt === undefined
    ? MARKETABLE
    : sweepStyle(state);
}

/** True while children of the leg are priced through the opposite side. */
export function crossesNow(state: PortfolioState, leg: number): boolean {
  if (state.part === undefined) return false;
  if (state.part.stage === 'sweep' || state.timeOverAt !== undefined) return true;
  return state.part.stage === 'chase' && legSpec(state, leg).pricing.type !== 'limit';
}

/**
 * False for a slice from before the leg crossed: its child rests at an obsolete price. Also false once its time is up,
 * while the part continues because the total limit was amended.
 */
function isCurrent({ state, now }: Draft, leg: number, current: CurrentSlice): boolean {
  if (now >= current.endsAt) return false;
  const crossed = crossedAt(state, leg);
  return crossed === undefined || current.dueAt >= crossed;
}

/**
 * Since when children of the leg are priced through the opposite side; `undefined` if they are not. It can be later than
 * now, where it was noted by a daemon whose clock is ahead of this one's.
 */
function crossedAt(state: PortfolioState, leg: number): Instant | undefined {
  const { part, timeOverAt } = state;
  if (part === undefined || !crossesNow(state, leg)) return undefined;
  return latest(part.stageAt, timeOverAt ?? part.stageAt);
}

/** Every attempt is used up, and the pause after the last one is over. */
function isSpent(draft: Draft, current: CurrentSlice): boolean {
  const at = renewAt(current, balanceOf(draft.state), draft.inputs.settings);
  return at !== undefined && draft.now >= at;
}

/** More is wanted than the slice still has to place; false while it pauses after an attempt. */
function isOutgrown(draft: Draft, leg: number, current: CurrentSlice): boolean {
  const rest = sliceRest(draft, leg, current);
  if (!isLess(rest, wantedOf(draft.state, leg))) return false;
  return !isPositive(rest) || draft.now >= nextAttemptAt(draft, current);
}

/**
 * An extra quantity at least as large as the resting child could be ordered, so the child is cancelled for a larger
 * one. A leg that follows many small fills thus replaces its child a few times per part, not with every fill.
 */
function hasOutgrownChild(draft: Draft, leg: number): boolean {
  const [child, ...more] = workingOf(draft.state, leg);
  if (child === undefined || more.length > 0) return false;
  if (child.state !== 'live' || child.cancel !== undefined || child.edit !== undefined)
    return false;
  // A larger one would be above the cap of an order.
  if (legState(draft.state, leg).current?.waiting === 'order_cap') return false;
  const rests = child.timeInForce !== 'immediate_or_cancel' && child.timeInForce !== 'fill_or_kill';
  const wanted = wantedOf(draft.state, leg);
  return rests && isPositive(wanted) && !isLess(wanted, outstanding(child));
}
