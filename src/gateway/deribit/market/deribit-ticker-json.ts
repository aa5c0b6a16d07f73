// Tickers, books and book summaries as Deribit writes them. Decisions: a side without orders has price 0 and amount 0
// in tickers, as recorded; `interest_value` of a perpetual is the premium of its mark price over the index in percent;
// of spot, the mark price is the index and the open interest 0; `interest_rate` is 0, because the forward contains it.
import type { BookState, BookView, Ticker } from '../../../ports/market-reads.ts';
import {
  inverseNotionalOn,
  midpoint,
  type Price,
  type Quantity,
  toNumber,
} from '../../../values/amounts.ts';
import { type Instrument, isCombo } from '../../../values/instrument.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import {
  decimalNumber,
  type JsonNumber,
  modelNumber,
  numberOfText,
} from '../method/json-number.ts';

/** Our words for the state of a book, and Deribit's. */
const STATES: Readonly<Record<BookState, string>> = {
  open: 'open',
  settlement: 'settlement',
  locked: 'locked',
  closed: 'delivered',
};

/** What has expired is delivered, whatever it was before. */
const stateOf = ({ state, isInactive = false }: Ticker): string =>
  isInactive && state !== 'closed' ? 'inactive' : STATES[state];

export const ZERO = numberOfText('0.0');
const RATE_PLACES = 8;
const INTEREST_PLACES = 10;

export const orZero = (price: Price | undefined): JsonNumber =>
  price === undefined ? ZERO : decimalNumber(price);
export const orNull = (price: Price | undefined): JsonNumber | null =>
  price === undefined ? null : decimalNumber(price);
const orAbsent = (price: Price | undefined): JsonNumber | undefined =>
  price && decimalNumber(price);

const percent = (value: number | undefined): JsonNumber | undefined =>
  value === undefined ? undefined : modelNumber(value * 100, 2);
const greekNumber = (value: number | undefined, places: number): JsonNumber | undefined =>
  value === undefined ? undefined : modelNumber(value, places);
const rate = (value: number | undefined): JsonNumber | undefined =>
  value === undefined ? undefined : modelNumber(value, RATE_PLACES);

/** The mark price over the index in percent. */
export function interestOf({ mark, index }: Ticker): number {
  return mark === undefined || index === undefined
    ? 0
    : (toNumber(mark) / toNumber(index) - 1) * 100;
}

/** Spot has no mark price of its own on this wire. */
const markOf = ({ kind }: Instrument, { mark, index }: Ticker): Price | undefined =>
  kind === 'spot' ? (index ?? mark) : (mark ?? index);

const VOLUME_PLACES = 8;

/** The volume of 24 hours in coins; amounts in USD are converted at the mark price, those of a combo at the index. */
export function baseVolume(instrument: Instrument, ticker: Ticker): Quantity {
  const { amountUnit } = instrument;
  const { volume } = ticker.stats;
  const at = isCombo(instrument) ? ticker.index : (ticker.mark ?? ticker.index ?? ticker.last);
  if (amountUnit !== 'usd' || at === undefined) return volume;
  const grid = { places: VOLUME_PLACES, rounding: 'half_even' } as const;
  return inverseNotionalOn(at, volume, grid) as unknown as Quantity;
}

const statsJson = (instrument: Instrument, ticker: Ticker) => {
  const { volumeUsd, high, low, priceChange } = ticker.stats;
  const usd = volumeUsd === undefined ? undefined : numberOfText(volumeUsd);
  return {
    volume: decimalNumber(baseVolume(instrument, ticker)),
    volume_usd: usd,
    volume_notional: usd,
    high: orNull(high),
    low: orNull(low),
    price_change: priceChange === undefined ? null : modelNumber(priceChange, 4),
  };
};

export function tickerJson(instrument: Instrument, ticker: Ticker) {
  const { bid, ask, greeks } = ticker;
  const isPerpetual = instrument.kind === 'perpetual';
  const isOption = instrument.kind === 'option';
  return {
    instrument_name: ticker.instrument,
    timestamp: ticker.at,
    state: stateOf(ticker),
    stats: statsJson(instrument, ticker),
    open_interest: ticker.openInterest === undefined ? ZERO : decimalNumber(ticker.openInterest),
    best_bid_price: orZero(bid?.price),
    best_bid_amount: bid === undefined ? ZERO : decimalNumber(bid.quantity),
    best_ask_price: orZero(ask?.price),
    best_ask_amount: ask === undefined ? ZERO : decimalNumber(ask.quantity),
    last_price: orNull(ticker.last),
    mark_price: orNull(markOf(instrument, ticker)),
    index_price: orNull(ticker.index),
    min_price: orAbsent(ticker.minPrice),
    max_price: orAbsent(ticker.maxPrice),
    settlement_price: orAbsent(ticker.settlementPrice),
    estimated_delivery_price: orAbsent(ticker.estimatedDeliveryPrice ?? ticker.index),
    delivery_price: orAbsent(ticker.deliveryPrice),
    ...(isOption && {
      underlying_price: orAbsent(ticker.underlying),
      underlying_index: ticker.underlyingName,
      interest_rate: ZERO,
      mark_iv: percent(ticker.markIv),
      bid_iv: percent(ticker.bidIv) ?? ZERO,
      ask_iv: percent(ticker.askIv) ?? ZERO,
    }),
    greeks: greeks && {
      delta: greekNumber(greeks.delta, 5),
      gamma: greekNumber(greeks.gamma, 8),
      vega: greekNumber(greeks.vega, 5),
      theta: greekNumber(greeks.theta, 5),
      rho: greekNumber(greeks.rho, 5),
    },
    funding_8h: rate(ticker.funding8h),
    current_funding: rate(ticker.currentFunding),
    ...(isPerpetual && { interest_value: modelNumber(interestOf(ticker), INTEREST_PLACES) }),
  };
}

const levelJson = ({ price, quantity }: PriceLevel) => [
  decimalNumber(price),
  decimalNumber(quantity),
];

/** The book fields that a ticker does not include. */
export const bookJson = ({ changeId, bids, asks }: BookView) => ({
  change_id: changeId,
  bids: bids.map(levelJson),
  asks: asks.map(levelJson),
});

/** One row of a book summary. */
export function summaryJson(instrument: Instrument, ticker: Ticker) {
  const { bid, ask } = ticker;
  const stats = statsJson(instrument, ticker);
  const isOption = instrument.kind === 'option';
  const middle = bid && ask && midpoint(bid.price, ask.price);
  return {
    instrument_name: instrument.name,
    base_currency: instrument.base,
    quote_currency: instrument.quote,
    creation_timestamp: ticker.at,
    ...stats,
    bid_price: orNull(bid?.price),
    ask_price: orNull(ask?.price),
    mid_price: orNull(middle),
    mark_price: orNull(markOf(instrument, ticker)),
    last: orNull(ticker.last),
    open_interest: ticker.openInterest === undefined ? ZERO : decimalNumber(ticker.openInterest),
    estimated_delivery_price: orAbsent(ticker.estimatedDeliveryPrice ?? ticker.index),
    current_funding: rate(ticker.currentFunding),
    funding_8h: rate(ticker.funding8h),
    ...(isOption && {
      mark_iv: percent(ticker.markIv),
      interest_rate: ZERO,
      underlying_index: ticker.underlyingName,
      underlying_price: orAbsent(ticker.underlying),
    }),
  };
}
