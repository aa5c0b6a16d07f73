// The account that a notice of a venue is about.
import type { RfqNews } from '../../ports/block-rfq.ts';
import type { VenueNotice } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';

type OfAccount = Exclude<VenueNotice, { readonly kind: 'reconnected' }>;

export function accountOfNotice(notice: OfAccount): AccountId {
  switch (notice.kind) {
    case 'order':
      return notice.order.account;
    case 'trade':
      return notice.trade.account;
    case 'account':
      return notice.account;
  }
}

/** `undefined` for what concerns every account. */
export const accountOfNews = (news: RfqNews): AccountId | undefined =>
  news.kind === 'tape' || news.kind === 'reconnected' ? undefined : news.account;
