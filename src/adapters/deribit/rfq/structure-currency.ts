// The currency of a structure, which the wire does not state: the settlement currency of its first leg, for spot the quote
// currency.

import type { CurrencyOf } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { currency } from '../../../values/ids.ts';
import type { TermsOf } from '../../../values/instrument.ts';

/** Of an instrument that is not known any more it is in the name: `BTC_USDC-25DEC26-80000-C`. */
export const structureCurrency =
  (termsOf: TermsOf): CurrencyOf =>
  ([first]) => {
    if (first === undefined) return currency('');
    const terms = termsOf(first.instrument);
    if (terms !== undefined) return terms.kind === 'spot' ? terms.quote : terms.settlement;
    const [pair = ''] = first.instrument.split('-');
    return currency(pair.split('_')[1] ?? pair);
  };
