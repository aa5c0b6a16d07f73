// A Block RFQ, its quotes and its trades as one account may see them, whichever venue reports them: with the account's
// own ids, and without what its role must not see.
import type { Money, Price, Quantity, Ratio } from './amounts.ts';
import type { Currency, InstrumentName } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Side } from './instrument.ts';

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
  readonly ratio: Ratio;
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
  /** Of structures with a combo name. */
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
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly liquidity: 'maker' | 'taker';
  readonly isHedge: boolean;
  readonly allocations: readonly (TradeAllocation & { readonly fee?: Money | undefined })[];
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
  /** MMP group of the account's own quote, or of the largest of several; absent for a taker. */
  readonly mmpGroup?: string | undefined;
  readonly rows: readonly BlockTradeRow[];
}
