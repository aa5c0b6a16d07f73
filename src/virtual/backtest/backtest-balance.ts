// What became of the parts of a BALANCE portfolio, and how far its legs ever were from their proportion.

import { evolve, fold } from '../../core/portfolio/aggregate/evolve.ts';
import { imbalanceOf } from '../../core/portfolio/aggregate/imbalance.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { fraction, text } from '../../values/amounts.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { isoText } from '../../values/instant.ts';

export interface BalanceReport {
  readonly parts: number;
  readonly partsDone: number;
  /** Those that were finished through the market because their time was up. */
  readonly partsChased: number;
  /** By leg. */
  readonly imbalance: readonly Imbalance[];
}

export interface Imbalance {
  /** The most the leg ever had filled beyond its proportion, in its unit. */
  readonly ahead: string;
  /** The same as a share of the leg's total. */
  readonly share: number;
  /** What it could have been at that moment. */
  readonly bound: string;
  readonly at: string;
}

/** `null` for what has no parts. */
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
