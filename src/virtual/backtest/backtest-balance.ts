// Reports how the parts of a BALANCE portfolio ended, and how far its legs were out of proportion at most.

import { evolve } from '../../core/portfolio/aggregate/evolve.ts';
import { imbalanceOf } from '../../core/portfolio/aggregate/imbalance.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { fold } from '../../core/portfolio/aggregate/replay.ts';
import { fraction, text } from '../../values/amounts.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { isoText } from '../../values/instant.ts';

export interface BalanceReport {
  readonly parts: number;
  readonly partsDone: number;
  /** Parts completed at market because their time limit was reached. */
  readonly partsChased: number;
  /** One entry per leg. */
  readonly imbalance: readonly Imbalance[];
}

export interface Imbalance {
  /** The maximum quantity by which the leg's fills exceeded its proportion, in the leg's unit. */
  readonly ahead: string;
  /** The same as a share of the leg's total. */
  readonly share: number;
  /** The bound allowed at that moment. */
  readonly bound: string;
  readonly at: string;
}

/** `null` if the portfolio has no parts. */
export function balanceReport(
  portfolio: PortfolioId,
  events: readonly PortfolioEvent[],
): BalanceReport | null {
  let state = fold(portfolio, events.slice(0, 1));
  if (state?.spec.balance === undefined) return null;
  const { parts } = state.spec.balance;
  const imbalance = imbalancesOf(state);
  for (const event of events.slice(1)) {
    state = evolve(state, event);
    if (event.kind !== 'fill_booked') continue;
    for (const [leg, now] of imbalancesOf(state).entries()) {
      if (now.share > (imbalance[leg]?.share ?? 0)) imbalance[leg] = now;
    }
  }
  const chased = events.filter((event) => event.kind === 'part_chased');
  return {
    parts,
    partsDone: state.partsDone,
    partsChased: new Set(chased.map(({ part }) => part)).size,
    imbalance,
  };
}

const imbalancesOf = (state: PortfolioState): Imbalance[] =>
  imbalanceOf(state).map(({ leg, ahead, bound }) => ({
    ahead: text(ahead),
    share: fraction(ahead, legSpec(state, leg).quantity),
    bound: text(bound),
    at: isoText(state.updatedAt),
  }));
