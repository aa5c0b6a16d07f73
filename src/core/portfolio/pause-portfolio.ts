// A pause asked for by hand: nothing is placed and what rests is taken back, while the clock of the
// schedule goes on. After it the catch-up rule deals with what was missed, as after any other stop.
import { type Draft, emit } from './aggregate/draft.ts';
import { isTerminal, type PortfolioState } from './aggregate/portfolio-state.ts';
import { requestCancel } from './slices/work-slice.ts';

/** At work, so that a pause means something; a shadow does what its original does. */
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

/** What the clock asks of a paused portfolio: that nothing of it is at the venue. */
export function cancelForPause(draft: Draft): void {
  for (const child of draft.state.children.values()) requestCancel(draft, child, 'paused');
}
