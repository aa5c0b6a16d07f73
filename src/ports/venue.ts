// An exchange as the engine uses it. Answers are values, classified by the adapter: an adapter never throws for a
// failure of the venue or the network, and never sends a request twice.

import type { VenueOrder, VenueTrade } from '../core/order/venue-report.ts';
import type { VenueFeatures } from '../core/portfolio/admission/admit-context.ts';
import type { Price, Quantity } from '../values/amounts.ts';
import type {
  AccountId,
  ChildLabel,
  Currency,
  InstrumentName,
  OrderId,
  VenueName,
} from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { TimeInForce } from '../values/order-terms.ts';
import type { Quote } from '../values/quote.ts';
import type { VenueRfqDesk } from './block-rfq.ts';
import type { Cleared } from './cleared.ts';
import type { RateBudget } from './rate-budget.ts';
import type { VenueDesk } from './trading-desk.ts';

/** A limit order; a marketable child is a limit order priced through the opposite side. */
export interface OrderRequest {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly label: ChildLabel;
  readonly timeInForce: TimeInForce;
  /** Never take: if `true`, the venue refuses an order that would match on arrival. */
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  /** Whether it counts for market-maker protection. */
  readonly mmp?: boolean | undefined;
  /** The venue must refuse the request from this instant of its own clock on. */
  readonly validUntil: Instant;
}

/** New total and price of the only open order with this label on this instrument. */
export interface EditRequest {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: ChildLabel;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly validUntil: Instant;
}

export interface CancelRequest {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: ChildLabel;
  /** If known, the cancel goes by id, otherwise by label. */
  readonly orderId?: OrderId | undefined;
}

/** An order as the venue has it after the request, with the trades that the request itself made. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly order: VenueOrder;
  readonly trades: readonly VenueTrade[];
}

/** The venue confirmed that the request had no effect. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: number;
  readonly message: string;
  /** `later`: the same request may be accepted later. `done`: the order is already closed. */
  readonly class: 'final' | 'later' | 'done';
}

/** No usable answer: the request may or may not have taken effect. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

export type OrderAnswer = Accepted | Refused | Unknown;

/** Orders that carry a label, in every state that the venue still remembers, and their trades. */
export type LabelAnswer =
  | {
      readonly kind: 'found';
      readonly orders: readonly VenueOrder[];
      readonly trades: readonly VenueTrade[];
    }
  | { readonly kind: 'absent' }
  | Unknown;

export type OpenOrdersAnswer =
  | { readonly kind: 'orders'; readonly orders: readonly VenueOrder[] }
  | Unknown;
export type TradesAnswer =
  | { readonly kind: 'trades'; readonly trades: readonly VenueTrade[] }
  | Unknown;

export interface Position {
  readonly instrument: InstrumentName;
  /** Signed, in the amount unit. */
  readonly quantity: Quantity;
  readonly averagePrice?: Price | undefined;
}

export interface Balance {
  readonly currency: Currency;
  readonly amount: string;
}

/** What the venue publishes unsolicited. */
export type VenueNotice =
  | { readonly kind: 'order'; readonly account: AccountId; readonly order: VenueOrder }
  | { readonly kind: 'trade'; readonly account: AccountId; readonly trade: VenueTrade }
  /** The stream was interrupted and is back: query what happened in between. */
  | { readonly kind: 'reconnected'; readonly account: AccountId };

export interface Venue {
  readonly name: VenueName;
  /** What it supports besides price and size; anything else is refused at submit. */
  readonly features: VenueFeatures;
  /** Its order methods, for manual and programmatic order entry. */
  readonly desk: VenueDesk;
  /** Block RFQs; absent if the venue has none. */
  readonly rfqs?: VenueRfqDesk | undefined;
  /** All known instruments except expired ones. Synchronous: the adapter keeps the list. */
  instruments(): readonly Instrument[];
  instrument(name: InstrumentName): Instrument | undefined;
  /** The latest quote. Synchronous: the adapter keeps what `watch` subscribed to; `undefined` = unknown. */
  quote(name: InstrumentName): Quote | undefined;
  /** Keeps the quote of `name` up to date until the returned function is called. */
  watch(name: InstrumentName): () => void;
  /** Why it cannot be traded on at the moment; absent or `undefined` if it can. */
  trouble?(): string | undefined;
  /** What is left of its message limits, one per connection; absent if it has none. */
  rateBudgets?(): readonly RateBudget[];
  /** Our best estimate of the venue's clock. */
  venueNow(): Instant;
  readonly place: (order: Cleared<OrderRequest>) => Promise<OrderAnswer>;
  readonly editByLabel: (edit: Cleared<EditRequest>) => Promise<OrderAnswer>;
  cancel(cancel: CancelRequest): Promise<OrderAnswer>;
  /** Every order with this label: open, recent and historical. */
  ordersByLabel(query: {
    readonly account: AccountId;
    readonly instrument: InstrumentName;
    readonly label: ChildLabel;
  }): Promise<LabelAnswer>;
  /** Open orders of the account whose label starts with `prefix`. */
  openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer>;
  /** Trades of the account since `from`, oldest first, including those of closed orders. */
  tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer>;
  positions(account: AccountId): Promise<readonly Position[]>;
  balances(account: AccountId): Promise<readonly Balance[]>;
  /** Calls `listener` for each notice; notices may be duplicated and may arrive in any order. */
  subscribe(listener: (notice: VenueNotice) => void): () => void;
  close(): Promise<void>;
}

/** Maps each account to the venue it trades on. */
export interface VenueDirectory {
  forAccount(account: AccountId): Venue | undefined;
  all(): readonly Venue[];
  /**
   * Accounts that trade there, dummies excluded, so that orders left open on an account without an active portfolio
   * are found too. If absent, only accounts that had a portfolio since the start are checked.
   */
  accounts?(): readonly AccountId[];
}
