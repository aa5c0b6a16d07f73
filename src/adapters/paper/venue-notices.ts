// Maps account events to notices of the venue port. Balance and position changes are published once per step
// of the exchange, after the orders and trades that caused them.

import type { AccountEvent } from '../../exchange/exchange-event.ts';
import type { ExchangeOrder } from '../../exchange/order.ts';
import type { VenueNotice } from '../../ports/trading-desk.ts';
import { unreachable } from '../../values/assert.ts';
import type { AccountId } from '../../values/ids.ts';
import type { TermsOf } from '../../values/instrument.ts';
import { orderRecord, tradeRecord } from './order-shapes.ts';

export interface NoticeView {
  readonly termsOf: TermsOf;
  /** Only accounts for which this holds get notices. */
  readonly isAttached: (account: AccountId) => boolean;
}

/** Nothing is published of an order in its speed bump; one of a routed pair is open from its answer on. */
const isHidden = ({ bump, instrument }: ExchangeOrder, termsOf: TermsOf): boolean =>
  bump !== undefined && termsOf(instrument)?.isRouted !== true;

export function noticesOf(
  events: readonly AccountEvent[],
  { termsOf, isAttached }: NoticeView,
): readonly VenueNotice[] {
  const notices: VenueNotice[] = [];
  const moved = new Set<AccountId>();
  for (const event of events) {
    switch (event.kind) {
      case 'order_changed':
        if (!isAttached(event.order.account) || isHidden(event.order, termsOf)) break;
        notices.push({ kind: 'order', order: orderRecord(event.order, termsOf) });
        break;
      case 'trade':
        if (!isAttached(event.trade.account)) break;
        notices.push({ kind: 'trade', trade: tradeRecord(event.trade, termsOf) });
        break;
      case 'position_changed':
        moved.add(event.position.account);
        break;
      case 'balance_changed':
        moved.add(event.balance.account);
        break;
      case 'liquidation_changed': {
        const { account, currency, isActive } = event;
        if (!isAttached(account)) break;
        const stage = isActive ? 'liquidation_started' : 'liquidation_completed';
        const liquidation = { stage, detail: `${stage} in ${currency}` };
        notices.push({ kind: 'account', account, liquidation });
        break;
      }
      case 'instrument_listed':
      case 'combo_changed':
      case 'trailing_moved':
      case 'funding_sampled':
      case 'day_settled':
      case 'position_settled':
      case 'instrument_delivered':
      case 'rfq_changed':
      case 'rfq_quote_changed':
      case 'block_traded':
        break;
      default:
        unreachable(event);
    }
  }
  for (const account of moved) if (isAttached(account)) notices.push({ kind: 'account', account });
  return notices;
}
