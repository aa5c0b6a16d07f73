// An exchange as the engine uses it: market data, health, accounts, and one set of order methods for children and manual
// orders alike. An adapter never throws for a failure of the venue or the network, and never sends a request twice.
import type { OrderRecord, TradeRecord } from '../core/order/order-record.ts';
import type { VenueFeatures } from '../core/portfolio/admission/admit-context.ts';
import type { Quantity } from '../values/amounts.ts';
import type { AccountId, InstrumentName, VenueName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import type { Quote } from '../values/quote.ts';
import type { VenueRfqDesk } from './block-rfq.ts';
import type { Cleared } from './cleared.ts';
import type { ComboDesk } from './combo-desk.ts';
import type { MarketReads } from './market-reads.ts';
import type { RateBudget } from './rate-budget.ts';
import type {
  MarginReads,
  NewOrder,
  OrderChange,
  OrderReads,
  Reply,
  Worked,
} from './trading-desk.ts';

/** An order whose outcome is not known. */
export interface ReconcileQuery {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: string;
}

/** Everything that carries the label, oldest first; no order if the venue never had one. */
export interface Reconciled {
  readonly orders: readonly OrderRecord[];
  readonly trades: readonly TradeRecord[];
}

/** The market-maker protection of orders of one index, all its groups together. */
export interface ProtectedIndex {
  readonly index: string;
  readonly maxQuoteQuantity: Quantity;
}

/**
 * `at`: when the venue changed it, on the venue's clock, at least as far as trades are concerned; absent: what the market does
 * is not known from now on, until the next change.
 */
export type QuoteChanged = (at: Instant | undefined) => void;

export interface Venue extends OrderReads {
  readonly name: VenueName;
  /** What it supports besides price and size; anything else is refused at submit. */
  readonly features: VenueFeatures;
  /** Tickers, books, public trades, and instruments that expired. */
  readonly market: MarketReads;
  /** Block RFQs; absent if the venue has none. */
  readonly rfqs?: VenueRfqDesk | undefined;
  /** Combos; absent if the venue has none, or none that can be created from here. */
  readonly combos?: ComboDesk | undefined;
  /** Absent if the venue does not say what an order needs. */
  readonly margins?: MarginReads | undefined;
  /**
   * All instruments in trading. Synchronous: the adapter keeps the list. `undefined` until the venue has listed any: then
   * nothing is known of an instrument that {@link instrument} does not return.
   */
  instruments(): readonly Instrument[] | undefined;
  instrument(name: InstrumentName): Instrument | undefined;
  /** The latest quote. Synchronous: the adapter keeps what `watch` subscribed to; `undefined` = unknown. */
  quote(name: InstrumentName): Quote | undefined;
  /**
   * Keeps the quote of `name` up to date until the returned function is called. `onChange` is called at each change, before
   * the next one and without the delay of notices, so that {@link quote} returns what has become of it.
   */
  watch(name: InstrumentName, onChange?: QuoteChanged): () => void;
  /** Why it cannot be traded on at the moment; absent or `undefined` if it can. */
  trouble?(): string | undefined;
  /**
   * Says which protection of ours is configured for the account, in place of what was said before, so that the venue holds the
   * margin for it; absent if the venue keeps its own protection.
   */
  holdMargins?(account: AccountId, protections: readonly ProtectedIndex[]): void;
  /** What is left of its message limits, one per connection; absent if it has none. */
  rateBudgets?(): readonly RateBudget[];
  /** Our best estimate of the venue's clock. */
  venueNow(): Instant;
  /**
   * Opens the account's connection; resolves when its requests can be sent and its notices are published. Accounts
   * given when the venue was opened are attached, unless it was opened without. Publishes `reconnected` for an account that had been detached;
   * otherwise repeating it has no effect. Rejects if the venue does not know the account, or refuses its credentials.
   */
  attach(account: AccountId): Promise<void>;
  /**
   * Closes the account's connection: its requests are refused and its notices end. Its orders stay open at the venue.
   * Repeating it has no effect.
   */
  detach(account: AccountId): Promise<void>;
  readonly place: (order: Cleared<NewOrder>) => Promise<Reply<Worked>>;
  readonly edit: (change: Cleared<OrderChange>) => Promise<Reply<Worked>>;
  /**
   * What became of an order: every order with its label and all their trades. `done` only if open, recent and
   * historical records were all queried and answered, so that no order in the value proves that there is none.
   */
  reconcile(query: ReconcileQuery): Promise<Reply<Reconciled>>;
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
