// An instrument on Deribit's wire.
//
// Decisions. Written: `instrument_id`, `index_id` and the identifiers of currencies are computed from the names; `lot_size`, of
// which no source says what it counts, is absent; `creation_timestamp` is when the options of its expiry are listed, and a
// fixed day for what never expires; `block_trade_commission` is the taker's commission. Read: the schema is younger than some of
// the venue's answers, and its enums are incomplete, so what is missing is derived where only one value is possible.
//
// To be measured (docs/deribit.md): without `qty_tick_size` amounts are multiples of the smallest one, which is also
// the largest step that admits it; without `price_index` the index is that of base and quote; a combo is priced and
// settled as its legs are.

import { isPositive, type Price, ratio } from '../../values/amounts.ts';
import { listedSince, tenorOf } from '../../values/expiry/expiry-calendar.ts';
import { type Currency, currency, instrumentName } from '../../values/ids.ts';
import { INSTANT_MAX, type Instant, instant } from '../../values/instant.ts';
import {
  type ComboLeg,
  type Instrument,
  type InstrumentKind,
  kindName,
  type OptionType,
  type TickStep,
} from '../../values/instrument.ts';
import { NAME_LENGTH_MAX } from '../../values/instrument-names.ts';
import { hash32 } from '../../values/rng.ts';
import { cutText } from '../../values/text/text-length.ts';
import type { MarketReads } from '../market-reads.ts';
import { WIRE_KINDS } from './field-forms.ts';
import { decimalNumber, numberOfText } from './json-number.ts';
import { type Fields, MalformedMessage } from './message-fields.ts';
import { type Form, type JsonObject, recordTable, sparse } from './record-table.ts';

type WireKind = (typeof WIRE_KINDS)[number];

/** What Deribit writes as the expiry of an instrument without one: the end of the year 3000. */
const NEVER = 32_503_708_800_000;
/** When the venue opened its first perpetual: 14 August 2018. */
const PERPETUALS_SINCE = Date.UTC(2018, 7, 14);
const MARGIN_NAMES = { inverse: 'reversed', linear: 'linear' } as const;
const TYPES = ['linear', 'reversed'] as const;
const OPTION_TYPES: readonly OptionType[] = ['call', 'put'];
const PRODUCT_GROUPS: ReadonlySet<string> = new Set(['BTC', 'ETH']);
const NAME = /^[\w.+-]+$/;
const USD = currency('USD');

type SettlementPeriod = 'perpetual' | 'day' | 'week' | 'month';

/** Absent for spot. The last Friday of a month ends a month, any other Friday a week. */
function settlementPeriod({ kind, expiresAt }: Instrument): SettlementPeriod | undefined {
  if (expiresAt === undefined) return kind === 'perpetual' ? 'perpetual' : undefined;
  const tenor = tenorOf(expiresAt);
  return tenor === 'quarter' ? 'month' : tenor;
}

const createdAt = ({ expiresAt }: Instrument): number =>
  expiresAt === undefined ? PERPETUALS_SINCE : listedSince(expiresAt);

const LOW_BITS = 1_024;

/** A whole number below 2^42 that is the same for the same name, in every process. */
export const numberOfName = (name: string): number =>
  hash32(name) * LOW_BITS + (hash32(`${name}/low`) % LOW_BITS);

const UUID_SEEDS = [1, 2, 3, 4];
const UUID_FORM = /(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

/** An identifier in the form of a random one that is the same for the same currency, in every process. */
export function currencyUuid(of: Currency): string {
  const digits = UUID_SEEDS.map((seed) => hash32(of, seed).toString(16).padStart(8, '0'));
  return digits.join('').replace(UUID_FORM, '$1-$2-4$3-8$4-$5');
}

export const isTrading = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt === undefined || expiresAt > now;

/** The state of a book that is in trading: `inactive` is a combo that takes no orders at the moment. */
export type ListedState = 'open' | 'settlement' | 'inactive';

/** Whether the books of the market are in the pause of a settlement. */
export const isPaused = (
  { pausedUntil }: Pick<MarketReads, 'pausedUntil'>,
  now: Instant,
): boolean => (pausedUntil?.() ?? 0) > now;

interface Writing {
  readonly state: ListedState | 'delivered';
}

/** What the meaning of the other members depends on. */
interface Reading {
  readonly kind: WireKind;
  readonly marginKind: Instrument['marginKind'];
  readonly base: Currency;
  readonly quote: Currency;
  readonly legs: readonly ComboLeg[] | undefined;
}

const { field, written, derived, writer, reader } = recordTable<Instrument, Writing, Reading>();

const isOfKind =
  (kind: WireKind) =>
  (instrument: Instrument): boolean =>
    kindName(instrument.kind) === kind;
const isFuture = isOfKind('future');

const STEP: Form<Price> = { write: decimalNumber, read: (of, name) => positive(of.price(name)) };
const FEE: Form<Instrument['makerFee']> = {
  write: decimalNumber,
  read: (of, name) => ratio(of.digitsIf(name) ?? '0'),
};

const step = recordTable<TickStep>();
const STEP_ROWS = [
  step.field('above_price', 'above', {
    write: decimalNumber,
    read: (of, name) => of.price(name),
  }),
  step.field('tick_size', 'tickSize', STEP),
];
const writeStep = step.writer(STEP_ROWS);
const readStep = step.reader(STEP_ROWS);

const INSTRUMENT_ROWS = [
  field('kind', 'kind', {
    write: kindName,
    // On the wire a perpetual is a future whose settlement period says so.
    read: (of, _, { kind }) => (kind === 'future' && isPerpetual(of) ? 'perpetual' : kind),
  }),
  field('instrument_name', 'name', { read: (of) => instrumentName(nameIn(of)) }),
  written('instrument_id', ({ name }) => numberOfName(name)),
  field('settlement_currency', 'settlement', {
    write: (settlement, { kind }) => (kind === 'spot' ? undefined : settlement),
    read: settlementIn,
  }),
  field('base_currency', 'base', { read: (_, _name, { base }) => base }),
  written('base_currency_uuid', ({ base }) => currencyUuid(base)),
  field('quote_currency', 'quote', { read: (_, _name, { quote }) => quote }),
  written('quote_currency_uuid', ({ quote }) => currencyUuid(quote)),
  written('counter_currency', ({ marginKind, quote }) => (marginKind === 'inverse' ? USD : quote)),
  field('min_trade_amount', 'minAmount', {
    write: decimalNumber,
    read: (of, name) => positive(of.quantity(name)),
  }),
  field('qty_tick_size', 'amountStep', {
    write: decimalNumber,
    read: (of, name) => positive(of.quantityIf(name) ?? of.quantity('min_trade_amount')),
  }),
  field('contract_size', 'contractSize', {
    write: decimalNumber,
    read: (of, name) => positive(of.quantity(name)),
  }),
  field('tick_size', 'tickSize', STEP),
  field('tick_size_steps', 'tickSteps', {
    write: (steps) => steps.map((one) => writeStep(one, undefined)),
    read: tickStepsIn,
  }),
  written('is_active', (_, { state }) => state === 'open' || state === 'settlement'),
  written('state', (_, { state }) => state),
  written('settlement_period', settlementPeriod),
  written('creation_timestamp', createdAt),
  field('expiration_timestamp', 'expiresAt', {
    write: (expiresAt) => expiresAt ?? NEVER,
    read: expiryIn,
  }),
  field('option_type', 'option', { write: (option) => option?.type, read: optionIn }),
  written('strike', ({ option }) => option && decimalNumber(option.strike)),
  written('future_type', (instrument) =>
    isFuture(instrument) ? MARGIN_NAMES[instrument.marginKind] : undefined,
  ),
  written('max_leverage', (instrument) => (isFuture(instrument) ? 50 : undefined)),
  written('max_liquidation_commission', (instrument) =>
    isFuture(instrument) ? numberOfText('0.0075') : undefined,
  ),
  field('instrument_type', 'marginKind', {
    write: (marginKind) => MARGIN_NAMES[marginKind],
    read: (_, _name, { marginKind }) => marginKind,
  }),
  derived('amountUnit', (_, { kind, marginKind }) =>
    marginKind === 'inverse' && (kind === 'future' || kind === 'future_combo') ? 'usd' : 'base',
  ),
  field('maker_commission', 'makerFee', FEE),
  field('taker_commission', 'takerFee', FEE),
  written('block_trade_commission', ({ isRouted, takerFee }) =>
    isRouted === true ? undefined : decimalNumber(takerFee),
  ),
  sparse(
    field('is_cbe_routed', 'isRouted', {
      read: (of, name) => of.flag(name) || of.flag('is_csr') || undefined,
    }),
  ),
  written('is_csr', ({ isRouted }) => isRouted),
  field('price_index', 'indexName', {
    read: (of, name, { base, quote, marginKind }) =>
      of.textIf(name) ?? `${base}_${marginKind === 'inverse' ? USD : quote}`.toLowerCase(),
  }),
  written('index_id', ({ indexName }) => hash32(indexName)),
  written('underlying_type', () => 'crypto'),
  written('product_group', ({ base }) => (PRODUCT_GROUPS.has(base) ? base : 'TIER_2')),
  sparse(derived('legs', (_, { legs }) => legs)),
];

const write = writer(INSTRUMENT_ROWS);
const read = reader(INSTRUMENT_ROWS);

export const instrumentJson = (
  instrument: Instrument,
  now: Instant,
  listed: ListedState = 'open',
): JsonObject => write(instrument, { state: isTrading(instrument, now) ? listed : 'delivered' });

/** By expiry, then by kind, as Deribit lists them. */
export const byExpiryAndKind = (a: Instrument, b: Instrument): number =>
  (a.expiresAt ?? NEVER) - (b.expiresAt ?? NEVER) ||
  (a.kind < b.kind ? -1 : Number(a.kind > b.kind));

type LegsOf = (combo: string) => readonly ComboLeg[] | undefined;

/** @throws MalformedMessage for one that cannot be traded by what it says. */
export function instrumentIn(of: Fields, legsOf: LegsOf): Instrument {
  const name = nameIn(of);
  const kind = of.word('kind', WIRE_KINDS, undefined);
  if (kind === undefined) throw new MalformedMessage(`${of.what} of an unknown kind`);
  const marginKind = marginKindIn(of, kind);
  const base = currencyIn(of, 'base_currency');
  const isCombo = kind === 'future_combo' || kind === 'option_combo';
  const legs = isCombo ? legsOf(name) : undefined;
  if (isCombo && legs === undefined) {
    throw new MalformedMessage('the legs of a combo are not known');
  }
  return read(of, { kind, marginKind, base, quote: quoteIn(of, kind, marginKind, base), legs });
}

function nameIn(of: Fields): string {
  const name = of.text('instrument_name');
  if (NAME.test(name) && name.length <= NAME_LENGTH_MAX) return name;
  const shown = JSON.stringify(cutText(name, NAME_LENGTH_MAX));
  throw new MalformedMessage(
    `${of.what}: instrument_name is ${shown}; accepted: up to ${NAME_LENGTH_MAX} letters, digits and . + - _`,
  );
}

function currencyIn(of: Fields, name: string): Currency {
  const code = of.text(name);
  if (/^[A-Za-z0-9]{2,16}$/.test(code)) return currency(code);
  throw new MalformedMessage(`${of.what}: ${name} is no currency`);
}

const isPerpetual = (of: Fields): boolean => of.textIf('settlement_period') === 'perpetual';

/** Before there were linear ones nothing was said, and the price currency was USD or the coin. */
function marginKindIn(of: Fields, kind: WireKind): Instrument['marginKind'] {
  if (kind === 'spot') return 'linear';
  const word =
    of.wordIf('instrument_type', TYPES, undefined) ?? of.wordIf('future_type', TYPES, undefined);
  if (word !== undefined) return word === 'reversed' ? 'inverse' : 'linear';
  const base = of.text('base_currency');
  const settled = of.textIf('settlement_currency') ?? of.text('quote_currency');
  return settled === base || settled === USD ? 'inverse' : 'linear';
}

/** Inverse options are priced in the coin, whatever older answers say. */
function quoteIn(
  of: Fields,
  kind: InstrumentKind,
  marginKind: Instrument['marginKind'],
  base: Currency,
): Currency {
  const isOption = kind === 'option' || kind === 'option_combo';
  return isOption && marginKind === 'inverse' ? base : currencyIn(of, 'quote_currency');
}

function settlementIn(of: Fields, name: string, reading: Reading): Currency {
  const { kind, marginKind, base, quote } = reading;
  if (kind === 'spot') return quote;
  const said = of.textIf(name);
  return said === undefined ? (marginKind === 'inverse' ? base : quote) : currency(said);
}

function positive<T extends Price | Instrument['minAmount']>(amount: T): T {
  if (isPositive(amount)) return amount;
  throw new MalformedMessage('a step of prices or amounts is not above zero');
}

/** A list of steps; the schema has a single one. */
function tickStepsIn(of: Fields, name: string): readonly TickStep[] {
  if (!of.has(name)) return [];
  const steps = Array.isArray(of.raw(name)) ? of.each(name) : [of.in(name)];
  return steps
    .map((one) => readStep(one, undefined))
    .sort((one, other) => one.above.comparedTo(other.above));
}

/** That of a perpetual is in the year 3000. */
function expiryIn(of: Fields, name: string): Instrument['expiresAt'] {
  const at = of.wholeIf(name);
  if (at === undefined || isPerpetual(of) || at > INSTANT_MAX || at <= 0) return undefined;
  return instant(at);
}

function optionIn(of: Fields, name: string, { kind }: Reading): Instrument['option'] {
  if (kind !== 'option') return undefined;
  const type = of.word<OptionType, undefined>(name, OPTION_TYPES, undefined);
  if (type === undefined) throw new MalformedMessage(`${of.what}: an option has no ${name}`);
  return { strike: of.price('strike'), type };
}
