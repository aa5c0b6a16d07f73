// What a record says of a BALANCE portfolio beyond what it says of any: the cut, where it is, and how
// far each leg is from its proportion.
import { text } from '../../../values/amounts.ts';
import type { PortfolioState } from '../state.ts';
import type { BalanceSummary, ImbalanceSummary } from '../summary.ts';
import { imbalanceOf, type LegImbalance } from './imbalance.ts';
import { partTargetOf, releasedOf } from './part-allowance.ts';

/** `undefined` for a TWAP. */
export function balanceSummary(state: PortfolioState): BalanceSummary | undefined {
  const { balance, execution } = state.spec;
  if (balance === undefined) return undefined;
  const totalEndAction = execution.endAction === 'market' ? 2 : 1;
  return { ...balance, totalEndAction, partsDone: state.partsDone, stage: state.part?.stage };
}

/** Of every leg; `undefined` for a TWAP, and for a shadow, which follows fills and has no parts of its own. */
export const imbalances = (state: PortfolioState): readonly LegImbalance[] | undefined =>
  state.spec.balance === undefined || state.spec.mirrorOf !== undefined
    ? undefined
    : imbalanceOf(state);

export const imbalanceSummary = (of: LegImbalance | undefined): ImbalanceSummary | undefined =>
  of && { ahead: text(of.ahead), bound: text(of.bound) };

/** What the parts call for of the leg at this moment. */
export const calledFor = (state: PortfolioState, leg: number): string =>
  text(state.spec.legs[leg]?.hedge ? releasedOf(state, leg) : partTargetOf(state, leg));
