// Drives a BALANCE portfolio by clock and fills: parts run one after the other, each started when the previous one is
// done on every leg and completed at market when it exceeds its time limit; the end action follows. Idempotent, as
// `advance` is.
import { isPositive, text } from '../../../values/amounts.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import { balanceOf, legTargetAfter, missingOf } from '../aggregate/part-allowance.ts';
import { hasUnsettled, outstandingOf, remainingOf } from '../aggregate/positions.ts';
import { cancelLegChildren, conclude } from '../slices/conclude.ts';
import { chaseAt, hedgedBy, mayTradeAfterEnd, nextCheckAt, sweptBy } from './part-clock.ts';
import { tendLeg } from './tend-leg.ts';

/** Performs everything due on a BALANCE portfolio that is neither paused nor being cancelled. */
export function workParts(draft: Draft): void {
  const { timeOverAt } = draft.state;
  if (timeOverAt !== undefined && !maySweep(draft)) return giveUp(draft);
  // Each round ends a part; without new reports from the venue the next one cannot be done in the same turn.
  while (!isLastDone(draft)) {
    beginPart(draft);
    if (!isPartDone(draft)) break;
    endPart(draft);
  }
  if (isLastDone(draft)) return endDust(draft);
  if (isSweptOut(draft)) return giveUp(draft);
  const { part } = draft.state;
  const balance = balanceOf(draft.state);
  if (part === undefined) return;
  const chase = chaseAt(part, balance);
  if (chase !== undefined && draft.now >= chase) chasePart(draft, 'chase');
  else if (part.stage !== 'sweep' && draft.now >= nextCheckAt(part, balance)) {
    emit(draft, { kind: 'part_waiting', part: part.part });
  }
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) tendLeg(draft, leg);
}

const isLastDone = ({ state }: Draft): boolean => state.partsDone >= balanceOf(state).parts;

/** Starts the next part, or moves the current one to the sweep when the total time is up. */
function beginPart(draft: Draft): void {
  const { state } = draft;
  const isSweep = state.timeOverAt !== undefined;
  if (state.part !== undefined) {
    if (isSweep && state.part.stage !== 'sweep') chasePart(draft, 'sweep');
    return;
  }
  const targets = state.legs.map((_leg, index) =>
    text(legTargetAfter(state, index, state.partsDone + 1)),
  );
  const stage = isSweep ? 'sweep' : 'work';
  emit(draft, { kind: 'part_started', part: state.partsDone, stage, targets });
}

/** Done on every leg: nothing orderable of it is missing, and nothing is outstanding. */
const isPartDone = ({ state }: Draft): boolean =>
  state.legs.every(
    (_leg, index) =>
      !isPositive(missingOf(state, index)) && !isPositive(outstandingOf(state, index)),
  );

function endPart(draft: Draft): void {
  const { part, legs } = draft.state;
  if (part === undefined) return;
  const filled = legs.map((leg) => text(leg.filled));
  emit(draft, { kind: 'part_ended', part: part.part, filled });
}

function chasePart(draft: Draft, stage: 'chase' | 'sweep'): void {
  const { part, legs } = draft.state;
  if (part === undefined) return;
  const missing = legs.map((_leg, index) => text(missingOf(draft.state, index)));
  emit(draft, { kind: 'part_chased', part: part.part, stage, missing });
}

/** Whether the end action may trade the rest. No end action follows if the limit is the expiry of a leg. */
const maySweep = ({ state, inputs }: Draft): boolean =>
  state.spec.execution.endAction === 'market' &&
  balanceOf(state).totalLimitMs > 0 &&
  mayTradeAfterEnd(state, inputs.settings);

function isSweptOut({ state, now, inputs }: Draft): boolean {
  const { part } = state;
  return part?.stage === 'sweep' && now >= sweptBy(part, inputs.settings);
}

/**
 * Cancels resting orders and aligns hedges with what the others have filled; once nothing is open any more, the
 * portfolio ends.
 */
function giveUp(draft: Draft): void {
  const until = hedgedBy(draft.state, draft.inputs.settings);
  const hedges = until !== undefined && draft.now < until;
  for (const [leg, spec] of draft.state.spec.legs.entries()) {
    if (spec.hedge && hedges) tendLeg(draft, leg);
    else cancelLegChildren(draft, leg, { reason: 'time_over' });
  }
  if (hasUnsettled(draft.state) || !hasRest(draft)) return;
  const isHedging = draft.state.spec.legs.some(
    (spec, leg) => spec.hedge && isPositive(missingOf(draft.state, leg)),
  );
  if (hedges && isHedging) return;
  conclude(draft, balanceOf(draft.state).totalLimitMs === 0 ? 'expired' : 'time_limit');
}

/** All parts are done and a leg still lacks a quantity below its minimum order size. */
function endDust(draft: Draft): void {
  if (!hasUnsettled(draft.state) && hasRest(draft)) conclude(draft, 'below_minimum');
}

const hasRest = ({ state }: Draft): boolean =>
  state.legs.some((_leg, index) => isPositive(remainingOf(state, index)));
