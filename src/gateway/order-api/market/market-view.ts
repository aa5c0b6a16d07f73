// Tickers and books as clients see them. A side without orders has a null price and no amount.

import { z } from 'zod';
import type { BookView, Ticker } from '../../../ports/market-reads.ts';
import { text as decimalText, type Price } from '../../../values/amounts.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import { floatText, percentText } from '../../../values/text/model-text.ts';
import { decimal, instant, text, whole } from '../result-fields.ts';

const stats = z.object({
  volume: decimal('Traded in 24 hours, in the unit of quantities'),
  volumeUsd: decimal('The same in USD').optional(),
  high: decimal('Highest price').nullable(),
  low: decimal('Lowest price').nullable(),
  priceChange: decimal('Change in percent').nullable(),
});

const greeks = z.object({
  delta: decimal('Change of price per change of the underlying').optional(),
  gamma: decimal('Change of delta per USD').optional(),
  vega: decimal('USD per volatility point').optional(),
  theta: decimal('USD per day').optional(),
  rho: decimal('USD per point of the rate').optional(),
});

export const tickerSchema = z
  .object({
    instrumentName: text('Instrument name'),
    timestamp: instant('As of'),
    state: z.enum(['open', 'settlement', 'locked', 'closed']).describe('State of the book'),
    bestBidPrice: decimal('Best bid, null without one').nullable(),
    bestBidAmount: decimal('Its size'),
    bestAskPrice: decimal('Best ask, null without one').nullable(),
    bestAskAmount: decimal('Its size'),
    lastPrice: decimal('Last trade, null before the first').nullable(),
    markPrice: decimal('Mark price').optional(),
    indexPrice: decimal('Index').optional(),
    minPrice: decimal('A sell below it is refused').optional(),
    maxPrice: decimal('A buy above it is refused').optional(),
    openInterest: decimal('Open interest').optional(),
    settlementPrice: decimal('Of the last settlement').optional(),
    estimatedDeliveryPrice: decimal('Price it would settle at').optional(),
    deliveryPrice: decimal('Price it settled at').optional(),
    stats: stats.describe('Of the last 24 hours'),
    markIv: decimal('Options: percent').optional(),
    bidIv: decimal('Options: percent').optional(),
    askIv: decimal('Options: percent').optional(),
    underlyingPrice: decimal('Options: the forward').optional(),
    underlyingIndex: text('Options: name of the forward').optional(),
    greeks: greeks.describe('Options').optional(),
    funding8h: decimal('Perpetuals: fraction').optional(),
    currentFunding: decimal('Perpetuals: fraction').optional(),
  })
  .describe('A ticker');

const levels = z.array(z.tuple([z.string(), z.string()]));

export const bookSchema = tickerSchema
  .extend({
    changeId: whole('Increases with every change of the book'),
    bids: levels.describe('[price, amount], best first'),
    asks: levels.describe('[price, amount], best first'),
  })
  .describe('A ticker with its book');

export type TickerView = z.infer<typeof tickerSchema>;

const orNull = (price: Price | undefined): string | null =>
  price === undefined ? null : decimalText(price);
const orAbsent = (price: Price | undefined): string | undefined => price && decimalText(price);
const percent = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : percentText(value);
const rate = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : floatText(value, 10);

export const tickerView = (ticker: Ticker): TickerView => ({
  instrumentName: ticker.instrument,
  timestamp: ticker.at,
  state: ticker.state,
  bestBidPrice: orNull(ticker.bid?.price),
  bestBidAmount: ticker.bid === undefined ? '0' : decimalText(ticker.bid.quantity),
  bestAskPrice: orNull(ticker.ask?.price),
  bestAskAmount: ticker.ask === undefined ? '0' : decimalText(ticker.ask.quantity),
  lastPrice: orNull(ticker.last),
  markPrice: orAbsent(ticker.mark),
  indexPrice: orAbsent(ticker.index),
  minPrice: orAbsent(ticker.minPrice),
  maxPrice: orAbsent(ticker.maxPrice),
  openInterest: ticker.openInterest && decimalText(ticker.openInterest),
  settlementPrice: orAbsent(ticker.settlementPrice),
  estimatedDeliveryPrice: orAbsent(ticker.estimatedDeliveryPrice),
  deliveryPrice: orAbsent(ticker.deliveryPrice),
  stats: {
    volume: decimalText(ticker.stats.volume),
    volumeUsd: ticker.stats.volumeUsd,
    high: orNull(ticker.stats.high),
    low: orNull(ticker.stats.low),
    priceChange:
      ticker.stats.priceChange === undefined ? null : floatText(ticker.stats.priceChange, 4),
  },
  markIv: percent(ticker.markIv),
  bidIv: percent(ticker.bidIv),
  askIv: percent(ticker.askIv),
  underlyingPrice: orAbsent(ticker.underlying),
  underlyingIndex: ticker.underlyingName,
  greeks: ticker.greeks && {
    delta: shown(ticker.greeks.delta, 5),
    gamma: shown(ticker.greeks.gamma, 8),
    vega: shown(ticker.greeks.vega, 5),
    theta: shown(ticker.greeks.theta, 5),
    rho: shown(ticker.greeks.rho, 5),
  },
  funding8h: rate(ticker.funding8h),
  currentFunding: rate(ticker.currentFunding),
});

const shown = (value: number | undefined, places: number): string | undefined =>
  value === undefined ? undefined : floatText(value, places);

export type LevelView = [price: string, amount: string];

export const levelView = ({ price, quantity }: PriceLevel): LevelView => [
  decimalText(price),
  decimalText(quantity),
];

/** The book fields that a ticker does not include. */
export const bookLevels = (book: BookView) => ({
  changeId: book.changeId,
  bids: book.bids.map(levelView),
  asks: book.asks.map(levelView),
});
