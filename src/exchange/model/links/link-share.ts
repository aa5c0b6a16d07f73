// Shares of linked orders, in lots. A lot is one contract wherever orders can be linked.
//
// Source: the venue's order management guide, 2026: what a fill adds or removes is rounded down to the
// contract, so that a part never exceeds its share; the remainder follows with the full fill.
import type { FillCondition } from '../../../values/order-terms.ts';

/** ⌊of × part / whole⌋, exact for any sizes. */
export function floorShare(of: number, part: number, whole: number): number {
  const product = of * part;
  if (Number.isSafeInteger(product)) return Math.floor(product / whole);
  return Number((BigInt(of) * BigInt(part)) / BigInt(whole));
}

interface Progress {
  readonly filledLots: number;
  readonly totalLots: number;
  readonly isFilled: boolean;
}

/** How many of `of` lots the fills of the primary release. */
export function releasedLots(of: number, condition: FillCondition, primary: Progress): number {
  const { filledLots, totalLots, isFilled } = primary;
  if (isFilled) return of;
  if (condition === 'first_hit') return filledLots > 0 ? of : 0;
  return condition === 'incremental' ? floorShare(of, filledLots, totalLots) : 0;
}
