// A venue's public market data: instruments, tickers, books and trades.
import type { Price, Quantity } from '../values/amounts.ts';
import type { InstrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import type { Greeks, PriceLevel } from '../values/quote.ts';
import type { MarketHistory, PublicTrade } from './market-history.ts';

export type BookState = 'open' | 'settlement' | 'locked' | 'closed';

/** The venue did not answer a market-data query: it is unreachable or too slow. A retry may help. */
export class MarketUnanswered extends Error {
  override readonly name = 'MarketUnanswered';
}

/** Absent means unknown, never zero. */
export interface Ticker {
  readonly instrument: InstrumentName;
  readonly at: Instant;
  readonly state: BookState;
  /** A combo that takes no orders at the moment. */
  readonly isInactive?: boolean | undefined;
  readonly bid?: PriceLevel | undefined;
  readonly ask?: PriceLevel | undefined;
  readonly last?: Price | undefined;
  readonly mark?: Price | undefined;
  readonly index?: Price | undefined;
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
  readonly openInterest?: Quantity | undefined;
  readonly settlementPrice?: Price | undefined;
  readonly estimatedDeliveryPrice?: Price | undefined;
  readonly deliveryPrice?: Price | undefined;
  /** Over the last 24 hours. */
  readonly stats: {
    readonly volume: Quantity;
    readonly volumeUsd?: string | undefined;
    readonly high?: Price | undefined;
    readonly low?: Price | undefined;
    /** Percent. */
    readonly priceChange?: number | undefined;
  };
  /** Options: fractions. */
  readonly markIv?: number | undefined;
  readonly bidIv?: number | undefined;
  readonly askIv?: number | undefined;
  readonly underlying?: Price | undefined;
  readonly underlyingName?: string | undefined;
  readonly greeks?: Greeks | undefined;
  /** Perpetuals: fractions. */
  readonly funding8h?: number | undefined;
  readonly currentFunding?: number | undefined;
}

export interface BookView {
  readonly instrument: InstrumentName;
  readonly at: Instant;
  readonly state: BookState;
  /** Increases with every change of the book. */
  readonly changeId: number;
  /** Best first, visible sizes only. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

export type MarketNews =
  | { readonly kind: 'trade'; readonly trade: PublicTrade }
  /** Book or ticker of the instrument changed: read what you need. */
  | { readonly kind: 'market'; readonly instrument: InstrumentName };

export interface InstrumentReads {
  /** `expired`: returns recently expired instruments instead of those in trading. */
  listed(query: { readonly expired: boolean }): readonly Instrument[];
  /** An instrument in trading or recently expired. */
  instrument(name: InstrumentName): Instrument | undefined;
}

/** A market without subscribers is queried on demand or started for the query. */
export interface MarketReads extends InstrumentReads, MarketHistory {
  /** `undefined` for an unknown instrument. */
  ticker(name: InstrumentName): Promise<Ticker | undefined>;
  book(name: InstrumentName, depth: number): Promise<BookView | undefined>;
  index(name: string): Promise<Price | undefined>;
  indexNames(): readonly string[];
  /** Until when all its books are in `settlement`; `undefined` while they are not. Absent if only tickers say so. */
  pausedUntil?(): Instant | undefined;
  /** Keeps the market of `name` up to date and notifies `listener` until the returned function is called. */
  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void;
}
