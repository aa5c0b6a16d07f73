// Once a portfolio is paused or being cancelled it trades nothing more, but what was executed before, or by orders that
// were under way, is still hedged: through the market, each time for at most `endGraceMs`. What is not hedged by then,
// or may not be, is recorded as open exposure. A slice that does this is marked: nothing else may leave.
import { isMore, isPositive, isZero, minus, type Quantity, text } from '../../values/amounts.ts';
import { later } from '../../values/instant.ts';
import { isBlackout } from '../terms/blackout-windows.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import { legSpec, legState, planOf, workingOf } from './aggregate/positions.ts';
import { cancelLegChildren, endSlice } from './slices/conclude.ts';
import { sweepStyle } from './slices/execution-style.ts';
import { toHedge } from './slices/open-exposure.ts';
import { sliceRest, workSlice } from './slices/work-slice.ts';

/** Hedges what was executed, and cancels everything else. True while a hedge is still worked. */
export function coverHedges(draft: Draft, reason: string): boolean {
  let isWorking = false;
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    if (legSpec(draft.state, leg).hedge) isWorking = coverHedge(draft, leg, reason) || isWorking;
    else cancelLegChildren(draft, leg, { reason });
  }
  return isWorking;
}

export function coverHedge(draft: Draft, leg: number, reason: string): boolean {
  const { current } = legState(draft.state, leg);
  const isOpen = current?.isCover === true && draft.now < current.endsAt;
  const except = isOpen ? current.slice : undefined;
  cancelLegChildren(draft, leg, { reason, except });
  if (workingOf(draft.state, leg).some(({ slice }) => slice !== except)) return true;
  if (!mayCover(draft)) return false;
  if (isOpen && (workingOf(draft.state, leg).length > 0 || isUnfilled(draft, leg))) {
    workSlice(draft, leg, sweepStyle(draft.state));
    return true;
  }
  return begin(draft, leg);
}

/** A switch and a blackout window forbid every order. */
const mayCover = ({ state, inputs, now }: Draft): boolean =>
  inputs.trading !== 'halted' && !isBlackout(state.spec.execution.quiet, now);

function isUnfilled(draft: Draft, leg: number): boolean {
  const { current } = legState(draft.state, leg);
  return current !== undefined && isPositive(sliceRest(draft, leg, current));
}

function begin(draft: Draft, leg: number): boolean {
  const quantity = toHedge(draft.state, leg);
  if (isZero(quantity) || !isMore(quantity, givenUp(draft, leg))) return false;
  endSlice(draft, leg);
  const { nextSlice } = legState(draft.state, leg);
  const isOver = draft.state.timeOverAt !== undefined && draft.state.spec.balance === undefined;
  emit(draft, {
    kind: 'slice_started',
    leg,
    // As other slices after the end are numbered.
    slice: isOver ? Math.max(nextSlice, planOf(draft.state, leg).slices) : nextSlice,
    dueAt: draft.now,
    endsAt: later(draft.now, draft.inputs.settings.endGraceMs),
    planned: text(quantity),
    quantity: text(quantity),
    isCover: true,
  });
  workSlice(draft, leg, sweepStyle(draft.state));
  return true;
}

/** What the last attempt at it left: only with further fills is there another. */
function givenUp({ state, now }: Draft, leg: number): Quantity {
  const { current } = legState(state, leg);
  const nothing = minus(legSpec(state, leg).quantity, legSpec(state, leg).quantity);
  if (current?.isCover !== true || now < current.endsAt) return nothing;
  return minus(current.quantity, current.filled);
}
