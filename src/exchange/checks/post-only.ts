// Post-only: an order that would trade on arrival is moved just outside the best opposite price, or refused,
// as its owner requested.
import { text } from '../../values/amounts.ts';
import type { Side } from '../../values/instrument.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';

interface PostOnlyOrder {
  readonly side: Side;
  readonly ticks: number;
  readonly rejectPostOnly: boolean;
  readonly isEdit?: boolean;
}

/** The price in ticks at which the order rests without trading. */
export function makerTicks(listing: Listing, order: PostOnlyOrder): number | Refusal {
  const { side, ticks, isEdit } = order;
  const { book, grid } = listing;
  const best = book.against(side).best;
  if (best === undefined || !book.wouldTrade(side, ticks)) return ticks;
  if (order.rejectPostOnly) return refusal.postOnlyReject(text(grid.priceOf(best.ticks)), isEdit);
  const slid = side === 'buy' ? grid.floor(best.ticks - 1) : grid.ceil(best.ticks + 1);
  return slid >= grid.lowestTicks ? slid : refusal.noPriceToSlideTo();
}
