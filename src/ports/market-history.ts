// What a venue's market was: its public tape, candles, funding, mark prices, deliveries and volatility. Spans include
// their first instant and exclude their last.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { InstrumentName, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type { LiquidatedSide } from '../values/order-terms.ts';

export interface PublicTrade {
  readonly tradeId: TradeId;
  readonly tradeSeq: number;
  readonly instrument: InstrumentName;
  /** The taker's side. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly tickDirection: 0 | 1 | 2 | 3;
  /** Whose side the venue liquidated; absent on all other trades. */
  readonly liquidation?: LiquidatedSide | undefined;
  readonly mark?: Price | undefined;
  readonly index?: Price | undefined;
  readonly iv?: number | undefined;
  /** Of a combo and of each of its legs. */
  readonly comboId?: InstrumentName | undefined;
  readonly comboTradeId?: TradeId | undefined;
  /** Only of a combo. */
  readonly legs?: readonly PublicTrade[] | undefined;
  readonly at: Instant;
}

export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * A page of the public tape of some instruments. Trades of a time in which nobody used a book are computed by the
 * venue. They have ids, and are left out where a sequence number is requested, because they have none of their own.
 */
export interface TapeQuery extends Partial<Span> {
  readonly instruments: readonly InstrumentName[];
  readonly fromSeq?: number | undefined;
  readonly untilSeq?: number | undefined;
  readonly fromId?: TradeId | undefined;
  readonly untilId?: TradeId | undefined;
  readonly count: number;
  readonly order: 'asc' | 'desc';
}

export interface TapePage {
  /** In the order requested. */
  readonly trades: readonly PublicTrade[];
  readonly hasMore: boolean;
}

export interface CandleQuery extends Span {
  readonly instrument: InstrumentName;
  readonly everyMs: number;
}

/** The trades of one period; without any, the last price before it and no volume. */
export interface Candle {
  readonly at: Instant;
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
  /** In coins. */
  readonly volume: Quantity;
  /** In the quote currency. */
  readonly cost: Money;
}

export interface OfInstrument extends Span {
  readonly instrument: InstrumentName;
}

/** Fractions of a position's value; positive if longs pay. */
export interface FundingHour {
  /** End of the hour. */
  readonly at: Instant;
  readonly index: Price;
  /** At the start of the hour. */
  readonly indexBefore: Price;
  readonly oneHour: number;
  readonly eightHours: number;
}

export interface MarkQuery extends OfInstrument {
  readonly everyMs: number;
}

export interface PastMark {
  readonly at: Instant;
  readonly mark: Price;
  readonly index: Price;
}

export interface DeliveryQuery {
  readonly index: string;
  /** How many of the latest to leave out. */
  readonly offset: number;
  readonly count: number;
}

export interface Deliveries {
  readonly total: number;
  /** Latest first. */
  readonly prices: readonly { readonly at: Instant; readonly price: Price }[];
}

export interface VolatilityQuery extends Span {
  readonly index: string;
  readonly everyMs: number;
}

/** The implied volatility of thirty days in percent. */
export interface VolatilityBar {
  readonly at: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface RealisedQuery {
  readonly index: string;
}

/** Of the fifteen days before `at`, a year's percent. */
export interface RealisedVolatility {
  readonly at: Instant;
  readonly percent: number;
}

export interface HistoryKinds {
  readonly tape: { readonly query: TapeQuery; readonly answer: TapePage };
  readonly candles: { readonly query: CandleQuery; readonly answer: readonly Candle[] };
  /** By hour, oldest first. */
  readonly funding: { readonly query: OfInstrument; readonly answer: readonly FundingHour[] };
  /** The sum over the span. */
  readonly fundingPaid: { readonly query: OfInstrument; readonly answer: number };
  readonly marks: { readonly query: MarkQuery; readonly answer: readonly PastMark[] };
  readonly deliveries: { readonly query: DeliveryQuery; readonly answer: Deliveries };
  readonly volatility: {
    readonly query: VolatilityQuery;
    readonly answer: readonly VolatilityBar[];
  };
  readonly realised: {
    readonly query: RealisedQuery;
    readonly answer: readonly RealisedVolatility[];
  };
}

export interface MarketHistory {
  /**
   * `undefined` for an unknown instrument or index, or if the venue has no such history. Rejects with
   * MarketUnanswered if it does not answer.
   */
  history<K extends keyof HistoryKinds>(
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined>;
}
