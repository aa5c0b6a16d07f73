// Icebergs: orders that show a part of themselves and refill it from what they hide. The queue keeps
// the two parts apart (`price-level.ts`); here is what an owner may ask for, and what is shown.
//
// Source: the venue's published rules: at least 100 smallest amounts and a hundredth of the whole are
// shown, the hidden part pays the taker's fee, options have no icebergs.
import { type Quantity, text } from '../../values/amounts.ts';
import type { Grid } from '../book/grid.ts';
import type { Listing } from './instruments/listing.ts';
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
    const least = text(grid.quantityOf(SHOWN_MIN_AMOUNTS * grid.minLots));
    const reason = `is too small or off the lot ${text(grid.lot)}; accepted: multiples of it from ${least}`;
    return refusal.invalidMaxShowAmount(reason);
  }
  return showsEnough(lots, totalLots) ? lots : tooLittleShown(grid, totalLots);
}

/** Refuses an order that hides too much of itself. */
export function tooLittleShown(grid: Grid, totalLots: number): Refusal {
  const least = text(grid.quantityOf(Math.ceil(totalLots / WHOLE_PER_SHOWN_MAX)));
  const reason = `is less than 1 / ${WHOLE_PER_SHOWN_MAX} of the amount; accepted: at least ${least}`;
  return refusal.invalidMaxShowAmount(reason);
}

/** Whether `refreshLots` are enough for the book to see of `totalLots`. */
export const showsEnough = (refreshLots: number, totalLots: number): boolean =>
  refreshLots === 0 || refreshLots * WHOLE_PER_SHOWN_MAX >= totalLots;
