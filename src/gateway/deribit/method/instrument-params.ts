// Params and JSON of Deribit's methods that concern instruments: names, currencies and kinds, and how a kind is written.
import { type Currency, currency } from '../../../values/ids.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';
import { TERM_WORDS } from '../../order-api/orders/order-entry-enums.ts';
import { instrumentField, KINDS } from '../../order-api/param-fields.ts';
import { choiceField, textField } from '../../wire/field-kinds.ts';
import { field, optional } from '../../wire/fields.ts';

export const instrumentParam = instrumentField;
export const directionParam = choiceField(TERM_WORDS.side, 'Side');

/** `code` is absent for `any`. */
export interface CurrencyChoice {
  readonly code?: Currency | undefined;
}

const CURRENCY = /^[A-Za-z0-9]{2,12}$/;

/** Any word of letters: a currency that is not traded has no instruments, which is not an error. */
export const currencyParam = field<CurrencyChoice, string>({
  schema: { type: 'string' },
  description: 'Settlement currency, or any',
  accepted: 'a currency such as BTC, or any',
  read: (value) => {
    if (typeof value !== 'string' || !CURRENCY.test(value)) return undefined;
    const code = value.toUpperCase();
    return code === 'ANY' ? {} : { code: currency(code) };
  },
});

/** The name of an index, such as `btc_usd`. */
export const indexParam = textField({ max: 32, description: 'Name of an index' });

export const kindParam = optional(
  choiceField<readonly InstrumentKind[], string>(KINDS, 'Kind of the instruments'),
);

/** The instruments of a kind and a settlement currency; absent means all. */
export const isOfMarket = (
  { kind, settlement }: Pick<Instrument, 'kind' | 'settlement'>,
  wanted: {
    readonly kinds?: readonly InstrumentKind[] | undefined;
    readonly currency?: Currency | undefined;
  },
): boolean =>
  (wanted.currency === undefined || wanted.currency === settlement) &&
  (wanted.kinds === undefined || wanted.kinds.includes(kind));
