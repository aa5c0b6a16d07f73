// How seldom a taker trades what he asks for: RFQs per trade over his last fifty that count, as a band.
//
// Source: the venue counts RFQs to trades and shows a band such as "1-2"; how many it looks back on and
// its other bands are not published, and chosen here.
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

/** One trade and one RFQ more than there were: who is new is not rated badly. */
export function takerRating(book: RfqBook, taker: AccountId): string {
  const rated = book
    .of(taker)
    .filter((rfq) => rfq.taker === taker && rfq.isRated === true)
    .slice(0, LOOK_BACK);
  const traded = rated.filter(({ status }) => status === 'filled').length;
  const perTrade = (rated.length + 1) / (traded + 1);
  return BANDS.find(([below]) => perTrade < below)?.[1] ?? WORST;
}

/** What the taker himself took back within the grace says nothing about him. */
export const countsForRating = (rfq: Rfq, at: number): boolean => at >= rfq.opensAt;
