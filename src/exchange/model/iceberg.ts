// Icebergs: orders that show a part of their quantity and refill it from the hidden part. The queue keeps the
// two parts (`price-level.ts`); this file has the rules for what may be requested and shown.
//
// Source: the venue's published rules: at least 100 minimum amounts and a hundredth of the total must be
// shown, the hidden part pays the taker fee, and options and combos have no icebergs.
import { type Quantity, text } from '../../values/amounts.ts';
import { isCombo } from '../../values/instrument.ts';
import type { Grid } from '../book/grid.ts';
import type { Listing } from './instruments/listing.ts';
import type { Refusal } from './refusal.ts';
import * as refusal from './refusal.ts';

const SHOWN_MIN_AMOUNTS = 100;
/** The total is at most this many times the shown quantity. */
const WHOLE_PER_SHOWN_MAX = 100;

/** The maximum that an order of `totalLots` shows; zero for an order that shows its full quantity. */
export function refreshLotsOf(
  { instrument, grid }: Listing,
  display: Quantity | undefined,
  totalLots: number,
): number | Refusal {
  if (display === undefined) return 0;
  if (instrument.kind === 'option') return refusal.wrongMaxShowForOption();
  if (isCombo(instrument))
    return refusal.unavailableForCombos('display_amount', 'no icebergs there');
  const lots = grid.lotsOf(display);
  if (lots === undefined || lots < SHOWN_MIN_AMOUNTS * grid.minLots) {
    const least = text(grid.quantityOf(SHOWN_MIN_AMOUNTS * grid.minLots));
    const reason = `is too small or off the lot ${text(grid.lot)}; accepted: multiples of it from ${least}`;
    return refusal.invalidMaxShowAmount(reason);
  }
  return showsEnough(lots, totalLots) ? lots : tooLittleShown(grid, totalLots);
}

/** Refuses an order that hides too large a part of its quantity. */
export function tooLittleShown(grid: Grid, totalLots: number): Refusal {
  const least = text(grid.quantityOf(Math.ceil(totalLots / WHOLE_PER_SHOWN_MAX)));
  const reason = `is less than 1 / ${WHOLE_PER_SHOWN_MAX} of the amount; accepted: at least ${least}`;
  return refusal.invalidMaxShowAmount(reason);
}

/** Whether showing `refreshLots` is enough for an order of `totalLots`. */
export const showsEnough = (refreshLots: number, totalLots: number): boolean =>
  refreshLots === 0 || refreshLots * WHOLE_PER_SHOWN_MAX >= totalLots;
