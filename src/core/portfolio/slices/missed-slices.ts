// Slices that passed while no process was running: they are recorded, and then either caught up by the ordinary rule
// or, if requested, given up for good.
import { minus, type Quantity, smaller, text } from '../../../values/amounts.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import { legState, planOf, remainingOf, skippedOf } from '../aggregate/positions.ts';

/** Records the leg's slices up to `before` (exclusive) that were never started. */
export function missSlices(draft: Draft, leg: number, before: number): void {
  const { nextSlice: from } = legState(draft.state, leg);
  const isSkipping = draft.state.spec.execution.downtime === 'skip';
  if (from >= before) return;
  // At the end, slices after the last one run need no record unless they are skipped.
  if (draft.state.timeOverAt !== undefined && !isSkipping) return;
  const given = isSkipping ? { skipped: text(givenUp(draft, leg, before)) } : {};
  emit(draft, { kind: 'slices_missed', leg, from, to: before - 1, ...given });
}

/** What the missed slices were planned to fill, as far as it is still open. */
function givenUp(draft: Draft, leg: number, before: number): Quantity {
  const plan = planOf(draft.state, leg);
  const { nextSlice } = legState(draft.state, leg);
  const planned = minus(plan.targetAfter(before - 1), plan.targetAfter(nextSlice - 1));
  const open = minus(remainingOf(draft.state, leg), skippedOf(draft.state, leg));
  return smaller(planned, open);
}
