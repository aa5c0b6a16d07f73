// Which orders, trades and positions a filter of the trading desk lets through. Filters combine.
import type { ExchangeOrder, OrderType } from '../../exchange/order.ts';
import type { OrderFilter } from '../../ports/trading-desk.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';

/** The terms of an instrument that has, or had, orders; `undefined` for one nobody knows. */
export type TermsOf = (name: InstrumentName) => Instrument | undefined;

/** By instrument, its kind and its settlement currency. */
export function isMarketWanted(
  filter: Omit<OrderFilter, 'account'>,
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

const isTypeWanted = (types: readonly OrderType[] | undefined, type: OrderType): boolean =>
  types === undefined || types.includes(type);

export const isOrderWanted = (
  filter: OrderFilter,
  order: ExchangeOrder,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === order.label) &&
  isTypeWanted(filter.types, order.originalType) &&
  isMarketWanted(filter, order.instrument, termsOf);
