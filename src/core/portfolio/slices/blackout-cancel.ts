// What a leg does in a window to keep still in: what rests is taken back, and nothing is placed.
import { isPositive } from '../../../values/amounts.ts';
import type { Draft } from '../aggregate/draft.ts';
import { legState } from '../aggregate/positions.ts';
import { cancelLegChildren } from './conclude.ts';
import { sliceRest, waiting } from './work-slice.ts';

export function cancelForBlackout(draft: Draft, leg: number): void {
  cancelLegChildren(draft, leg, { reason: 'quiet_window' });
  const { current } = legState(draft.state, leg);
  if (current === undefined || !isPositive(sliceRest(draft, leg, current))) return;
  waiting(draft, leg, 'quiet_window');
}
