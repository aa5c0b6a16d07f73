// Block RFQs of a venue, for takers and makers. Every id belongs to its caller: a taker and each maker know one RFQ
// by different ids, and another account's id is not found. Answers are values.

import type { Price, Quantity } from '../values/amounts.ts';
import type {
  BlockTrade,
  ExecutionInstruction,
  PricedRfqLeg,
  RfqHedge,
  RfqLeg,
  RfqQuoteRecord,
  RfqRecord,
  RfqRole,
  RfqStatus,
  RfqTrigger,
  TradeAllocation,
} from '../values/block-rfq-record.ts';
import type { AccountId, Currency, InstrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type { Cleared } from './cleared.ts';
import type { Reply } from './trading-desk.ts';

export interface NewRfq {
  readonly account: AccountId;
  readonly legs: readonly {
    readonly instrument: InstrumentName;
    readonly quantity: Quantity;
    readonly side: Side;
  }[];
  readonly hedge?: RfqHedge | undefined;
  /** Aliases of the requested makers; empty for all. */
  readonly makers: readonly string[];
  readonly disclosed: boolean;
  readonly label?: string | undefined;
  readonly allocations: readonly TradeAllocation[];
}

export interface RfqFilter {
  readonly account: AccountId;
  readonly role?: RfqRole | undefined;
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  readonly currency?: Currency | undefined;
  /** `closed` matches every terminal status. */
  readonly status?: RfqStatus | undefined;
  readonly count: number;
  /** Returns ids strictly below it, newest first. */
  readonly continuation?: string | undefined;
}

export interface NewQuote {
  readonly account: AccountId;
  readonly rfqId: string;
  readonly quantity: Quantity;
  readonly side: Side;
  readonly legs: readonly PricedRfqLeg[];
  readonly hedge?: RfqHedge | undefined;
  readonly executionInstruction: ExecutionInstruction;
  /** Only for future spreads; otherwise computed as the sum over the legs. */
  readonly price?: Price | undefined;
  readonly label?: string | undefined;
  readonly expiresAt?: Instant | undefined;
  readonly mmpGroup?: string | undefined;
}

/** By quote id, or by RFQ id and label. */
export type QuoteName =
  | { readonly quoteId: string }
  | { readonly rfqId: string; readonly label: string };

export interface QuoteChange extends Omit<NewQuote, 'rfqId' | 'label' | 'side'> {
  readonly of: QuoteName;
}

export interface RfqAccept {
  readonly account: AccountId;
  readonly rfqId: string;
  readonly quantity: Quantity;
  /** The taker's side. */
  readonly side: Side;
  /** The worst acceptable price for the whole structure. */
  readonly price: Price;
  readonly legs?: readonly RfqLeg[] | undefined;
  readonly hedge?: RfqHedge | undefined;
  /** `good_til_cancelled` rests as a trigger until quotes offer the price for the whole quantity. */
  readonly timeInForce: 'fill_or_kill' | 'good_til_cancelled';
}

export interface Accepted {
  readonly blockTrades: readonly BlockTrade[];
  readonly trigger?: RfqTrigger | undefined;
  readonly rfq: RfqRecord;
}

export type RfqNews =
  | { readonly kind: 'rfq'; readonly account: AccountId; readonly rfq: RfqRecord }
  | {
      readonly kind: 'quotes';
      readonly account: AccountId;
      readonly quotes: readonly RfqQuoteRecord[];
    }
  /** A trade of the account, with its own ids. */
  | { readonly kind: 'block_trade'; readonly account: AccountId; readonly trade: BlockTrade }
  /** Public, without names. */
  | { readonly kind: 'tape'; readonly currency: Currency; readonly trade: BlockTrade }
  | { readonly kind: 'reconnected' };

/** What any holder of the port may query and cancel. */
export interface RfqReads {
  rfqs(
    filter: RfqFilter,
  ): Promise<
    Reply<{ readonly rfqs: readonly RfqRecord[]; readonly continuation?: string | undefined }>
  >;
  cancelRfq(of: { readonly account: AccountId; readonly rfqId: string }): Promise<Reply<RfqRecord>>;
  cancelTrigger(of: {
    readonly account: AccountId;
    readonly rfqId: string;
    readonly side?: Side | undefined;
  }): Promise<Reply<RfqRecord>>;
  cancelQuote(of: {
    readonly account: AccountId;
    readonly of: QuoteName;
  }): Promise<Reply<RfqQuoteRecord>>;
  /** Returns the number of quotes cancelled. `reason` is reported with each quote. */
  cancelQuotes(of: {
    readonly account: AccountId;
    readonly rfqId?: string | undefined;
    readonly mmpGroup?: string | undefined;
    readonly reason?: 'user_request' | 'mmp_trigger' | undefined;
  }): Promise<Reply<number>>;
  /** Open quotes, unless requested by id. Given conditions combine. */
  quotes(of: {
    readonly account: AccountId;
    readonly rfqId?: string | undefined;
    readonly label?: string | undefined;
    readonly quoteId?: string | undefined;
  }): Promise<Reply<readonly RfqQuoteRecord[]>>;
  /** Aliases that can receive an RFQ. */
  makers(account: AccountId): Promise<Reply<readonly string[]>>;
  blockTrades(of: {
    readonly account: AccountId;
    readonly currency?: Currency | undefined;
    readonly rfqId?: string | undefined;
    readonly count: number;
    readonly continuation?: string | undefined;
  }): Promise<
    Reply<{ readonly trades: readonly BlockTrade[]; readonly continuation?: string | undefined }>
  >;
  /** The latest public trades of all accounts, oldest first; at most `count`, and as far back as is known. */
  tape(of: {
    readonly currency?: Currency | undefined;
    readonly count: number;
  }): Promise<Reply<readonly BlockTrade[]>>;
  /** The account's alias as a maker; absent if it makes no quotes. */
  aliasOf(account: AccountId): string | undefined;
  /** Notices may be duplicated and may arrive in any order. */
  listen(listener: (news: RfqNews) => void): () => void;
}

/** Block RFQs before the gate, as used by gateways. */
export interface RfqDesk extends RfqReads {
  readonly create: (rfq: NewRfq) => Promise<Reply<RfqRecord>>;
  readonly accept: (accept: RfqAccept) => Promise<Reply<Accepted>>;
  readonly quote: (quote: NewQuote) => Promise<Reply<RfqQuoteRecord>>;
  readonly editQuote: (change: QuoteChange) => Promise<Reply<RfqQuoteRecord>>;
}

/** Block RFQs behind the gate, as implemented by venues. */
export interface VenueRfqDesk extends RfqReads {
  readonly create: (rfq: Cleared<NewRfq>) => Promise<Reply<RfqRecord>>;
  readonly accept: (accept: Cleared<RfqAccept>) => Promise<Reply<Accepted>>;
  readonly quote: (quote: Cleared<NewQuote>) => Promise<Reply<RfqQuoteRecord>>;
  readonly editQuote: (change: Cleared<QuoteChange>) => Promise<Reply<RfqQuoteRecord>>;
}
