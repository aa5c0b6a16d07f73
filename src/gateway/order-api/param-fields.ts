// Params shared by many methods: instruments, currencies, kinds, order types, counts.

import {
  type Currency,
  currency,
  instrumentName,
  type OrderId,
  orderId,
} from '../../values/ids.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import type { OrderType } from '../../values/order-terms.ts';
import { choiceField, switchField, textField, wholeField } from '../wire/field-kinds.ts';
import { field, mapped, optional, optionalOr } from '../wire/fields.ts';

export const LABEL_LENGTH_MAX = 64;
const INSTRUMENT_LENGTH_MAX = 64;

export const instrumentField = mapped(
  textField({ max: INSTRUMENT_LENGTH_MAX, description: 'Instrument name' }),
  instrumentName,
);

const CURRENCY = /^[A-Z0-9]{2,12}$/;

/** `undefined` stands for every currency. */
export const currencyField = field<{ readonly code: Currency | undefined }, string>({
  schema: { type: 'string', pattern: '^([A-Z0-9]{2,12}|any)$' },
  description:
    'Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all',
  accepted: 'a currency code in capitals such as BTC, or any',
  read: (value) => {
    if (value === 'any') return { code: undefined };
    return typeof value === 'string' && CURRENCY.test(value)
      ? { code: currency(value) }
      : undefined;
  },
});

/** The interface's kind "future" covers perpetuals and dated futures. */
const BY_KIND = {
  future: ['perpetual', 'future'],
  option: ['option'],
  spot: ['spot'],
  future_combo: ['future_combo'],
  option_combo: ['option_combo'],
  combo: ['future_combo', 'option_combo'],
  any: ['perpetual', 'future', 'option', 'spot', 'future_combo', 'option_combo'],
} as const satisfies Readonly<Record<string, readonly InstrumentKind[]>>;

export const KINDS: Readonly<Record<string, readonly InstrumentKind[]>> = BY_KIND;

export const kindField = optional(
  choiceField<readonly InstrumentKind[], keyof typeof BY_KIND>(
    BY_KIND,
    'Kind of the instruments; all when absent. future includes perpetuals',
  ),
);

/** Order types that rest as limit orders count as limit, whatever type was requested. */
const LIMIT: readonly OrderType[] = ['limit', 'market', 'market_limit'];
const STOP: readonly OrderType[] = ['stop_limit', 'stop_market'];
const TAKE: readonly OrderType[] = ['take_limit', 'take_market'];
const TRAILING: readonly OrderType[] = ['trailing_stop'];
export const TRIGGER_TYPES: readonly OrderType[] = [...STOP, ...TAKE, ...TRAILING];

type TypeFilter = { readonly types?: readonly OrderType[] | undefined };

const OPEN_TYPES = {
  all: {},
  limit: { types: LIMIT },
  trigger_all: { types: TRIGGER_TYPES },
  stop_all: { types: STOP },
  stop_limit: { types: ['stop_limit'] },
  stop_market: { types: ['stop_market'] },
  take_all: { types: TAKE },
  take_limit: { types: ['take_limit'] },
  take_market: { types: ['take_market'] },
  trailing_all: { types: TRAILING },
  trailing_stop: { types: TRAILING },
} as const satisfies Readonly<Record<string, TypeFilter>>;

const CANCEL_TYPES = {
  all: {},
  limit: { types: LIMIT },
  trigger_all: { types: TRIGGER_TYPES },
  stop: { types: STOP },
  take: { types: TAKE },
  trailing_stop: { types: TRAILING },
} as const satisfies Readonly<Record<string, TypeFilter>>;

export const openTypeField = optional(
  choiceField<TypeFilter, keyof typeof OPEN_TYPES>(OPEN_TYPES, 'Type of the orders (default all)'),
);

export const cancelTypeField = optional(
  choiceField<TypeFilter, keyof typeof CANCEL_TYPES>(
    CANCEL_TYPES,
    'Type of the orders (default all)',
  ),
);

export const orderIdField = mapped(
  textField({ max: 64, description: 'Id of the order' }),
  (text): OrderId => orderId(text),
);

const idField = (form: RegExp) => (description: string) =>
  optional(
    field<string, string>({
      schema: { type: 'string', pattern: form.source },
      description,
      accepted: 'the id of a trade, such as "BTC-12"',
      read: (value) => (typeof value === 'string' && form.test(value) ? value : undefined),
    }),
  );

/** Where a list of trades begins or ends. */
export const tradeIdField = idField(/^(?:[A-Z0-9_]{1,32}-)?\d{1,18}$/);

/** Where a page of the public tape begins or ends: the trades of a generated past have ids of their own. */
export const publicTradeIdField = idField(/^(?:[A-Z0-9_]{1,32}-)?\d{1,18}$|^[\w-]{1,64}@\d{1,12}$/);

export const labelField = (description: string) =>
  textField({ max: LABEL_LENGTH_MAX, description });

export const countField = (byDefault: number) =>
  optionalOr(
    wholeField({
      min: 1,
      max: 1_000,
      description: `How many (default ${byDefault}, at most 1000)`,
    }),
    byDefault,
  );

export const historicalField = optionalOr(
  switchField(
    'false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones',
  ),
  false,
);

export const sortingField = (byDefault: 'asc' | 'desc') =>
  optionalOr(
    choiceField(
      { asc: 'asc', desc: 'desc', default: byDefault } as const,
      `By time; default means ${byDefault}`,
    ),
    byDefault,
  );
