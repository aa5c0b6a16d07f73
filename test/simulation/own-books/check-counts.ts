// Checks the slice counts that clients read of an ended portfolio against the referee's own account: how many slices were
// planned, in how many an order was intended, and in how many the exchange had one.
import type { LegBook } from './leg-book.ts';
import type { OwnBook } from './own-book.ts';

/** As a record shows them. */
export interface ShownCounts {
  readonly planned: number;
  readonly placed: number;
  readonly missed: number;
}

/** Judges one leg of a portfolio that is over. */
export function checkCounts(book: OwnBook, index: number, shown: ShownCounts): void {
  const leg = book.leg(index);
  const { planned, placed, missed } = shown;
  const meant = plannedSlices(book, leg);
  if (planned !== meant)
    book.reportBreach(`leg ${index} shows ${planned} slices planned, not ${meant}`);
  if (placed + missed !== planned) {
    book.reportBreach(
      `leg ${index} shows ${placed} placed and ${missed} missed of ${planned} slices`,
    );
  }
  const most = leg.placed.size;
  const least = placedAtVenue(book, leg);
  if (placed < least || placed > most) {
    book.reportBreach(`leg ${index} shows ${placed} slices placed, not ${least} to ${most}`);
  }
}

/** A hedge has no plan: each slice that was begun counts. */
function plannedSlices({ isClocked, form }: OwnBook, leg: LegBook): number {
  if (!isClocked) return form.balanceTrade?.parts ?? 0;
  return leg.terms.hedge ? leg.begun : leg.slices;
}

/** Counted slices, or parts, of which the exchange had at least one order. */
const placedAtVenue = ({ orders }: OwnBook, { placed }: LegBook): number =>
  [...placed.values()].filter((labels) => labels.some((label) => orders.has(label))).length;
