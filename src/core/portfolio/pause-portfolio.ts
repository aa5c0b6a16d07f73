// A manual pause: nothing is placed and resting orders are cancelled, while the schedule's clock keeps running. After
// it the catch-up rule handles the missed slices, as after any other interruption.

import type { Instant } from '../../values/instant.ts';
import { CONTROL_ACTOR, isRefusedTooOften } from '../risk/gate/repeated-execution.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import { isTerminal, type PortfolioState } from './aggregate/portfolio-state.ts';
import { hasUnsettled } from './aggregate/positions.ts';
import { coverHedges } from './cover-hedge.ts';
import { recordGivenUp } from './slices/conclude.ts';

/** Active, so that a pause is meaningful; a shadow does what its original does. */
export const canPause = (state: PortfolioState): boolean =>
  !isTerminal(state.status) && state.status !== 'cancelling' && state.spec.mirrorOf === undefined;

/**
 * `about`: when that happened for which it is to be paused. Somebody who has resumed the portfolio since has seen it, and
 * it is not paused for that again.
 */
export function pause(draft: Draft, by: string, about?: Instant): void {
  const { state } = draft;
  if (!canPause(state) || !addsToPause(state.paused, by)) return;
  if (about !== undefined && state.resumedAt !== undefined && state.resumedAt >= about) return;
  emit(draft, { kind: 'paused', by });
}

/** A control pauses on top of a person, so that the person who resumes it knows; nobody else adds anything to a pause. */
const addsToPause = (paused: PortfolioState['paused'], by: string): boolean =>
  paused === undefined || (by === CONTROL_ACTOR.uid && paused.by !== by);

/** Control PT-6: pauses the portfolio once the venue has refused so many of its orders in a row. */
export function pauseWhenRefused(draft: Draft): void {
  const { repeats } = draft.inputs.gate?.limits ?? {};
  if (isRefusedTooOften(draft.state.refusedInRow, repeats)) pause(draft, CONTROL_ACTOR.uid);
}

export function resume(draft: Draft, by: string): void {
  if (!canPause(draft.state) || draft.state.paused === undefined) return;
  emit(draft, { kind: 'resumed', by });
}

/** Cancels everything a paused portfolio has at the venue, and hedges what was executed. */
export function cancelForPause(draft: Draft): void {
  const isHedging = coverHedges(draft, 'paused');
  if (!isHedging && !hasUnsettled(draft.state)) recordGivenUp(draft);
}
