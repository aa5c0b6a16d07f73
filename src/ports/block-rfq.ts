// Block RFQs of a venue, for takers and makers. Every id belongs to its caller: a taker and each maker know one RFQ
// by different ids, and another account's id is not found. Answers are values.
import type { Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type { Cleared } from './cleared.ts';
import type { Reply } from './trading-desk.ts';

export type RfqRole = 'taker' | 'maker';
export type RfqStatus =
  | 'created'
  | 'open'
  | 'filled'
  | 'traded'
  | 'cancelled'
  | 'expired'
  | 'closed'
  | 'failed';
export type RfqQuoteStatus = 'open' | 'filled' | 'cancelled' | 'expired';
export type ExecutionInstruction = 'any_part_of' | 'all_or_none';

/** A leg's size is the structure's quantity times its ratio. */
export interface RfqLeg {
  readonly instrument: InstrumentName;
  /** Positive, at most two decimals. */
  readonly ratio: Quantity;
  readonly side: Side;
}

export interface PricedRfqLeg extends RfqLeg {
  readonly price: Price;
}

/** The taker sets size, side and price; a quote must repeat them. */
export interface RfqHedge {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly side: Side;
  readonly price: Price;
}

export interface ClientLink {
  readonly clientId: number;
  readonly clientLinkId?: number | undefined;
  readonly name?: string | undefined;
}

/** A share of the RFQ's quantity, for either a user or a broker's client. */
export interface TradeAllocation {
  readonly quantity: Quantity;
  readonly userId?: number | undefined;
  readonly client?: ClientLink | undefined;
}

/** What can be executed on one side at one price, over all makers. */
export interface RfqLevel {
  readonly quantity: Quantity;
  readonly executionInstruction: ExecutionInstruction;
  readonly price: Price;
  /** `ANONYMOUS` if the maker is not disclosed. */
  readonly makers: readonly string[];
  readonly lastUpdatedAt: Instant;
  readonly expiresAt?: Instant | undefined;
}

export interface RfqTrigger {
  readonly state: 'untriggered' | 'triggered' | 'cancelled';
  readonly side: Side;
  readonly price: Price;
  readonly cancelReason?: string | undefined;
}

/** One maker's share of an accepted RFQ. */
export interface RfqFill {
  /** The taker's side. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly maker?: string | undefined;
  readonly hedgeQuantity?: Quantity | undefined;
}

/** As the caller may see it: data hidden from its role is absent or empty. */
export interface RfqRecord {
  readonly id: string;
  readonly role: RfqRole;
  readonly status: RfqStatus;
  readonly closedReason?: string | undefined;
  readonly currency: Currency;
  readonly quantity: Quantity;
  readonly legs: readonly RfqLeg[];
  readonly hedge?: RfqHedge | undefined;
  /** Absent for a structure without a combo name. */
  readonly comboId?: string | undefined;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly lastUpdatedAt: Instant;
  readonly makers: readonly string[];
  readonly taker?: string | undefined;
  readonly disclosed: boolean;
  readonly label?: string | undefined;
  readonly minTradeQuantity: Quantity;
  readonly bids: readonly RfqLevel[];
  readonly asks: readonly RfqLevel[];
  readonly allocations: readonly TradeAllocation[];
  readonly triggers: readonly RfqTrigger[];
  readonly fills: readonly RfqFill[];
  readonly markPrice?: Price | undefined;
  readonly indexPrices?: Readonly<Record<string, string>> | undefined;
  readonly includedInTakerRating?: boolean | undefined;
  readonly takerRating?: string | undefined;
}

export interface RfqQuoteRecord {
  readonly id: string;
  /** The RFQ's id as the quoting maker knows it. */
  readonly rfqId: string;
  readonly currency: Currency;
  readonly label?: string | undefined;
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  /** The maker's side: buy is a bid for the structure as listed. */
  readonly side: Side;
  /** Price of the whole structure. */
  readonly price: Price;
  readonly executionInstruction: ExecutionInstruction;
  readonly legs: readonly PricedRfqLeg[];
  readonly hedge?: RfqHedge | undefined;
  readonly status: RfqQuoteStatus;
  readonly statusReason?: string | undefined;
  readonly replaced: boolean;
  readonly createdAt: Instant;
  readonly lastUpdatedAt: Instant;
  readonly expiresAt?: Instant | undefined;
  readonly mmpGroup?: string | undefined;
}

/** One leg (or the hedge) of a block trade; ids and fees are the caller's. */
export interface BlockTradeRow {
  readonly tradeId: string;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: string;
  readonly feeCurrency: Currency;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly liquidity: 'maker' | 'taker';
  readonly isHedge: boolean;
  readonly allocations: readonly (TradeAllocation & { readonly fee?: string | undefined })[];
}

/** A block trade between one taker and one maker. */
export interface BlockTrade {
  readonly id: string;
  readonly rfqId: string;
  readonly comboId?: string | undefined;
  readonly currency: Currency;
  readonly at: Instant;
  /** The account's own side; on the tape the taker's. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly maker?: string | undefined;
  /** MMP group of the account's own quote; absent for a taker. */
  readonly mmpGroup?: string | undefined;
  readonly rows: readonly BlockTradeRow[];
}

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
