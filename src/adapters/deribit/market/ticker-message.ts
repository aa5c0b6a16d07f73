// A ticker as Deribit publishes and answers it. Most members are absent for some kind of instrument; an empty side has
// the price 0 in recordings and null in the schema, and its volatility is 0. Volatilities are percent on the wire.
import type { BookState, Ticker } from '../../../ports/market-reads.ts';
import { isPositive, isZero, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { instrumentName } from '../../../values/ids.ts';
import type { Greeks, PriceLevel } from '../../../values/quote.ts';
import { Fields } from '../wire/message-fields.ts';
import type { WireTally } from '../wire/wire-tally.ts';

/** The venue's words, those of before 2026 included, and ours. */
const STATES: Readonly<Record<string, BookState>> = {
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
const STATE_WORDS = Object.keys(STATES);

/** On an unknown word nothing is traded. A message without one is of an open book. */
export function bookStateIn(of: Fields): BookState {
  const word = of.wordIf('state', STATE_WORDS, 'locked') ?? 'open';
  return STATES[word] ?? 'locked';
}

/** @throws MalformedMessage */
export function tickerIn(value: unknown, tally: WireTally): Ticker {
  const of = new Fields('a ticker', value, tally);
  return {
    instrument: instrumentName(of.text('instrument_name')),
    at: of.instant('timestamp'),
    state: bookStateIn(of),
    bid: levelIn(of, 'best_bid_price', 'best_bid_amount'),
    ask: levelIn(of, 'best_ask_price', 'best_ask_amount'),
    last: of.priceIf('last_price'),
    mark: of.priceIf('mark_price'),
    index: of.priceIf('index_price'),
    minPrice: of.priceIf('min_price'),
    maxPrice: of.priceIf('max_price'),
    openInterest: of.quantityIf('open_interest'),
    settlementPrice: of.priceIf('settlement_price'),
    estimatedDeliveryPrice: of.priceIf('estimated_delivery_price'),
    deliveryPrice: of.priceIf('delivery_price'),
    stats: statsIn(of.inIf('stats')),
    markIv: fractionIn(of, 'mark_iv'),
    bidIv: fractionIn(of, 'bid_iv'),
    askIv: fractionIn(of, 'ask_iv'),
    underlying: of.priceIf('underlying_price'),
    underlyingName: of.textIf('underlying_index'),
    greeks: greeksIn(of.inIf('greeks')),
    funding8h: of.floatIf('funding_8h'),
    currentFunding: of.floatIf('current_funding'),
  };
}

function levelIn(of: Fields, priceName: string, amountName: string): PriceLevel | undefined {
  const price = of.priceIf(priceName);
  const quantity = of.quantityIf(amountName);
  if (price === undefined || quantity === undefined) return undefined;
  return isZero(price) || !isPositive(quantity) ? undefined : { price, quantity };
}

function statsIn(stats: Fields | undefined): Ticker['stats'] {
  return {
    volume: stats?.quantityIf('volume') ?? ZERO_QUANTITY,
    volumeUsd: stats?.digitsIf('volume_usd'),
    high: stats?.priceIf('high'),
    low: stats?.priceIf('low'),
    priceChange: stats?.floatIf('price_change'),
  };
}

const PERCENT = 100;

function fractionIn(of: Fields, name: string): number | undefined {
  const percent = of.floatIf(name);
  return percent === undefined || percent === 0 ? undefined : percent / PERCENT;
}

function greeksIn(of: Fields | undefined): Greeks | undefined {
  const [delta, gamma, vega, theta, rho] = ['delta', 'gamma', 'vega', 'theta', 'rho'].map((name) =>
    of?.floatIf(name),
  );
  const greeks = { delta, gamma, vega, theta, rho };
  return Object.values(greeks).every((greek) => greek === undefined) ? undefined : greeks;
}
