// What the fills of a portfolio's legs require of its hedges, and the hedges do not have.
import { isPositive, minus, type Quantity, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { tradable } from '../../../values/instrument.ts';
import { openTargetOf } from '../aggregate/part-allowance.ts';
import { orderable } from '../aggregate/part-target.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import {
  allowanceOf,
  committedOf,
  legInstrument,
  legSpec,
  legState,
} from '../aggregate/positions.ts';

export interface OpenExposure {
  /** Index of the hedge leg. */
  readonly leg: number;
  /** Neither filled nor given to dust: what it could order if it had nothing at the venue. */
  readonly quantity: Quantity;
}

/** Of each hedge leg that lacks a tradable quantity. A mirror only repeats. */
export function openExposures(state: PortfolioState): readonly OpenExposure[] {
  if (state.spec.mirrorOf !== undefined) return [];
  return state.spec.legs.flatMap(({ hedge }, leg) => {
    if (!hedge) return [];
    const quantity = lacking(state, leg, legState(state, leg).filled);
    return isPositive(quantity) ? [{ leg, quantity }] : [];
  });
}

/** What a hedge leg could order now to be level with the fills of the others. */
export const toHedge = (state: PortfolioState, leg: number): Quantity =>
  lacking(state, leg, committedOf(state, leg));

function lacking(state: PortfolioState, leg: number, had: Quantity): Quantity {
  const wanted = minus(allowanceOf(state, leg), had);
  if (!isPositive(wanted)) return ZERO_QUANTITY;
  if (state.spec.balance === undefined) return tradable(legInstrument(state, leg), wanted);
  const open = minus(openTargetOf(state, leg), had);
  return orderable(legInstrument(state, leg), { wanted, open });
}

/** Whether the child hedges what was executed before its portfolio was paused or cancelled. */
export function isCoverChild(
  state: PortfolioState,
  child: { readonly leg: number; readonly slice: number },
): boolean {
  const { current } = legState(state, child.leg);
  return (
    current?.isCover === true && current.slice === child.slice && legSpec(state, child.leg).hedge
  );
}
