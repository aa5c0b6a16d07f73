// Maps account events to notices of the order API. Balance and position changes are published once per step
// of the exchange, after the orders and trades that caused them.
import type { AccountEvent } from '../../exchange/exchange-event.ts';
import type { DeskNews } from '../../ports/trading-desk.ts';
import { unreachable } from '../../values/assert.ts';
import type { AccountId } from '../../values/ids.ts';
import type { TermsOf } from './desk-filters.ts';
import { orderRecord, tradeRecord } from './desk-shapes.ts';

export function deskNews(events: readonly AccountEvent[], termsOf: TermsOf): readonly DeskNews[] {
  const news: DeskNews[] = [];
  const moved = new Set<AccountId>();
  for (const event of events) {
    switch (event.kind) {
      case 'order_changed':
        news.push({ kind: 'order', order: orderRecord(event.order, termsOf) });
        break;
      case 'trade':
        news.push({ kind: 'trade', trade: tradeRecord(event.trade, termsOf) });
        break;
      case 'position_changed':
        moved.add(event.position.account);
        break;
      case 'balance_changed':
        moved.add(event.balance.account);
        break;
      case 'instrument_listed':
      case 'trailing_moved':
      case 'funding_sampled':
      case 'day_settled':
      case 'instrument_delivered':
      case 'rfq_changed':
      case 'rfq_quote_changed':
      case 'block_traded':
        break;
      default:
        unreachable(event);
    }
  }
  for (const account of moved) news.push({ kind: 'account', account });
  return news;
}
