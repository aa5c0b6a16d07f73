// Icebergs: orders that show a part of themselves and refill it from what they hide. The queue keeps
// the two parts apart (`price-level.ts`); here is what an owner may ask for, and what is shown.
//
// Source: the venue's published rules: at least 100 smallest amounts and a hundredth of the whole are
// shown, the hidden part pays the taker's fee, options have no icebergs.
import type { Quantity } from '../values/amounts.ts';
import type { Listing } from './listing.ts';
import type { Refusal } from './refusal.ts';
import * as refusal from './refusal.ts';

const SHOWN_MIN_AMOUNTS = 100;
/** The whole is at most so many times what is shown. */
const WHOLE_PER_SHOWN_MAX = 100;

/** What an order of `totalLots` shows at most: zero for one that shows itself in full. */
export function refreshLotsOf(
  { instrument, grid }: Listing,
  display: Quantity | undefined,
  totalLots: number,
): number | Refusal {
  if (display === undefined) return 0;
  if (instrument.kind === 'option') return refusal.wrongMaxShowForOption();
  const lots = grid.lotsOf(display);
  if (lots === undefined || lots < SHOWN_MIN_AMOUNTS * grid.minLots) {
    return refusal.invalidMaxShowAmount();
  }
  return showsEnough(lots, totalLots) ? lots : refusal.invalidMaxShowAmount();
}

/** Whether `refreshLots` are enough for the book to see of `totalLots`. */
export const showsEnough = (refreshLots: number, totalLots: number): boolean =>
  refreshLots === 0 || refreshLots * WHOLE_PER_SHOWN_MAX >= totalLots;
