// In a blackout window, cancels the leg's resting orders and places nothing.
import { isPositive } from '../../../values/amounts.ts';
import type { Draft } from '../aggregate/draft.ts';
import { legState } from '../aggregate/positions.ts';
import { cancelLegChildren } from './conclude.ts';
import { waiting } from './slice-waits.ts';
import { sliceRest } from './work-slice.ts';

export function cancelForBlackout(draft: Draft, leg: number): void {
  cancelLegChildren(draft, leg, { reason: 'quiet_window' });
  const { current } = legState(draft.state, leg);
  if (current === undefined || !isPositive(sliceRest(draft, leg, current))) return;
  waiting(draft, leg, 'quiet_window');
}
