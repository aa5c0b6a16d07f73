// The time is up: cancel resting orders, perform the end action, then end. The residual is left, swept at market in
// one more slice, or worked in slices of the same size for a while.
import {
  isPositive,
  isZero,
  minus,
  proportionOnStep,
  type Quantity,
  share,
  smaller,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { earliest, type Instant, later, latest } from '../../values/instant.ts';
import { tradable } from '../../values/instrument.ts';
import { isBlackout, openFrom } from '../terms/blackout-windows.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import {
  allowanceOf,
  committedOf,
  endAt,
  hasUnsettled,
  legInstrument,
  legSpec,
  legState,
  maxCatchUpOf,
  planOf,
  remainingOf,
  skippedOf,
  workingOf,
} from './aggregate/positions.ts';
import { hedgedBy } from './balance/part-clock.ts';
import { coverHedge } from './cover-hedge.ts';
import { workResidualRfq } from './residual-rfq/work-residual-rfq.ts';
import { cancelForBlackout } from './slices/blackout-cancel.ts';
import { cancelLegChildren, conclude, endSlice } from './slices/conclude.ts';
import { styleAt, sweepStyle } from './slices/execution-style.ts';
import { missSlices } from './slices/missed-slices.ts';
import { endActionFrom, endActionOf } from './slices/residual-rfq-due.ts';
import { guardAt, isAfterEnd } from './slices/slice-times.ts';
import { sliceRest, workSlice } from './slices/work-slice.ts';

/** Performs everything due once the time is up. */
export function windUp(draft: Draft): void {
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    if (!legSpec(draft.state, leg).hedge) missSlices(draft, leg, planOf(draft.state, leg).slices);
  }
  if (workResidualRfq(draft)) return;
  const until = actsUntil(draft);
  if (keepsQuiet(draft, until)) return;
  const isExtended = draft.state.spec.execution.endAction === 'extend';
  const isPaused = draft.state.paused !== undefined;
  let isHedging = false;
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    if (isExtended && until !== undefined && draft.now < until) extendLeg(draft, leg, until);
    else if (isPaused && legSpec(draft.state, leg).hedge) {
      isHedging = coverHedge(draft, leg, 'time_over') || isHedging;
    } else endLeg(draft, leg, sweptUntil(draft, leg, until));
  }
  if (hasUnsettled(draft.state) || isHedging) return;
  const isBusy = draft.state.legs.some((_leg, index) => {
    if (isExtended && until !== undefined && isExtending(draft, index, until)) return true;
    return sweptUntil(draft, index, until) !== undefined && isSweeping(draft, index);
  });
  const isOpen = draft.state.legs.some((_leg, index) =>
    isPositive(remainingOf(draft.state, index)),
  );
  if (isOpen && !isBusy) conclude(draft, 'time_limit');
}

/** The end action waits for the end of a blackout window; true while it does. */
function keepsQuiet(draft: Draft, until: Instant | undefined): boolean {
  if (!isBlackout(draft.state.spec.execution.quiet, draft.now)) return false;
  const isWaiting = draft.state.legs.some((_leg, leg) => {
    const end = sweptUntil(draft, leg, until) ?? until;
    return end !== undefined && draft.now < end && isPositive(restOf(draft, leg));
  });
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) cancelForBlackout(draft, leg);
  return isWaiting;
}

/** Until when the end action runs; `undefined` if there is none, or if the end was noticed too late. */
function actsUntil(draft: Draft): Instant | undefined {
  const { timeOverAt, spec, paused } = draft.state;
  const { extendMs = 0 } = spec.execution;
  const endAction = endActionOf(spec);
  if (endAction === 'cancel' || timeOverAt === undefined || paused !== undefined) return undefined;
  const { endGraceMs, endLateMaxMs } = draft.inputs.settings;
  if (timeOverAt - endAt(spec) > endLateMaxMs) return undefined;
  return endAction === 'extend'
    ? later(endAt(spec), extendMs)
    : later(openFrom(spec.execution.quiet, endActionFrom(draft.state) ?? timeOverAt), endGraceMs);
}

/**
 * Until when the rest of the leg is swept. Whatever the end action, a hedge is aligned with what the others have
 * filled: cancelling what remains does not include leaving exposure unhedged.
 */
function sweptUntil(draft: Draft, leg: number, until: Instant | undefined): Instant | undefined {
  const endAction = endActionOf(draft.state.spec);
  if (endAction !== 'extend' && until !== undefined) return until;
  if (endAction !== 'cancel' || !legSpec(draft.state, leg).hedge) return undefined;
  const { timeOverAt, spec } = draft.state;
  const hedged = hedgedBy(draft.state, draft.inputs.settings);
  if (hedged === undefined || timeOverAt === undefined) return undefined;
  return later(hedged, openFrom(spec.execution.quiet, timeOverAt) - timeOverAt);
}

/** Cancels resting orders, then sweeps the rest if requested. */
function endLeg(draft: Draft, leg: number, sweepUntil: Instant | undefined): void {
  const { current } = legState(draft.state, leg);
  const isOpen =
    sweepUntil !== undefined &&
    current !== undefined &&
    isAfterEnd(draft.state, current) &&
    draft.now < current.endsAt;
  cancelLegChildren(draft, leg, {
    reason: 'time_over',
    except: isOpen ? current.slice : undefined,
  });
  if (workingOf(draft.state, leg).length > 0) return;
  if (sweepUntil !== undefined) sweepLeg(draft, leg, sweepUntil);
}

/** What the end action may still trade of a leg: neither filled, nor outstanding, nor given up. */
function restOf(draft: Draft, leg: number): Quantity {
  const committed = committedOf(draft.state, leg);
  const open = minus(allowanceOf(draft.state, leg), committed);
  const wanted = minus(remainingOf(draft.state, leg), skippedOf(draft.state, leg));
  const rest = smaller(open, wanted);
  return isPositive(rest) ? tradable(legInstrument(draft.state, leg), rest) : ZERO_QUANTITY;
}

/** The sweep is a slice of its own, after the last of the plan, priced through the opposite side. */
function sweepLeg(draft: Draft, leg: number, endsAt: Instant): void {
  const { current } = legState(draft.state, leg);
  if (current !== undefined && isAfterEnd(draft.state, current)) {
    if (isPositive(sliceRest(draft, leg, current))) {
      return workSlice(draft, leg, sweepStyle(draft.state));
    }
  }
  if (draft.now >= endsAt) return;
  const quantity = restOf(draft, leg);
  if (isZero(quantity)) return;
  beginSlice(draft, leg, { quantity, endsAt });
  workSlice(draft, leg, sweepStyle(draft.state));
}

function isSweeping(draft: Draft, leg: number): boolean {
  const { current } = legState(draft.state, leg);
  if (current === undefined || !isAfterEnd(draft.state, current)) return false;
  return draft.now < current.endsAt && isPositive(sliceRest(draft, leg, current));
}

/** Continues as before the end: one slice per interval, none above the cap relative to the even one. */
function extendLeg(draft: Draft, leg: number, until: Instant): void {
  const { current } = legState(draft.state, leg);
  const own = current !== undefined && isAfterEnd(draft.state, current) ? current : undefined;
  const isOpen = own !== undefined && draft.now < guardAt(draft.inputs.settings, own);
  cancelLegChildren(draft, leg, { reason: 'slice_over', except: isOpen ? own.slice : undefined });
  if (own !== undefined && draft.now < own.endsAt) {
    if (isOpen) workSlice(draft, leg, styleAt(draft, leg, draft.now));
    return;
  }
  if (workingOf(draft.state, leg).length > 0) return;
  const quantity = smaller(restOf(draft, leg), extendedSlice(draft, leg));
  if (!isPositive(quantity)) return;
  const endsAt = earliest(later(draft.now, draft.state.spec.frequencyMs), until);
  beginSlice(draft, leg, { quantity, endsAt });
  workSlice(draft, leg, styleAt(draft, leg, draft.now));
}

function extendedSlice(draft: Draft, leg: number): Quantity {
  const instrument = legInstrument(draft.state, leg);
  const { total, slices } = planOf(draft.state, leg);
  const part = { numerator: 1, denominator: Math.max(1, slices), rounding: 'up' } as const;
  const even = proportionOnStep(total, instrument.amountStep, part);
  const most = tradable(instrument, share(even, maxCatchUpOf(draft.state)));
  return isPositive(most) ? most : instrument.minAmount;
}

const isExtending = (draft: Draft, leg: number, until: Instant): boolean =>
  draft.now < until && isPositive(restOf(draft, leg));

function beginSlice(
  draft: Draft,
  leg: number,
  { quantity, endsAt }: { readonly quantity: Quantity; readonly endsAt: Instant },
): void {
  endSlice(draft, leg);
  const { nextSlice } = legState(draft.state, leg);
  const slice = Math.max(nextSlice, planOf(draft.state, leg).slices);
  const planned = text(quantity);
  const dueAt = latest(draft.now, draft.state.timeOverAt ?? draft.now);
  emit(draft, { kind: 'slice_started', leg, slice, dueAt, endsAt, planned, quantity: planned });
}
