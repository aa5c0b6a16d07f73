// How values are written on Deribit's wire and read from it. Numbers are written from exact text and read as exact text. A form
// with `IF` may be missing; one with `OR_ZERO` or with a default is read as that if it is missing.
import {
  type Money,
  money,
  type Price,
  price,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
} from '../../values/amounts.ts';
import { instrumentName, orderId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import { decimalNumber, idJson, modelRatio, numberIf } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import type { Form } from './record-table.ts';

type Amount = Price | Quantity | Money | Ratio;

const amount = <T extends Amount>(make: (digits: string) => T): Form<T> => ({
  write: decimalNumber,
  read: (of, name) => make(of.digits(name)),
});

const amountIf = <T extends Amount>(make: (digits: string) => T): Form<T | undefined> => ({
  write: numberIf,
  read: (of, name) => {
    const digits = of.digitsIf(name);
    return digits === undefined ? undefined : make(digits);
  },
});

export const PRICE = amount(price);
export const PRICE_IF = amountIf(price);
export const QUANTITY = amount(quantity);
export const QUANTITY_IF = amountIf(quantity);
export const MONEY = amount(money);
export const MONEY_IF = amountIf(money);

export const MONEY_OR_ZERO: Form<Money> = {
  write: decimalNumber,
  read: (of, name) => money(of.digitsIf(name) ?? '0'),
};
export const MODEL_OR_ZERO: Form<Ratio> = {
  write: modelRatio,
  read: (of, name) => ratio(of.digitsIf(name) ?? '0'),
};

export const FLAG: Form<boolean> = { read: (of, name) => of.flag(name) };
export const FLAG_IF: Form<boolean | undefined> = {
  read: (of, name) => of.flagIf(name),
};

export const TEXT: Form<string> = { read: (of, name) => of.text(name) };
export const TEXT_IF: Form<string | undefined> = {
  read: (of, name) => of.textIf(name),
};

/** An identifier in our own type. */
export const idOf = <T extends string>(make: (text: string) => T): Form<T> => ({
  read: (of, name) => make(of.text(name)),
});
/** The same, which may be missing. */
export const idIfOf = <T extends string>(make: (text: string) => T): Form<T | undefined> => ({
  read: (of, name) => {
    const text = of.textIf(name);
    return text === undefined ? undefined : make(text);
  },
});
export const INSTRUMENT = idOf(instrumentName);
export const INSTRUMENT_IF = idIfOf(instrumentName);
export const ORDER_ID = idOf(orderId);
export const ORDER_ID_IF = idIfOf(orderId);

export const INSTANT: Form<ReturnType<Fields['instant']>> = {
  read: (of, name) => of.instant(name),
};

export const INSTANT_IF: Form<ReturnType<Fields['instantIf']>> = {
  read: (of, name) => of.instantIf(name),
};

export const WHOLE: Form<number> = { read: (of, name) => of.whole(name) };
export const WHOLE_IF: Form<number | undefined> = {
  read: (of, name) => of.wholeIf(name),
};

/** A text that is written as a number if it is one. */
export const NUMBER_ID: Form<string> = { write: idJson, read: (of, name) => of.text(name) };
export const NUMBER_ID_IF: Form<string | undefined> = {
  write: (id) => (id === undefined ? undefined : idJson(id)),
  read: TEXT_IF.read,
};

/** One of `known`; a word that is not is counted and read as `otherwise`. */
export const wordOf = <T extends string>(known: readonly T[], otherwise: T): Form<T> => ({
  read: (of, name) => of.word(name, known, otherwise),
});
/** One of `known`; a word that is not is counted and left out. */
export const wordIfOf = <T extends string>(known: readonly T[]): Form<T | undefined> => ({
  read: (of, name) => of.wordIf(name, known, undefined),
});

/** The kinds of instruments on the wire, where a perpetual is a future. */
export const WIRE_KINDS = ['future', 'option', 'spot', 'future_combo', 'option_combo'] as const;

/** @throws MalformedMessage: a side is never guessed. */
export function sideIn(of: Fields): Side {
  const side = of.text('direction');
  if (side === 'buy' || side === 'sell') return side;
  throw of.malformed('direction', 'buy or sell');
}
export const SIDE: Form<Side> = { read: sideIn };

const TICKS = [0, 1, 2, 3] as const;
/** Unknown and missing ones are read as 1, a trade at the price of the one before. */
export const TICK_DIRECTION: Form<(typeof TICKS)[number]> = {
  read: (of, name) => {
    const tick = of.wholeIf(name);
    return TICKS.find((one) => one === tick) ?? 1;
  },
};

/** Missing is 0. */
export const SEQUENCE: Form<number> = { read: (of, name) => of.wholeIf(name) ?? 0 };

/** The letters name the side that was liquidated. */
export const LIQUIDATED_IF = wordIfOf(['M', 'T', 'MT'] as const);
