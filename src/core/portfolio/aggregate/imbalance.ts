// How far the legs of a BALANCE portfolio are from their proportion, and how far they can be. A leg is measured
// against the least filled one; the parts bound the difference, whatever fills.
import {
  isMore,
  isPositive,
  isZero,
  minus,
  type Quantity,
  smaller,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { assert } from '../../../values/assert.ts';
import { tradable } from '../../../values/instrument.ts';
import { hedgeAllowance } from './hedge-allowance.ts';
import { legTargetAfter, partTargetOf, releasedOf } from './part-allowance.ts';
import type { PortfolioState } from './portfolio-state.ts';
import { committedOf, legInstrument, legSpec, legState } from './positions.ts';

export interface LegImbalance {
  readonly leg: number;
  /** Quantity filled beyond the proportion of the least filled leg; in the leg's unit. */
  readonly ahead: Quantity;
  /** Upper bound of `ahead` while the current part lasts. */
  readonly bound: Quantity;
}

/** Each leg against the least filled one. The bound is one part, plus the lots lost by rounding the cut. */
export function imbalanceOf(state: PortfolioState): readonly LegImbalance[] {
  return state.legs.map((_leg, leg) => {
    const total = legSpec(state, leg).quantity;
    let least = total;
    let floor = total;
    for (let other = 0; other < state.legs.length; other += 1) {
      const whole = legSpec(state, other).quantity;
      const reached = legState(state, other).filled;
      least = smaller(least, total.mul(reached).div(whole) as Quantity);
      floor = smaller(floor, total.mul(atLeast(state, other)).div(whole) as Quantity);
    }
    return {
      leg,
      ahead: minus(legState(state, leg).filled, least),
      bound: minus(atMost(state, leg), floor),
    };
  });
}

/** The most that the leg can have filled during this part. */
function atMost(state: PortfolioState, leg: number): Quantity {
  if (!legSpec(state, leg).hedge) return partTargetOf(state, leg);
  return hedgeAllowance(state, leg, (other) => partTargetOf(state, other));
}

/** The least that the leg has filled during this part: its fills when the previous part ended. */
const atLeast = ({ partBase }: PortfolioState, leg: number): Quantity =>
  partBase?.[leg] ?? ZERO_QUANTITY;

/** I21: no leg is further from its proportion than one part, and none has more at the venue than its share. */
export function assertBalanced(state: PortfolioState): void {
  if (state.spec.balance === undefined || state.broken) return;
  if (state.spec.mirrorOf !== undefined) return;
  for (const { leg, ahead, bound } of imbalanceOf(state)) {
    const { name } = legInstrument(state, leg);
    assert(
      !isMore(ahead, bound),
      () =>
        `I21: leg ${leg} of ${state.id} is ${text(ahead)} ${name} ahead of its proportion, beyond ${text(bound)}`,
    );
    const committed = committedOf(state, leg);
    assert(
      !isMore(committed, releasedOf(state, leg)),
      () =>
        `I21: leg ${leg} of ${state.id} has ${text(committed)} committed, beyond ${text(releasedOf(state, leg))}`,
    );
    assert(
      isPartBehindDone(state, leg),
      () => `I21: leg ${leg} of ${state.id} lacks some of parts before`,
    );
  }
}

/** Whether the leg has every orderable quantity of the completed parts. */
function isPartBehindDone(state: PortfolioState, leg: number): boolean {
  if (legSpec(state, leg).hedge) return true;
  const missing = minus(legTargetAfter(state, leg, state.partsDone), atLeast(state, leg));
  return !isPositive(missing) || isZero(tradable(legInstrument(state, leg), missing));
}
