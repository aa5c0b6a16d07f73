// A manual pause: nothing is placed and resting orders are cancelled, while the schedule's clock keeps running. After
// it the catch-up rule handles the missed slices, as after any other interruption.
import { type Draft, emit } from './aggregate/draft.ts';
import { isTerminal, type PortfolioState } from './aggregate/portfolio-state.ts';
import { requestCancel } from './slices/work-slice.ts';

/** Active, so that a pause is meaningful; a shadow does what its original does. */
export const canPause = (state: PortfolioState): boolean =>
  !isTerminal(state.status) && state.status !== 'cancelling' && state.spec.mirrorOf === undefined;

export function pause(draft: Draft, by: string): void {
  if (!canPause(draft.state) || draft.state.paused !== undefined) return;
  emit(draft, { kind: 'paused', by });
}

export function resume(draft: Draft, by: string): void {
  if (!canPause(draft.state) || draft.state.paused === undefined) return;
  emit(draft, { kind: 'resumed', by });
}

/** Cancels everything a paused portfolio has at the venue. */
export function cancelForPause(draft: Draft): void {
  for (const child of draft.state.children.values()) requestCancel(draft, child, 'paused');
}
