// Filters that the venue's methods cannot express, applied to its answers.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import type { OrderFilter } from '../../../ports/trading-desk.ts';
import { currency, type InstrumentName } from '../../../values/ids.ts';
import type { Instrument, TermsOf } from '../../../values/instrument.ts';
import { nameTerms } from '../../../values/instrument-names.ts';

export function isMarketWanted(
  filter: Pick<OrderFilter, 'instrument' | 'currency' | 'kinds'>,
  name: InstrumentName,
  termsOf: TermsOf,
): boolean {
  if (filter.instrument !== undefined && filter.instrument !== name) return false;
  if (filter.currency === undefined && filter.kinds === undefined) return true;
  const { settlement, kind } = termsOf(name) ?? namedTerms(name);
  if (filter.currency !== undefined && (settlement ?? filter.currency) !== filter.currency) {
    return false;
  }
  return filter.kinds === undefined || kind === undefined || filter.kinds.includes(kind);
}

/**
 * An instrument that is listed no more, or not yet, has had orders and trades all the same. What its name does not tell
 * is what was requested of the venue.
 */
function namedTerms(name: InstrumentName): Partial<Pick<Instrument, 'settlement' | 'kind'>> {
  const terms = nameTerms(name);
  if (terms === undefined) return {};
  const { pair, base, kind } = terms;
  const quote = pair.slice(base.length + 1);
  return { kind, settlement: currency(quote === '' ? base : quote) };
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
