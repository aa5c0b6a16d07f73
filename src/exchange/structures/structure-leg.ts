// One leg of a structure that trades at one price as a whole: a block of several legs, or a combo.
import type { Price, Ratio } from '../../values/amounts.ts';
import { type Side, signOf } from '../../values/instrument.ts';

export interface StructureLeg {
  readonly side: Side;
  /** Ratio of the leg's size to the structure's. */
  readonly ratio: Ratio;
  /** Smallest step of the leg's price in a trade of the structure. */
  readonly tick: Price;
  /** The value of one tick of this leg in the structure's price, without the sign of its side. */
  readonly step: number;
}

/** The price of the structure from its leg prices: bought legs add, sold ones subtract. */
export const structureTicks = (
  legs: readonly Pick<StructureLeg, 'side' | 'step'>[],
  legTicks: readonly number[],
): number =>
  legs.reduce((sum, { side, step }, at) => sum + signOf(side) * step * (legTicks[at] ?? 0), 0);

/** Greatest common divisor of whole numbers above zero. */
export const gcdOf = (numbers: readonly number[]): number =>
  numbers.reduce((a, b) => {
    let [large, small] = [a, b];
    while (small > 0) [large, small] = [small, large % small];
    return large;
  }, 0);
