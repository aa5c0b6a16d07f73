// A ticker on Deribit's wire. Most members are absent for some kind of instrument.
//
// Decisions: a side without orders has price 0 and amount 0, as recorded (null in the schema), and its volatility is 0;
// `interest_value` of a perpetual is the premium of its mark price over the index in percent; of spot, the mark price is the index
// and the open interest 0; `interest_rate` is 0, because the forward contains it. Volatilities are percent on the wire.

import {
  inverseNotionalOn,
  isPositive,
  isZero,
  type Price,
  type Quantity,
  toNumber,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isCombo } from '../../values/instrument.ts';
import type { Greeks, PriceLevel } from '../../values/quote.ts';
import type { BookState, Ticker } from '../market-reads.ts';
import { INSTANT, INSTRUMENT, PRICE_IF, QUANTITY_IF, TEXT_IF } from './field-forms.ts';
import {
  decimalNumber,
  type JsonNumber,
  modelNumber,
  numberIf,
  numberOfText,
  orNull,
  orZero,
  percentIf,
  rateIf,
  ZERO,
} from './json-number.ts';
import { Fields } from './message-fields.ts';
import { type Form, type JsonObject, recordTable } from './record-table.ts';
import type { WireTally } from './wire-tally.ts';

/** Our words for the state of a book, and Deribit's. */
const WRITTEN_STATES: Readonly<Record<BookState, string>> = {
  open: 'open',
  settlement: 'settlement',
  locked: 'locked',
  closed: 'delivered',
};

/** The venue's words, those of before 2026 included, and ours. */
const READ_STATES: Readonly<Record<string, BookState>> = {
  open: 'open',
  started: 'open',
  settlement: 'settlement',
  locked: 'locked',
  halted: 'locked',
  created: 'closed',
  delivered: 'closed',
  inactive: 'closed',
  archivized: 'closed',
  settled: 'closed',
  closed: 'closed',
  deactivated: 'closed',
  terminated: 'closed',
};
const STATE_WORDS = Object.keys(READ_STATES);

/** What has expired is delivered, whatever it was before. */
const stateOf = ({ state, isInactive = false }: Ticker): string =>
  isInactive && state !== 'closed' ? 'inactive' : WRITTEN_STATES[state];

/** On an unknown word nothing is traded. A message without one is of an open book. */
export function bookStateIn(of: Fields): BookState {
  const word = of.wordIf('state', STATE_WORDS, 'locked') ?? 'open';
  return READ_STATES[word] ?? 'locked';
}

const INTEREST_PLACES = 10;
const VOLUME_PLACES = 8;
const PERCENT = 100;

/** The mark price over the index in percent. */
export function interestOf({ mark, index }: Ticker): number {
  return mark === undefined || index === undefined
    ? 0
    : (toNumber(mark) / toNumber(index) - 1) * PERCENT;
}

/** Spot has no mark price of its own on this wire. */
export const shownMark = ({ kind }: Instrument, { mark, index }: Ticker): Price | undefined =>
  kind === 'spot' ? (index ?? mark) : (mark ?? index);

/** The volume of 24 hours in coins; amounts in USD are converted at the mark price, those of a combo at the index. */
export function baseVolume(instrument: Instrument, ticker: Ticker): Quantity {
  const { amountUnit } = instrument;
  const { volume } = ticker.stats;
  const at = isCombo(instrument) ? ticker.index : (ticker.mark ?? ticker.index ?? ticker.last);
  if (amountUnit !== 'usd' || at === undefined) return volume;
  const grid = { places: VOLUME_PLACES, rounding: 'half_even' } as const;
  return inverseNotionalOn(at, volume, grid) as unknown as Quantity;
}

const modelOf = (places: number): Form<number | undefined> => ({
  write: (value) => (value === undefined ? undefined : modelNumber(value, places)),
  read: (of, name) => of.floatIf(name),
});
const RATE: Form<number | undefined> = { write: rateIf, read: (of, name) => of.floatIf(name) };

const NULL_PRICE: Form<Price | undefined> = { write: orNull, read: PRICE_IF.read };

const stats = recordTable<Ticker['stats'], { instrument: Instrument; ticker: Ticker }>();
const usdText = (digits: string | undefined): JsonNumber | undefined =>
  digits === undefined ? undefined : numberOfText(digits);
const STATS_ROWS = [
  stats.field('volume', 'volume', {
    write: (_, _stats, { instrument, ticker }) => decimalNumber(baseVolume(instrument, ticker)),
    read: (of, name) => of.quantityIf(name) ?? ZERO_QUANTITY,
  }),
  stats.field('volume_usd', 'volumeUsd', {
    write: usdText,
    read: (of, name) => of.digitsIf(name),
  }),
  stats.written('volume_notional', ({ volumeUsd }) => usdText(volumeUsd)),
  stats.field('high', 'high', NULL_PRICE),
  stats.field('low', 'low', NULL_PRICE),
  stats.field('price_change', 'priceChange', {
    write: (change) => (change === undefined ? null : modelNumber(change, 4)),
    read: (of, name) => of.floatIf(name),
  }),
];
const writeStats = stats.writer(STATS_ROWS);
const readStats = stats.reader(STATS_ROWS);

/** Of a ticker, and of a book summary, which has them among its own members. */
export const statsJson = (instrument: Instrument, ticker: Ticker): JsonObject =>
  writeStats(ticker.stats, { instrument, ticker });

const greeks = recordTable<Greeks>();
const GREEK_ROWS = [
  greeks.field('delta', 'delta', modelOf(5)),
  greeks.field('gamma', 'gamma', modelOf(8)),
  greeks.field('vega', 'vega', modelOf(5)),
  greeks.field('theta', 'theta', modelOf(5)),
  greeks.field('rho', 'rho', modelOf(5)),
];
const GREEKS = greeks.objectIf(GREEK_ROWS);

const { field, written, derived, writer, reader } = recordTable<Ticker, Instrument>();

/** Of options, in percent; the mark's is absent, that of an empty side zero. */
const volatility = (
  name: string,
  key: 'markIv' | 'bidIv' | 'askIv',
  missing: JsonNumber | undefined,
) =>
  field(name, key, {
    write: (value, _, { kind }) => {
      if (kind !== 'option') return undefined;
      return percentIf(value) ?? missing;
    },
    read: (of) => {
      const percent = of.floatIf(name);
      return percent === undefined || percent === 0 ? undefined : percent / PERCENT;
    },
  });

/** The best price of a side and the amount at it. */
const level = (side: 'bid' | 'ask') => {
  const priceName = `best_${side}_price`;
  const amountName = `best_${side}_amount`;
  return [
    written(priceName, (ticker) => orZero(ticker[side]?.price)),
    written(amountName, (ticker) => orZero(ticker[side]?.quantity)),
    derived(side, (of) => levelIn(of, priceName, amountName)),
  ];
};

const TICKER_ROWS = [
  field('instrument_name', 'instrument', INSTRUMENT),
  field('timestamp', 'at', INSTANT),
  field('state', 'state', { write: (_, ticker) => stateOf(ticker), read: bookStateIn }),
  field('stats', 'stats', {
    write: (_, ticker, instrument) => statsJson(instrument, ticker),
    read: (of, name) => readStats(of.inIf(name) ?? new Fields(name, {}, of.tally), undefined),
  }),
  field('open_interest', 'openInterest', { write: orZero, read: QUANTITY_IF.read }),
  ...level('bid'),
  ...level('ask'),
  field('last_price', 'last', NULL_PRICE),
  field('mark_price', 'mark', {
    write: (_, ticker, instrument) => orNull(shownMark(instrument, ticker)),
    read: PRICE_IF.read,
  }),
  field('index_price', 'index', NULL_PRICE),
  field('min_price', 'minPrice', PRICE_IF),
  field('max_price', 'maxPrice', PRICE_IF),
  field('settlement_price', 'settlementPrice', PRICE_IF),
  field('estimated_delivery_price', 'estimatedDeliveryPrice', {
    write: (estimate, { index }) => numberIf(estimate ?? index),
    read: PRICE_IF.read,
  }),
  field('delivery_price', 'deliveryPrice', PRICE_IF),
  field('underlying_price', 'underlying', {
    write: (price, _, { kind }) => (kind === 'option' ? numberIf(price) : undefined),
    read: PRICE_IF.read,
  }),
  field('underlying_index', 'underlyingName', {
    write: (name, _, { kind }) => (kind === 'option' ? name : undefined),
    read: TEXT_IF.read,
  }),
  written('interest_rate', (_, { kind }) => (kind === 'option' ? ZERO : undefined)),
  volatility('mark_iv', 'markIv', undefined),
  volatility('bid_iv', 'bidIv', ZERO),
  volatility('ask_iv', 'askIv', ZERO),
  field('greeks', 'greeks', {
    write: (found) => GREEKS.write?.(found, found, undefined),
    read: greeksIn,
  }),
  field('funding_8h', 'funding8h', RATE),
  field('current_funding', 'currentFunding', RATE),
  written('interest_value', (ticker, { kind }) =>
    kind === 'perpetual' ? modelNumber(interestOf(ticker), INTEREST_PLACES) : undefined,
  ),
];

const write = writer(TICKER_ROWS);
const read = reader(TICKER_ROWS);

export const tickerJson = (
  instrument: Instrument,
  ticker: Ticker,
): JsonObject & { readonly timestamp: Instant } =>
  Object.assign(write(ticker, instrument), { timestamp: ticker.at });

/** @throws MalformedMessage */
export const tickerIn = (value: unknown, tally: WireTally): Ticker =>
  read(new Fields('a ticker', value, tally), undefined);

function levelIn(of: Fields, priceName: string, amountName: string): PriceLevel | undefined {
  const price = of.priceIf(priceName);
  const quantity = of.quantityIf(amountName);
  if (price === undefined || quantity === undefined) return undefined;
  return isZero(price) || !isPositive(quantity) ? undefined : { price, quantity };
}

function greeksIn(of: Fields, name: string): Greeks | undefined {
  const found = GREEKS.read(of, name, undefined);
  const isEmpty = Object.values(found ?? {}).every((greek) => greek === undefined);
  return isEmpty ? undefined : found;
}
