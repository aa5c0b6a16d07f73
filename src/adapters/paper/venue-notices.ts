// Maps account events to notices of the venue port. Positions and balances are queried, not published.
import { venueOrder, venueTrade } from '../../core/order/venue-report-mapping.ts';
import type { AccountEvent } from '../../exchange/exchange-event.ts';
import type { VenueNotice } from '../../ports/venue.ts';

export function noticesOf(events: readonly AccountEvent[]): readonly VenueNotice[] {
  const notices: VenueNotice[] = [];
  for (const event of events) {
    if (event.kind === 'order_changed') {
      const { order } = event;
      notices.push({ kind: 'order', account: order.account, order: venueOrder(order) });
    } else if (event.kind === 'trade') {
      const { trade } = event;
      notices.push({ kind: 'trade', account: trade.account, trade: venueTrade(trade) });
    }
  }
  return notices;
}
