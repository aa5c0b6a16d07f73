// What the clock asks of a portfolio: starts the slices that are due, works them, winds up when the
// time is over or a cancel was asked for, and ends the portfolio. Idempotent: calling it again at the
// same instant with the same market adds nothing.
import { isPositive, isZero, minus, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { type Instant, later, latest } from '../../values/instant.ts';
import { tradable } from '../../values/instrument.ts';
import { sliceQuantity } from '../schedule/catch-up.ts';
import { workParts } from './balance/work-parts.ts';
import { conclude, endSlice, takeBackLeg } from './conclude.ts';
import { type Draft, emit } from './draft.ts';
import { takeBackPaused } from './pause.ts';
import {
  allowanceOf,
  committedOf,
  endAt,
  hasUnsettled,
  legInstrument,
  legSpec,
  legState,
  maxCatchUpOf,
  outstandingOf,
  planOf,
  remainingOf,
  workingOf,
} from './positions.ts';
import type { Settings } from './settings.ts';
import { settleOverdue } from './settle-child.ts';
import { type CurrentSlice, isTerminal } from './state.ts';
import { legManner, MARKETABLE, requestCancel, sliceRest, workSlice } from './work-slice.ts';

/** Everything that is due at the draft's `now`. */
export function advance(draft: Draft): void {
  if (draft.state.spec.mirrorOf !== undefined) return;
  settleOverdue(draft);
  if (isTerminal(draft.state.status)) return takeBackChildren(draft);
  if (draft.state.status === 'cancelling' || draft.state.broken) return takeBack(draft);
  const { timeOverAt, spec } = draft.state;
  if (timeOverAt === undefined && draft.now >= endAt(spec)) emit(draft, { kind: 'time_over' });
  // Once noticed it stays over, whichever way clocks move.
  if (spec.balance !== undefined && draft.state.paused === undefined) workParts(draft);
  else if (draft.state.timeOverAt !== undefined) windUp(draft);
  else if (draft.state.paused !== undefined) takeBackPaused(draft);
  else workLegs(draft);
  finishWhenFilled(draft);
}

function workLegs(draft: Draft): void {
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    if (legSpec(draft.state, leg).hedge) rollHedge(draft, leg);
    else rollClock(draft, leg);
    const current = legState(draft.state, leg).current;
    const isOpen = current !== undefined && draft.now < guardAt(draft.context.settings, current);
    takeBackLeg(draft, leg, { reason: 'slice_over', except: isOpen ? current.slice : undefined });
    if (isOpen) workSlice(draft, leg, legManner(draft, leg));
  }
}

/** Resting children are taken back a little before their slice ends, so that the next knows what is left. */
export function guardAt(settings: Settings, slice: CurrentSlice): Instant {
  const { guardShare, guardMaxMs } = settings;
  const guardMs = Math.min(guardMaxMs, guardShare * (slice.endsAt - slice.dueAt));
  return later(slice.endsAt, -Math.floor(guardMs));
}

/** A leg that follows the clock: ends the slice whose time is up and starts the one that is due. */
function rollClock(draft: Draft, leg: number): void {
  const plan = planOf(draft.state, leg);
  const due = plan.lastDue(draft.now);
  const { nextSlice } = legState(draft.state, leg);
  if (due < nextSlice) return;
  endSlice(draft, leg);
  if (due > nextSlice) emit(draft, { kind: 'slices_missed', leg, from: nextSlice, to: due - 1 });
  const quantity = sliceQuantity({
    plan,
    slice: due,
    filled: legState(draft.state, leg).filled,
    outstanding: outstandingOf(draft.state, leg),
    maxCatchUp: maxCatchUpOf(draft.state),
    rule: draft.state.spec.execution.catchUp,
    instrument: legInstrument(draft.state, leg),
  });
  emit(draft, {
    kind: 'slice_started',
    leg,
    slice: due,
    dueAt: plan.dueAt(due),
    endsAt: plan.endsAt(due),
    planned: text(plan.planned(due)),
    quantity: text(quantity),
  });
}

/** A hedge leg follows the others' fills: a slice begins when they call for a tradable amount. */
function rollHedge(draft: Draft, leg: number): void {
  const { current, nextSlice } = legState(draft.state, leg);
  if (current !== undefined) {
    const isDone =
      isZero(sliceRest(draft, leg, current)) && workingOf(draft.state, leg).length === 0;
    if (!isDone && draft.now < current.endsAt) return;
    endSlice(draft, leg);
  }
  const wanted = minus(allowanceOf(draft.state, leg), committedOf(draft.state, leg));
  const quantity = isPositive(wanted)
    ? tradable(legInstrument(draft.state, leg), wanted)
    : ZERO_QUANTITY;
  if (isZero(quantity)) return;
  emit(draft, {
    kind: 'slice_started',
    leg,
    slice: nextSlice,
    dueAt: draft.now,
    endsAt: later(draft.now, draft.state.spec.frequencyMs),
    planned: text(quantity),
    quantity: text(quantity),
  });
}

function takeBackChildren(draft: Draft): void {
  for (const child of draft.state.children.values()) {
    requestCancel(draft, child, draft.state.reason ?? 'cancelled');
  }
}

/** Children that rest are taken back; once nothing is open any more the portfolio is cancelled. */
function takeBack(draft: Draft): void {
  takeBackChildren(draft);
  if (draft.state.status !== 'cancelling') {
    emit(draft, { kind: 'cancelling', reason: 'risk', by: 'twapd' });
  }
  if (hasUnsettled(draft.state)) return;
  if (draft.state.legs.every((_leg, index) => isZero(remainingOf(draft.state, index)))) {
    emit(draft, { kind: 'filled' });
  } else conclude(draft, draft.state.reason ?? 'user_request');
}

/** The time is over: take back what rests, then follow the end action, then end. */
function windUp(draft: Draft): void {
  const sweepUntil = sweepEnd(draft);
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    const current = legState(draft.state, leg).current;
    const isOpen =
      sweepUntil !== undefined &&
      current !== undefined &&
      isSweep(draft, current) &&
      draft.now < current.endsAt;
    takeBackLeg(draft, leg, { reason: 'time_over', except: isOpen ? current.slice : undefined });
    if (workingOf(draft.state, leg).length > 0) continue;
    if (sweepUntil !== undefined) sweepLeg(draft, leg, sweepUntil);
  }
  if (hasUnsettled(draft.state)) return;
  const isBusy =
    draft.state.paused === undefined &&
    draft.state.legs.some((_leg, index) => isSweeping(draft, index));
  const isOpen = draft.state.legs.some((_leg, index) =>
    isPositive(remainingOf(draft.state, index)),
  );
  if (isOpen && !isBusy) conclude(draft, 'time_limit');
}

/** Until when the rest may be swept; `undefined` when it may not: not asked for, or noticed too late. */
function sweepEnd(draft: Draft): Instant | undefined {
  const { timeOverAt, spec, paused } = draft.state;
  if (spec.execution.endAction !== 'market' || timeOverAt === undefined) return undefined;
  if (paused !== undefined) return undefined;
  const { endGraceMs, endLateMaxMs } = draft.context.settings;
  return timeOverAt - endAt(spec) > endLateMaxMs ? undefined : later(timeOverAt, endGraceMs);
}

export const isSweep = (draft: Pick<Draft, 'state'>, slice: CurrentSlice): boolean =>
  draft.state.timeOverAt !== undefined && slice.dueAt >= draft.state.timeOverAt;

/** The sweep is a slice of its own, after the last of the plan, priced through the opposite side. */
function sweepLeg(draft: Draft, leg: number, endsAt: Instant): void {
  const { current, nextSlice } = legState(draft.state, leg);
  if (current !== undefined && isSweep(draft, current)) {
    if (isPositive(sliceRest(draft, leg, current))) return workSlice(draft, leg, MARKETABLE);
  }
  if (draft.now >= endsAt) return;
  const rest = minus(allowanceOf(draft.state, leg), committedOf(draft.state, leg));
  const quantity = isPositive(rest)
    ? tradable(legInstrument(draft.state, leg), rest)
    : ZERO_QUANTITY;
  if (isZero(quantity)) return;
  endSlice(draft, leg);
  const slice = Math.max(nextSlice, planOf(draft.state, leg).slices);
  const planned = text(quantity);
  const dueAt = latest(draft.now, draft.state.timeOverAt ?? draft.now);
  emit(draft, { kind: 'slice_started', leg, slice, dueAt, endsAt, planned, quantity: planned });
  workSlice(draft, leg, MARKETABLE);
}

function isSweeping(draft: Draft, leg: number): boolean {
  const current = legState(draft.state, leg).current;
  if (current === undefined || !isSweep(draft, current)) return false;
  return draft.now < current.endsAt && isPositive(sliceRest(draft, leg, current));
}

function finishWhenFilled(draft: Draft): void {
  if (isTerminal(draft.state.status) || hasUnsettled(draft.state)) return;
  if (draft.state.legs.some((_leg, index) => !isZero(remainingOf(draft.state, index)))) return;
  emit(draft, { kind: 'filled' });
}
