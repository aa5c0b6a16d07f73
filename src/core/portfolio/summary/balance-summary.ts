// The part of a portfolio's record that is specific to BALANCE: the cut, its progress, and how far each leg is from
// its proportion.
import { isLess, text } from '../../../values/amounts.ts';
import { imbalanceOf, type LegImbalance } from '../aggregate/imbalance.ts';
import {
  balanceOf,
  legTargetAfter,
  partTargetOf,
  releasedOf,
} from '../aggregate/part-allowance.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legSpec, legState } from '../aggregate/positions.ts';
import type { BalanceSummary, ImbalanceSummary } from './portfolio-summary.ts';

/** `undefined` for a TWAP. */
export function balanceSummary(state: PortfolioState): BalanceSummary | undefined {
  const { balance, execution } = state.spec;
  if (balance === undefined) return undefined;
  const totalEndAction = execution.endAction === 'market' ? 2 : 1;
  const partsDone = state.spec.mirrorOf === undefined ? state.partsDone : partsFilled(state);
  return { ...balance, totalEndAction, partsDone, stage: state.part?.stage };
}

/** A shadow has no parts of its own: count those completed by its reported fills. */
function partsFilled(state: PortfolioState): number {
  const { parts } = balanceOf(state);
  let done = 0;
  while (done < parts && state.legs.every((_leg, leg) => hasFilled(state, leg, done + 1)))
    done += 1;
  return done;
}

const hasFilled = (state: PortfolioState, leg: number, done: number): boolean =>
  legSpec(state, leg).hedge ||
  !isLess(legState(state, leg).filled, legTargetAfter(state, leg, done));

/**
 * The imbalance of every leg; `undefined` for a TWAP, and for a shadow, which follows fills and has no parts of its
 * own.
 */
export const imbalances = (state: PortfolioState): readonly LegImbalance[] | undefined =>
  state.spec.balance === undefined || state.spec.mirrorOf !== undefined
    ? undefined
    : imbalanceOf(state);

export const imbalanceSummary = (of: LegImbalance | undefined): ImbalanceSummary | undefined =>
  of && { ahead: text(of.ahead), bound: text(of.bound) };

/** What the parts require of the leg at this moment. */
export const calledFor = (state: PortfolioState, leg: number): string =>
  text(state.spec.legs[leg]?.hedge ? releasedOf(state, leg) : partTargetOf(state, leg));
