// The currency of a structure, which the wire does not state: the settlement currency of its first leg, for
// spot the quote currency.
import { ZERO_MONEY } from '../../../values/amounts.ts';
import type { BlockTrade } from '../../../values/block-rfq-record.ts';
import { type Currency, currency, type InstrumentName } from '../../../values/ids.ts';
import type { TermsOf } from '../remote-order-params.ts';
import type { TapeTrade } from './rfq-wire.ts';

type Legs = readonly { readonly instrument: InstrumentName }[];
export type RfqCurrency = (legs: Legs) => Currency;

/** If the instrument is no longer known, the currency is taken from its name. */
export const rfqCurrency =
  (termsOf: TermsOf): RfqCurrency =>
  ([first]) => {
    const name = first?.instrument ?? '';
    const terms = first && termsOf(first.instrument);
    return terms?.settlement ?? currency(/_(\w+?)-/.exec(name)?.[1] ?? name.split('-')[0] ?? '');
  };

export const withCurrency = <T extends { readonly legs: Legs }>(
  record: T,
  currencyOf: RfqCurrency,
): T & { readonly currency: Currency } => ({ ...record, currency: currencyOf(record.legs) });

/** A public block trade as the port defines it: without the RFQ's id and without fees. */
export function tapeTrade(
  { legs, ...message }: TapeTrade,
  currencyOf: RfqCurrency,
): { readonly currency: Currency; readonly trade: BlockTrade } {
  const code = currencyOf(legs);
  const rows = legs.map((leg) => ({
    ...{ ...leg, tradeId: '', fee: ZERO_MONEY, feeCurrency: code, allocations: [] },
    liquidity: 'taker' as const,
  }));
  return { currency: code, trade: { ...message, rfqId: '', currency: code, rows } };
}
