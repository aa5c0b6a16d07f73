// Filters that the venue's methods cannot express, applied to its answers.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import type { OrderFilter } from '../../../ports/trading-desk.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { TermsOf } from './order-message.ts';

export function isMarketWanted(
  filter: Pick<OrderFilter, 'instrument' | 'currency' | 'kinds'>,
  name: InstrumentName,
  termsOf: TermsOf,
): boolean {
  if (filter.instrument !== undefined && filter.instrument !== name) return false;
  if (filter.currency === undefined && filter.kinds === undefined) return true;
  const terms = termsOf(name);
  if (terms === undefined) return false;
  if (filter.currency !== undefined && terms.settlement !== filter.currency) return false;
  return filter.kinds === undefined || filter.kinds.includes(terms.kind);
}

export const isOrderWanted = (
  filter: OrderFilter,
  order: Omit<OrderRecord, 'account'>,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === order.label) &&
  (filter.types === undefined || filter.types.includes(order.originalType ?? order.type)) &&
  isMarketWanted(filter, order.instrument, termsOf);

export const isTradeWanted = (
  filter: Omit<OrderFilter, 'types'>,
  trade: Omit<TradeRecord, 'account'>,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === trade.label) &&
  isMarketWanted(filter, trade.instrument, termsOf);
