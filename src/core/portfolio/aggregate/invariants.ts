// The invariants that hold after every turn (docs/invariants.md). A violation is our own mistake and crashes; a venue
// that contradicts itself is recorded as `assumption_broken` instead.
import { isLess, isMore, isZero, text, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { assert } from '../../../values/assert.ts';
import { isUnsettled } from '../../order/child-order.ts';
import { assertBalanced } from './imbalance.ts';
import { isTerminal, type PortfolioState } from './portfolio-state.ts';
import { committedOf, hasUnsettled, legSpec, remainingOf } from './positions.ts';

export function assertInvariants(state: PortfolioState): void {
  for (let leg = 0; leg < state.legs.length; leg += 1) assertConservation(state, leg);
  for (const child of state.children.values()) {
    assert(
      isUnsettled(child),
      () => `I4: settled child ${child.label} is kept among the unsettled`,
    );
    assert(
      !isMore(child.filled, child.quantity) || state.broken,
      () => `I5: child ${child.label} is filled beyond its quantity`,
    );
  }
  assertBalanced(state);
  if (isTerminal(state.status)) assertOver(state);
}

/** I1: filled + live + unknown never exceeds the leg's total. */
function assertConservation(state: PortfolioState, leg: number): void {
  const committed = committedOf(state, leg);
  const { quantity } = legSpec(state, leg);
  assert(
    !isMore(committed, quantity) || state.broken,
    () => `I1: leg ${leg} of ${state.id} has ${text(committed)} committed of ${text(quantity)}`,
  );
  assert(
    !isLess(committed, ZERO_QUANTITY),
    () => `I1: leg ${leg} of ${state.id} is committed below zero`,
  );
}

/** I6, I7: nothing is open after the end; FILLED exactly if every leg is. */
function assertOver(state: PortfolioState): void {
  assert(
    !hasUnsettled(state) || state.broken,
    () => `I6: ${state.id} is ${state.status} with an unsettled child`,
  );
  if (state.spec.mirrorOf !== undefined) return;
  const isFilled = state.legs.every((_leg, index) => isZero(remainingOf(state, index)));
  assert(
    (state.status === 'filled') === isFilled || state.broken,
    () => `I7: ${state.id} is ${state.status} while its legs are ${isFilled ? '' : 'not '}filled`,
  );
}
