// The taker rating: the number of RFQs per trade over the taker's last fifty that count, as a band.
//
// Source: the venue counts RFQs to trades and shows a band such as "1-2"; its look-back and its other bands
// are not published, so ours are a choice.
import type { AccountId } from '../../values/ids.ts';
import type { Rfq } from './rfq.ts';
import type { RfqBook } from './rfq-book.ts';

const LOOK_BACK = 50;
const BANDS = [
  [2, '1-2'],
  [5, '2-5'],
  [10, '5-10'],
] as const;
const WORST = '10+';

/** Starts with one trade and one RFQ, so that new takers are not rated badly. */
export function takerRating(book: RfqBook, taker: AccountId): string {
  const rated = book
    .of(taker)
    .filter((rfq) => rfq.taker === taker && rfq.isRated === true)
    .slice(0, LOOK_BACK);
  const traded = rated.filter(({ status }) => status === 'filled').length;
  const perTrade = (rated.length + 1) / (traded + 1);
  return BANDS.find(([below]) => perTrade < below)?.[1] ?? WORST;
}

/** RFQs that the taker cancelled within the grace period do not count. */
export const countsForRating = (rfq: Rfq, at: number): boolean => at >= rfq.opensAt;
