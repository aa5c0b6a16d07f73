// Applies filters of the venue port to orders and positions. Filters combine.

import type { ExchangeOrder } from '../../exchange/order.ts';
import { isMeant } from '../../exchange/queries/market-filter.ts';
import type { OrderFilter } from '../../ports/trading-desk.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { TermsOf } from '../../values/instrument.ts';

export function isMarketWanted(
  filter: OrderFilter,
  name: InstrumentName,
  termsOf: TermsOf,
): boolean {
  const terms = termsOf(name);
  return terms !== undefined && isMeant(terms, filter);
}

export const isOrderWanted = (
  filter: OrderFilter,
  order: ExchangeOrder,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === order.label) &&
  (filter.types === undefined || filter.types.includes(order.originalType)) &&
  isMarketWanted(filter, order.instrument, termsOf);
