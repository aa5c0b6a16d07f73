// An instrument as Deribit lists and publishes it. Its schema is younger than some of its answers, and its enums are
// incomplete: what is missing is derived where only one value is possible.
//
// To be measured (docs/deribit.md): without `qty_tick_size` amounts are multiples of the smallest one, which is also
// the largest step that admits it; without `price_index` the index is that of base and quote; a combo is priced and
// settled as its legs are.

import { isPositive, type Price, ratio } from '../../../values/amounts.ts';
import { type Currency, currency, instrumentName } from '../../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../../values/instant.ts';
import type {
  ComboLeg,
  Instrument,
  InstrumentKind,
  OptionType,
  TickStep,
} from '../../../values/instrument.ts';
import { NAME_LENGTH_MAX } from '../../../values/instrument-names.ts';
import { cutText } from '../../../values/text/text-length.ts';
import { type Fields, MalformedMessage } from '../wire/message-fields.ts';

const KINDS = ['future', 'option', 'spot', 'future_combo', 'option_combo'] as const;
type WireKind = (typeof KINDS)[number];
const TYPES = ['linear', 'reversed'] as const;
const NAME = /^[\w.+-]+$/;
const USD = currency('USD');

export type LegsOf = (combo: string) => readonly ComboLeg[] | undefined;

/** @throws MalformedMessage for one that cannot be traded by what it says. */
export function instrumentIn(of: Fields, legsOf: LegsOf): Instrument {
  const name = nameIn(of);
  const wireKind = of.word('kind', KINDS, undefined);
  if (wireKind === undefined) throw new MalformedMessage(`${of.what} of an unknown kind`);
  const marginKind = marginKindIn(of, wireKind);
  const base = currencyIn(of, 'base_currency');
  const quote = quoteIn(of, { wireKind, marginKind, base });
  const contractSize = positive(of.quantity('contract_size'));
  const minAmount = positive(of.quantity('min_trade_amount'));
  const isUsd = marginKind === 'inverse' && (wireKind === 'future' || wireKind === 'future_combo');
  const legs = isComboKind(wireKind) ? legsOf(name) : undefined;
  if (isComboKind(wireKind) && legs === undefined) {
    throw new MalformedMessage('the legs of a combo are not known');
  }
  const settlement = of.textIf('settlement_currency');
  return {
    name: instrumentName(name),
    kind: kindIn(of, wireKind),
    base,
    quote,
    settlement: settlementOf(settlement, { wireKind, marginKind, base, quote }),
    marginKind,
    amountUnit: isUsd ? 'usd' : 'base',
    contractSize,
    amountStep: positive(of.quantityIf('qty_tick_size') ?? minAmount),
    minAmount,
    tickSize: positive(of.price('tick_size')),
    tickSteps: tickStepsIn(of),
    expiresAt: expiryIn(of),
    option: optionIn(of, wireKind),
    indexName: of.textIf('price_index') ?? indexOf(base, marginKind === 'inverse' ? USD : quote),
    makerFee: ratio(of.digitsIf('maker_commission') ?? '0'),
    takerFee: ratio(of.digitsIf('taker_commission') ?? '0'),
    ...(legs && { legs }),
    ...((of.flag('is_cbe_routed') || of.flag('is_csr')) && { isRouted: true }),
  };
}

const indexOf = (base: Currency, priced: Currency): string => `${base}_${priced}`.toLowerCase();

const isComboKind = (kind: WireKind): boolean => kind === 'future_combo' || kind === 'option_combo';

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

/** On the wire a perpetual is a future whose settlement period says so. */
const kindIn = (of: Fields, kind: WireKind): InstrumentKind =>
  kind === 'future' && of.textIf('settlement_period') === 'perpetual' ? 'perpetual' : kind;

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

interface Terms {
  readonly wireKind: WireKind;
  readonly marginKind: Instrument['marginKind'];
  readonly base: Currency;
}

/** Inverse options are priced in the coin, whatever older answers say. */
function quoteIn(of: Fields, { wireKind, marginKind, base }: Terms): Currency {
  const isOption = wireKind === 'option' || wireKind === 'option_combo';
  return isOption && marginKind === 'inverse' ? base : currencyIn(of, 'quote_currency');
}

function settlementOf(
  said: string | undefined,
  { wireKind, marginKind, base, quote }: Terms & { readonly quote: Currency },
): Currency {
  if (wireKind === 'spot') return quote;
  return said === undefined ? (marginKind === 'inverse' ? base : quote) : currency(said);
}

function positive<T extends Price | Instrument['minAmount']>(amount: T): T {
  if (isPositive(amount)) return amount;
  throw new MalformedMessage('a step of prices or amounts is not above zero');
}

/** A list of steps; the schema has a single one. */
function tickStepsIn(of: Fields): readonly TickStep[] {
  if (!of.has('tick_size_steps')) return [];
  const isList = Array.isArray(of.raw('tick_size_steps'));
  const steps = isList ? of.each('tick_size_steps') : [of.in('tick_size_steps')];
  return steps
    .map((step) => ({
      above: step.price('above_price'),
      tickSize: positive(step.price('tick_size')),
    }))
    .sort((one, other) => one.above.comparedTo(other.above));
}

/** That of a perpetual is in the year 3000. */
function expiryIn(of: Fields): Instrument['expiresAt'] {
  const at = of.wholeIf('expiration_timestamp');
  const isPerpetual = of.textIf('settlement_period') === 'perpetual';
  if (at === undefined || isPerpetual || at > INSTANT_MAX || at <= 0) return undefined;
  return instant(at);
}

function optionIn(of: Fields, kind: WireKind): Instrument['option'] {
  if (kind !== 'option') return undefined;
  const type = of.word<OptionType, undefined>('option_type', ['call', 'put'], undefined);
  if (type === undefined) throw new MalformedMessage(`${of.what}: an option has no option_type`);
  return { strike: of.price('strike'), type };
}
