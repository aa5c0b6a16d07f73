// What a leg of a BALANCE portfolio may have committed: never more than the part it is at, for a leg
// that follows never more than the fills it follows, and in a chase first those that are behind.
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
import { hedgeTarget } from '../../schedule/catch-up.ts';
import type { BalanceSpec, LegSpec } from '../../terms/spec.ts';
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

/** The leg's cumulative target once `done` parts are. */
export function legTargetAfter(state: View, leg: number, done: number): Quantity {
  const { quantity: total } = specOf(state, leg);
  const cut = { total, parts: balanceOf(state).parts, grid: instrumentOf(state, leg) };
  return targetAfterParts(cut, done);
}

/** Parts that are done once the one under way is. */
const nextDone = ({ part, partsDone }: View): number =>
  part === undefined ? partsDone : part.part + 1;

/** What the leg's target is while this part is under way. */
export const partTargetOf = (state: View, leg: number): Quantity =>
  legTargetAfter(state, leg, nextDone(state));

/** Size of the part under way, for one leg. */
export const partSizeOf = (state: View, leg: number): Quantity =>
  minus(partTargetOf(state, leg), legTargetAfter(state, leg, state.partsDone));

/** Fills of the leg in this part. */
const filledInPart = (state: View, leg: number): Quantity => {
  const filled = minus(filledOf(state, leg), legTargetAfter(state, leg, state.partsDone));
  return isPositive(filled) ? filled : ZERO_QUANTITY;
};

/** The leg's own target when its part is as far as another leg's. */
function levelWith(state: View, leg: number, other: number): Quantity {
  const reached = inProportion(
    partSizeOf(state, leg),
    { part: filledInPart(state, other), whole: partSizeOf(state, other) },
    instrumentOf(state, leg),
  );
  return plus(legTargetAfter(state, leg, state.partsDone), reached);
}

/**
 * The bound on what the leg may have committed: the part's target; for a leg behind the leading one
 * what that one's fills release; for a hedge what the fills of all others call for.
 */
export function releasedOf(state: View, leg: number): Quantity {
  const { hedge, quantity } = specOf(state, leg);
  const { legs } = state.spec;
  if (hedge) {
    const others = legs.flatMap((other, index) =>
      other.hedge ? [] : [{ filled: filledOf(state, index), total: other.quantity }],
    );
    return hedgeTarget(quantity, others, instrumentOf(state, leg));
  }
  const leader = legs.findIndex((other) => other.priority === true);
  const target = partTargetOf(state, leg);
  if (leader < 0 || leader === leg || isDone(state, leader)) return target;
  return smaller(levelWith(state, leg, leader), target);
}

/** The leg has of the part what could be ordered of it. */
const isDone = (state: View, leg: number): boolean =>
  !isPositive(shortOf(state, leg, partTargetOf(state, leg)));

/** Where the leg would be level with the one that is furthest in this part. */
function levelOf(state: View, leg: number): Quantity {
  let level = filledOf(state, leg);
  for (const [other, spec] of state.spec.legs.entries()) {
    if (other === leg || spec.hedge) continue;
    const reached = levelWith(state, leg, other);
    if (isLess(level, reached)) level = reached;
  }
  return smaller(level, releasedOf(state, leg));
}

/** True while a leg is behind the furthest by as much as could be ordered. */
const isLagging = (state: View, leg: number): boolean =>
  isPositive(shortOf(state, leg, levelOf(state, leg)));

/** What the leg lacks of `target`, where that can be ordered. */
function shortOf(state: View, leg: number, target: Quantity): Quantity {
  const filled = filledOf(state, leg);
  const open = minus(openTargetOf(state, leg), filled);
  return orderable(instrumentOf(state, leg), { wanted: minus(target, filled), open });
}

/** What an order of the leg must not leave an untradable rest of. */
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

/** What the leg still lacks of the part, where that can be ordered. */
export const missingOf = (state: View, leg: number): Quantity =>
  shortOf(state, leg, releasedOf(state, leg));
