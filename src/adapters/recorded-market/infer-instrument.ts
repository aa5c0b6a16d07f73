// Infers the terms of a recorded instrument without an instruments file: kind and currencies from exchange
// and name, the grid from the recorded numbers. Every inference is reported.
import {
  isMultiple,
  price,
  type Quantity,
  quantity,
  ratio,
  share,
  text,
} from '../../values/amounts.ts';
import { currency, instrumentName } from '../../values/ids.ts';
import { utcInstant } from '../../values/instant.ts';
import type { Instrument, SingleKind, TickStep } from '../../values/instrument.ts';
import { EXPIRY_HOUR } from '../../values/instrument-names.ts';
import { type DescribedInstrument, indexNameOf } from './described-instrument.ts';
import type { SymbolSurvey } from './survey-recordings.ts';

/** Quote currencies at the end of names without a separator, longer ones first. */
const QUOTES = ['FDUSD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'USD', 'EUR', 'GBP', 'BTC', 'ETH', 'BNB'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const PERPETUAL_VENUES =
  /^(binance-futures|bybit|okex-swap|okx-swap|bitmex|hyperliquid|dydx|dydx-v4|kraken-futures|standx)$/;

/** The properties that a name implies. */
interface Sort {
  readonly kind: SingleKind;
  readonly base: string;
  readonly quote: string;
  readonly isInverse: boolean;
  readonly expiresAt?: Instrument['expiresAt'];
  readonly option?: Instrument['option'];
}

interface Fees {
  readonly maker: string;
  readonly taker: string;
}

const NO_FEES: Fees = { maker: '0', taker: '0' };
/** Deribit's schedule without discounts, 2024; other venues are assumed to charge no fees. */
const DERIBIT_FEES: Readonly<Record<SingleKind, Fees>> = {
  perpetual: { maker: '0', taker: '0.0005' },
  future: { maker: '0', taker: '0.0005' },
  option: { maker: '0.0003', taker: '0.0003' },
  spot: NO_FEES,
};

/** Of options priced in coin, in its instrument list since 2023: prices above the first are multiples of the second. */
const DERIBIT_OPTION = { tick: '0.0001', above: '0.005', stepTick: '0.0005' } as const;

export function inferInstrument(exchange: string, seen: SymbolSurvey): DescribedInstrument {
  const sort = exchange === 'deribit' ? deribitSort(seen.symbol) : undefined;
  const { kind, base, quote, isInverse, expiresAt, option } =
    sort ?? commonSort(exchange, seen.symbol);
  const isUsdSized = isInverse && kind !== 'option';
  const recordedStep = seen.amountStep ?? assumedStep(kind, base, isUsdSized);
  const { tick, steps } = gridOf(exchange, seen, isInverse && kind === 'option');
  const fees = exchange === 'deribit' ? DERIBIT_FEES[kind] : NO_FEES;
  const contract = contractUsd(exchange, base);
  const lot = contract === undefined ? quantity(recordedStep) : scaledBy(recordedStep, contract);
  const instrument: Instrument = {
    name: instrumentName(seen.symbol),
    kind,
    base: currency(base),
    quote: currency(quote),
    settlement: currency(isInverse ? base : quote),
    marginKind: isInverse ? 'inverse' : 'linear',
    amountUnit: isUsdSized ? 'usd' : 'base',
    contractSize: contract === undefined ? lot : quantity(contract),
    amountStep: lot,
    minAmount: lot,
    tickSize: price(tick),
    tickSteps: steps,
    expiresAt,
    option,
    indexName: indexNameOf({ base, quote, isInverse }),
    makerFee: ratio(fees.maker),
    takerFee: ratio(fees.taker),
  };
  const from = seen.amountStep === undefined ? 'assumed, no sizes are recorded' : 'from the sizes';
  const notes = [
    `${seen.symbol}: read as ${kind} ${base}/${quote}${isInverse ? ', inverse' : ''} from its name on ${exchange}`,
    `${seen.symbol}: tick ${tick} ${tickSource(steps)}, lot and minimum ${text(lot)} ${from}`,
    `${seen.symbol}: fees ${fees.maker} (maker) and ${fees.taker} (taker) of the value are assumed`,
    ...(sort === undefined ? unitNotes(seen.symbol, kind, contract) : []),
  ];
  return { instrument, recordedStep: quantity(recordedStep), notes };
}

interface InferredGrid {
  readonly tick: string;
  readonly steps: readonly TickStep[];
}

/** Recorded prices show the ticks that were used, not those above and below a step that is known. */
function gridOf(exchange: string, seen: SymbolSurvey, isInCoin: boolean): InferredGrid {
  const { tick, above, stepTick } = DERIBIT_OPTION;
  const isStepped =
    exchange === 'deribit' &&
    isInCoin &&
    (seen.tick === undefined || isMultiple(price(seen.tick), price(tick)));
  return isStepped
    ? { tick, steps: [{ above: price(above), tickSize: price(stepTick) }] }
    : { tick: seen.tick ?? '0.01', steps: [] };
}

const tickSource = ([step]: readonly TickStep[]): string =>
  step === undefined
    ? 'from the prices'
    : `and ${text(step.tickSize)} above ${text(step.above)}, as on Deribit`;

/** Deribit's own lots (its instrument list, 2024); a small one for any other spot or linear book. */
function assumedStep(kind: SingleKind, base: string, isUsdSized: boolean): string {
  if (isUsdSized) return base === 'BTC' ? '10' : '1';
  if (kind === 'option') return base === 'BTC' ? '0.1' : '1';
  return '0.0001';
}

/** The USD value of a contract where sizes are contracts: Binance's coin-margined books (its rules, 2024). */
const contractUsd = (exchange: string, base: string): string | undefined =>
  exchange === 'binance-delivery' ? (base === 'BTC' ? '100' : '10') : undefined;

const scaledBy = (step: string, contract: string): Quantity =>
  share(quantity(step), ratio(contract));

function unitNotes(
  symbol: string,
  kind: SingleKind,
  contract: string | undefined,
): readonly string[] {
  if (contract !== undefined) return [`${symbol}: sizes are read as contracts of ${contract} USD`];
  return kind === 'perpetual' || kind === 'future'
    ? [`${symbol}: sizes are read as amounts; if they are contracts, use --instruments`]
    : [];
}

/** `BTC-PERPETUAL`, `BTC-27MAR26`, `BTC-27MAR26-90000-C`, `BTC_USDC`, `BTC_USDC-PERPETUAL`. */
function deribitSort(symbol: string): Sort | undefined {
  const [pair = '', second, strike, letter] = symbol.split('-');
  const [base = '', linear] = pair.split('_');
  if (second === undefined) {
    if (linear === undefined) return undefined;
    return { kind: 'spot', base, quote: linear, isInverse: false };
  }
  const isInverse = linear === undefined;
  if (second === 'PERPETUAL') {
    return { kind: 'perpetual', base, quote: linear ?? 'USD', isInverse };
  }
  const expiresAt = expiryOf(second);
  if (expiresAt === undefined) return undefined;
  if (strike === undefined) {
    return { kind: 'future', base, quote: linear ?? 'USD', isInverse, expiresAt };
  }
  // A decimal point in a strike of a linear option is written as d.
  const struck = /^\d+(?:d\d+)?$/.test(strike) ? price(strike.replace('d', '.')) : undefined;
  if (struck === undefined || (letter !== 'C' && letter !== 'P')) return undefined;
  const type = letter === 'C' ? 'call' : 'put';
  const option = { strike: struck, type } as const;
  return { kind: 'option', base, quote: linear ?? base, isInverse, expiresAt, option };
}

function expiryOf(text: string): Instrument['expiresAt'] {
  const match = /^(\d{1,2})([A-Z]{3})(\d{2})$/.exec(text);
  const month = MONTHS.indexOf(match?.[2] ?? '') + 1;
  if (match === null || month === 0) return undefined;
  return utcInstant({
    year: 2_000 + Number(match[3]),
    month,
    day: Number(match[1]),
    hour: EXPIRY_HOUR,
  });
}

function commonSort(exchange: string, symbol: string): Sort {
  const isPerpetual = PERPETUAL_VENUES.test(exchange) || /PERP|SWAP/.test(symbol);
  const { base, quote } = pairOf(symbol.replace(/[-_]?(PERPETUAL|PERP|SWAP)$/, ''));
  const isInverse = isPerpetual && quote === 'USD' && /^(binance-delivery|bitmex)$/.test(exchange);
  return { kind: isPerpetual ? 'perpetual' : 'spot', base, quote, isInverse };
}

function pairOf(symbol: string): { readonly base: string; readonly quote: string } {
  const parts = symbol.toUpperCase().split(/[-_/]/);
  const [base = symbol, quote] = parts;
  if (quote !== undefined && quote !== '') return { base, quote };
  const end = QUOTES.find((each) => base.endsWith(each) && base.length > each.length);
  return end === undefined
    ? { base, quote: 'USD' }
    : { base: base.slice(0, -end.length), quote: end };
}
