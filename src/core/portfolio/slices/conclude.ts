// Ends of what is under way: of a slice, of a leg's resting children, of a portfolio. Every way of
// working legs ends them by these.
import { isPositive, minus, text } from '../../../values/amounts.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import type { EndReason } from '../aggregate/portfolio-event.ts';
import { legState, remainingOf, workingOf } from '../aggregate/positions.ts';
import { requestCancel } from './work-slice.ts';

/** Ends the leg's current slice, if it has one; what it did not fill returns to the pool. */
export function endSlice(draft: Draft, leg: number): void {
  const current = legState(draft.state, leg).current;
  if (current === undefined) return;
  const returned = minus(current.quantity, current.filled);
  emit(draft, {
    kind: 'slice_ended',
    leg,
    slice: current.slice,
    filled: text(current.filled),
    returned: isPositive(returned) ? text(returned) : '0',
  });
}

/** Takes back the leg's resting children, but those of the slice that may go on. */
export function cancelLegChildren(
  draft: Draft,
  leg: number,
  { reason, except }: { readonly reason: string; readonly except?: number | undefined },
): void {
  for (const child of workingOf(draft.state, leg)) {
    if (child.slice !== except) requestCancel(draft, child, reason);
  }
}

/** The portfolio is over without being filled. */
export function conclude(draft: Draft, reason: EndReason): void {
  const residual = draft.state.legs.map((_leg, index) => text(remainingOf(draft.state, index)));
  emit(draft, { kind: 'cancelled', reason, residual });
}
