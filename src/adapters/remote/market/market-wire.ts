// Tickers and books in the venue's wire format.
import { z } from 'zod';
import type { BookView, Ticker } from '../../../ports/market-reads.ts';
import type { Price, Quantity } from '../../../values/amounts.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import {
  floatIn,
  instantIn,
  instrumentNameIn,
  percentIn,
  priceIn,
  quantityIn,
  text,
} from '../wire-fields.ts';

const stats = z.object({
  volume: quantityIn,
  volumeUsd: text.optional(),
  high: priceIn.nullable(),
  low: priceIn.nullable(),
  priceChange: floatIn.nullable(),
});

const greeks = z.object({
  delta: floatIn,
  gamma: floatIn,
  vega: floatIn,
  theta: floatIn,
  rho: floatIn,
});

const tickerShape = z.object({
  instrumentName: instrumentNameIn,
  timestamp: instantIn,
  state: z.enum(['open', 'settlement', 'locked', 'closed']),
  bestBidPrice: priceIn.nullable(),
  bestBidAmount: quantityIn,
  bestAskPrice: priceIn.nullable(),
  bestAskAmount: quantityIn,
  lastPrice: priceIn.nullable(),
  markPrice: priceIn.optional(),
  indexPrice: priceIn.optional(),
  minPrice: priceIn.optional(),
  maxPrice: priceIn.optional(),
  openInterest: quantityIn.optional(),
  settlementPrice: priceIn.optional(),
  estimatedDeliveryPrice: priceIn.optional(),
  deliveryPrice: priceIn.optional(),
  stats,
  markIv: percentIn.optional(),
  bidIv: percentIn.optional(),
  askIv: percentIn.optional(),
  underlyingPrice: priceIn.optional(),
  underlyingIndex: text.optional(),
  greeks: greeks.optional(),
  funding8h: floatIn.optional(),
  currentFunding: floatIn.optional(),
});

type TickerWire = z.output<typeof tickerShape>;

export const tickerIn = tickerShape.transform(
  (wire): Ticker => ({
    instrument: wire.instrumentName,
    at: wire.timestamp,
    state: wire.state,
    bid: level(wire.bestBidPrice, wire.bestBidAmount),
    ask: level(wire.bestAskPrice, wire.bestAskAmount),
    last: wire.lastPrice ?? undefined,
    mark: wire.markPrice,
    index: wire.indexPrice,
    minPrice: wire.minPrice,
    maxPrice: wire.maxPrice,
    openInterest: wire.openInterest,
    settlementPrice: wire.settlementPrice,
    estimatedDeliveryPrice: wire.estimatedDeliveryPrice,
    deliveryPrice: wire.deliveryPrice,
    stats: statsOf(wire.stats),
    markIv: wire.markIv,
    bidIv: wire.bidIv,
    askIv: wire.askIv,
    underlying: wire.underlyingPrice,
    underlyingName: wire.underlyingIndex,
    greeks: wire.greeks,
    funding8h: wire.funding8h,
    currentFunding: wire.currentFunding,
  }),
);

const level = (price: Price | null, quantity: Quantity): PriceLevel | undefined =>
  price === null ? undefined : { price, quantity };

const statsOf = ({ high, low, priceChange, ...same }: TickerWire['stats']): Ticker['stats'] => ({
  ...same,
  high: high ?? undefined,
  low: low ?? undefined,
  priceChange: priceChange ?? undefined,
});

const levelIn = z
  .tuple([priceIn, quantityIn])
  .transform(([price, quantity]): PriceLevel => ({ price, quantity }));
const sides = { bids: z.array(levelIn), asks: z.array(levelIn) };

export const bookIn = z
  .object({
    instrumentName: instrumentNameIn,
    timestamp: instantIn,
    state: tickerShape.shape.state,
    changeId: z.int(),
    ...sides,
  })
  .transform(
    ({ instrumentName: instrument, timestamp: at, ...same }): BookView => ({
      ...same,
      instrument,
      at,
    }),
  );

/** The best levels of a book, as published by its channel. */
export const depthIn = z.object({ instrumentName: instrumentNameIn, ...sides });
export type Depth = z.output<typeof depthIn>;
