// A position on Deribit's wire.
//
// Decisions: `size` is negative for shorts, and a short that is sent with either sign is one, because its direction is safe; a
// price that is not known is 0, because clients require the field; `leverage` is the value of the position over its margin;
// `estimated_liquidation_price` is always null, which the documents allow: it is not estimated; `size_currency` is in coins for
// linear futures too. Members that a margin model leaves out are read as zero.
import type { OpenPosition } from '../../values/account-report.ts';
import {
  absolute,
  compare,
  fraction,
  isZero,
  type Money,
  money,
  negated,
  type Price,
  plus,
  price,
  type Quantity,
  type Ratio,
  ratio,
  scaled,
  text,
  toNumber,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type AccountId, instrumentName } from '../../values/ids.ts';
import { type Instrument, kindName, type TermsOf } from '../../values/instrument.ts';
import { INSTRUMENT, MODEL_OR_ZERO, MONEY_OR_ZERO, PRICE_IF, WIRE_KINDS } from './field-forms.ts';
import {
  averageNumber,
  decimalNumber,
  type JsonNumber,
  modelRatio,
  orZero,
  ZERO,
} from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { type Form, type JsonObject, recordTable } from './record-table.ts';

const DIRECTIONS = ['buy', 'sell', 'zero'] as const;
const ZERO_PRICE = price('0');
const ZERO_RATIO = ratio('0');

/** Absent for one that has left the list. */
type Terms = Instrument | undefined;

interface Reading {
  readonly account: AccountId;
  readonly terms: Terms;
}

const { field, written, derived, writer, reader } = recordTable<OpenPosition, Terms, Reading>();

const PRICE_OR_ZERO: Form<Price | undefined> = { write: orZero, read: PRICE_IF.read };

const GREEK: Form<Ratio | undefined, OpenPosition> = {
  write: (greek, { kind }) => (kind === 'option' ? modelRatio(greek ?? ZERO_RATIO) : undefined),
  read: (of, name) => (of.has(name) ? MODEL_OR_ZERO.read(of, name, undefined) : undefined),
};

const COMMON_ROWS = [
  derived('account', (_, { account }) => account),
  field('instrument_name', 'instrument', INSTRUMENT),
  field('kind', 'kind', {
    write: kindName,
    // On the wire a perpetual is a future.
    read: (of, name, { terms }) => {
      const kind = of.word(name, WIRE_KINDS, 'future');
      return terms?.kind ?? kind;
    },
  }),
  written('direction', directionOf),
  field('size', 'quantity', { write: decimalNumber, read: sizeIn }),
  field('average_price', 'averagePrice', {
    write: averageNumber,
    read: (of, name) => of.priceIf(name) ?? ZERO_PRICE,
  }),
  field('mark_price', 'markPrice', PRICE_OR_ZERO),
  field('index_price', 'indexPrice', PRICE_OR_ZERO),
  field('settlement_price', 'settlementPrice', PRICE_OR_ZERO),
  field('floating_profit_loss', 'floatingProfitLoss', MONEY_OR_ZERO),
  field('realized_profit_loss', 'realizedProfitLoss', MONEY_OR_ZERO),
  written('total_profit_loss', ({ floatingProfitLoss, realizedProfitLoss }) =>
    decimalNumber(plus(floatingProfitLoss, realizedProfitLoss)),
  ),
  field('delta', 'delta', MODEL_OR_ZERO),
  field('initial_margin', 'initialMargin', MONEY_OR_ZERO),
  field('maintenance_margin', 'maintenanceMargin', MONEY_OR_ZERO),
  field('open_orders_margin', 'openOrdersMargin', MONEY_OR_ZERO),
  written('estimated_liquidation_price', () => null),
];

const POSITION_ROWS = [
  ...COMMON_ROWS,
  field('gamma', 'gamma', GREEK),
  field('vega', 'vega', GREEK),
  field('theta', 'theta', GREEK),
  written('average_price_usd', (position, terms) =>
    isInverseOption(position, terms) ? inUsd(position, position.averagePrice) : undefined,
  ),
  written('floating_profit_loss_usd', (position, terms) =>
    isInverseOption(position, terms)
      ? inUsd(position, price(text(position.floatingProfitLoss)))
      : undefined,
  ),
  written('size_currency', ({ kind, delta }) =>
    kind === 'option' ? undefined : modelRatio(delta),
  ),
  written('leverage', leverageOf),
  field('realized_funding', 'realizedFunding', {
    write: (funding, { kind }) =>
      kind === 'perpetual' ? decimalNumber(funding ?? ZERO_MONEY) : undefined,
    read: (of, name) => moneyIf(of, name),
  }),
  written('interest_value', ({ kind }) => (kind === 'perpetual' ? ZERO : undefined)),
];

export const positionJson = writer(POSITION_ROWS);
const writeCommon = writer(COMMON_ROWS);
const read = reader(POSITION_ROWS);

/** What `get_position` answers for an instrument without a position. */
export const noPosition = (
  account: AccountId,
  instrument: Instrument,
  prices: Pick<OpenPosition, 'markPrice' | 'indexPrice' | 'settlementPrice'>,
): JsonObject =>
  writeCommon(
    {
      ...prices,
      account,
      instrument: instrument.name,
      kind: instrument.kind,
      quantity: ZERO_QUANTITY,
      averagePrice: ZERO_PRICE,
      floatingProfitLoss: ZERO_MONEY,
      realizedProfitLoss: ZERO_MONEY,
      delta: ZERO_RATIO,
      initialMargin: ZERO_MONEY,
      maintenanceMargin: ZERO_MONEY,
      openOrdersMargin: ZERO_MONEY,
    },
    instrument,
  );

/** @throws MalformedMessage */
export const positionIn = (of: Fields, account: AccountId, termsOf: TermsOf): OpenPosition =>
  read(of, { account, terms: termsOf(instrumentName(of.text('instrument_name'))) });

function directionOf({ quantity }: OpenPosition): 'buy' | 'sell' | 'zero' {
  const sign = compare(quantity, ZERO_QUANTITY);
  if (sign === 0) return 'zero';
  return sign > 0 ? 'buy' : 'sell';
}

function sizeIn(of: Fields, name: string): Quantity {
  const size = of.quantityIf(name) ?? ZERO_QUANTITY;
  const direction = of.wordIf('direction', DIRECTIONS, undefined);
  if (direction === undefined || isZero(size)) return size;
  if (direction === 'zero') return ZERO_QUANTITY;
  return direction === 'sell' ? negated(absolute(size)) : absolute(size);
}

const isInverseOption = ({ kind }: OpenPosition, terms: Terms): boolean =>
  kind === 'option' && terms?.marginKind === 'inverse';

const inUsd = ({ indexPrice = ZERO_PRICE }: OpenPosition, value: Price): JsonNumber =>
  averageNumber(scaled(value, ratio(text(indexPrice))));

/** Absent without a margin to compare with. */
function leverageOf(
  { kind, delta, initialMargin, markPrice }: OpenPosition,
  terms: Terms,
): number | undefined {
  if (kind === 'option' || isZero(initialMargin) || markPrice === undefined) return undefined;
  const coins = Math.abs(fraction(delta, ratio(text(initialMargin))));
  return Math.round(terms?.marginKind === 'linear' ? coins * toNumber(markPrice) : coins);
}

function moneyIf(of: Fields, name: string): Money | undefined {
  const digits = of.digitsIf(name);
  return digits === undefined ? undefined : money(digits);
}
