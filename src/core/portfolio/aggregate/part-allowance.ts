// How much a leg of a BALANCE portfolio may have committed: never more than the current part; for a following leg
// never more than the fills it follows; and in a chase, lagging legs first.
import {
  isLess,
  isPositive,
  minus,
  plus,
  type Quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { BalanceSpec, LegSpec } from '../../terms/spec.ts';
import { hedgeAllowance } from './hedge-allowance.ts';
import { inProportion, orderable, targetAfterParts } from './part-target.ts';
import type { PortfolioState } from './portfolio-state.ts';

type View = Pick<PortfolioState, 'spec' | 'instruments' | 'legs' | 'part' | 'partsDone'>;

export const balanceOf = ({ spec }: View): BalanceSpec =>
  must(spec.balance, 'a BALANCE portfolio has parts');

const specOf = ({ spec }: View, leg: number): LegSpec =>
  must(spec.legs[leg], () => `leg ${leg} exists`);

const filledOf = ({ legs }: View, leg: number): Quantity =>
  must(legs[leg], () => `leg ${leg} exists`).filled;

const instrumentOf = (state: View, leg: number) => {
  const { instrument } = specOf(state, leg);
  return must(state.instruments.get(instrument), () => `${instrument} is known`);
};

/** The leg's cumulative target after `done` parts. */
export function legTargetAfter(state: View, leg: number, done: number): Quantity {
  const { quantity: total } = specOf(state, leg);
  const cut = { total, parts: balanceOf(state).parts, grid: instrumentOf(state, leg) };
  return targetAfterParts(cut, done);
}

/** Number of parts done after the current one. */
const nextDone = ({ part, partsDone }: View): number =>
  part === undefined ? partsDone : part.part + 1;

/** The leg's target during this part. */
export const partTargetOf = (state: View, leg: number): Quantity =>
  legTargetAfter(state, leg, nextDone(state));

/** Size of the current part, for one leg. */
export const partSizeOf = (state: View, leg: number): Quantity =>
  minus(partTargetOf(state, leg), legTargetAfter(state, leg, state.partsDone));

/** Fills of the leg in this part. */
const filledInPart = (state: View, leg: number): Quantity => {
  const filled = minus(filledOf(state, leg), legTargetAfter(state, leg, state.partsDone));
  return isPositive(filled) ? filled : ZERO_QUANTITY;
};

/** The leg's own target at the same progress as another leg. */
function levelWith(state: View, leg: number, other: number): Quantity {
  const reached = inProportion(
    partSizeOf(state, leg),
    { part: filledInPart(state, other), whole: partSizeOf(state, other) },
    instrumentOf(state, leg),
  );
  return plus(legTargetAfter(state, leg, state.partsDone), reached);
}

/**
 * Upper bound on what the leg may have committed: the part's target; for a follower, what the leader's fills release;
 * for a hedge, what the fills of all others require.
 */
export function releasedOf(state: View, leg: number): Quantity {
  const { legs } = state.spec;
  if (specOf(state, leg).hedge) {
    return hedgeAllowance(state, leg, (other) => filledOf(state, other));
  }
  const leader = legs.findIndex((other) => other.priority === true);
  const target = partTargetOf(state, leg);
  if (leader < 0 || leader === leg || isDone(state, leader)) return target;
  return smaller(levelWith(state, leg, leader), target);
}

/** Whether the leg has everything of the part that could be ordered. */
const isDone = (state: View, leg: number): boolean =>
  !isPositive(shortOf(state, leg, partTargetOf(state, leg)));

/** The leg's quantity at the progress of the furthest leg in this part. */
function levelOf(state: View, leg: number): Quantity {
  let level = filledOf(state, leg);
  for (const [other, spec] of state.spec.legs.entries()) {
    if (other === leg || spec.hedge) continue;
    const reached = levelWith(state, leg, other);
    if (isLess(level, reached)) level = reached;
  }
  return smaller(level, releasedOf(state, leg));
}

/** True while a leg lags the furthest one by an orderable quantity. */
const isLagging = (state: View, leg: number): boolean =>
  isPositive(shortOf(state, leg, levelOf(state, leg)));

/** What the leg lacks of `target`, if it can be ordered. */
function shortOf(state: View, leg: number, target: Quantity): Quantity {
  const filled = filledOf(state, leg);
  const open = minus(openTargetOf(state, leg), filled);
  return orderable(instrumentOf(state, leg), { wanted: minus(target, filled), open });
}

/** The target of which an order of the leg must not leave an untradable remainder. */
export const openTargetOf = (state: View, leg: number): Quantity =>
  specOf(state, leg).hedge ? specOf(state, leg).quantity : partTargetOf(state, leg);

/** What the leg may have committed at this moment. */
export function partAllowance(state: View, leg: number): Quantity {
  const released = releasedOf(state, leg);
  const stage = state.part?.stage ?? 'work';
  if (stage === 'work' || specOf(state, leg).hedge) return released;
  const isUneven = state.spec.legs.some((spec, other) => !spec.hedge && isLagging(state, other));
  return isUneven ? levelOf(state, leg) : released;
}

/** What the leg still lacks of the part, if it can be ordered. */
export const missingOf = (state: View, leg: number): Quantity =>
  shortOf(state, leg, releasedOf(state, leg));
