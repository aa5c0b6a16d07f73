// Ends a slice, a leg's resting children or a portfolio. Every way of working legs ends them through these functions.
import { equals, isPositive, minus, text } from '../../../values/amounts.ts';
import { type Draft, emit } from '../aggregate/draft.ts';
import type { EndReason } from '../aggregate/portfolio-event.ts';
import { legState, remainingOf, workingOf } from '../aggregate/positions.ts';
import { openExposures } from './open-exposure.ts';
import { requestCancel } from './work-slice.ts';

/** Ends the leg's current slice, if it has one; its unfilled quantity returns to the pool. */
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

/** Cancels the leg's resting children, except those of the slice that may continue. */
export function cancelLegChildren(
  draft: Draft,
  leg: number,
  { reason, except }: { readonly reason: string; readonly except?: number | undefined },
): void {
  for (const child of workingOf(draft.state, leg)) {
    if (child.slice !== except) requestCancel(draft, child, reason);
  }
}

/** Records once what a hedge lacks that a paused portfolio has given up. */
export function recordGivenUp(draft: Draft): void {
  recordOpenExposure(draft, (leg) => legState(draft.state, leg).current?.isCover === true);
}

function recordOpenExposure(draft: Draft, isMeant: (leg: number) => boolean): void {
  for (const { leg, quantity } of openExposures(draft.state)) {
    const { leftOpen } = legState(draft.state, leg).current ?? {};
    const isKnown = leftOpen !== undefined && equals(leftOpen, quantity);
    if (!isMeant(leg) || isKnown) continue;
    emit(draft, { kind: 'hedge_left_open', leg, quantity: text(quantity) });
  }
}

/** Ends the portfolio unfilled. */
export function conclude(draft: Draft, reason: EndReason): void {
  recordOpenExposure(draft, () => true);
  const residual = draft.state.legs.map((_leg, index) => text(remainingOf(draft.state, index)));
  emit(draft, { kind: 'cancelled', reason, residual });
}
