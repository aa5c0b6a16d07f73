// All Block RFQ commands of the exchange. Ids are the requesting account's own.

import type { Price, Quantity, Ratio } from '../../values/amounts.ts';
import type {
  BlockTrade as BlockTradeRecord,
  ClientLink,
  RfqQuoteRecord,
  RfqRecord,
  RfqTrigger,
} from '../../values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { ExecutionInstruction } from './maker-quote.ts';

interface Request {
  readonly now: Instant;
  readonly account: AccountId;
}

export interface HedgeTerms {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly side: Side;
  readonly price: Price;
}

export interface RatioLegTerms {
  readonly instrument: InstrumentName;
  readonly ratio: Ratio;
  readonly side: Side;
}

export interface CreateRfqCommand extends Request {
  readonly kind: 'create_rfq';
  readonly legs: readonly {
    readonly instrument: InstrumentName;
    readonly quantity: Quantity;
    readonly side: Side;
  }[];
  readonly hedge?: HedgeTerms | undefined;
  /** Aliases; empty for all makers. */
  readonly makers: readonly string[];
  readonly disclosed: boolean;
  /** At most 64 characters; empty for none. */
  readonly label: string;
  /** Allocations of the structure's quantity; empty for none. */
  readonly allocations: readonly {
    readonly quantity: Quantity;
    readonly userId?: number | undefined;
    readonly client?: ClientLink | undefined;
  }[];
}

export interface CancelRfqCommand extends Request {
  readonly kind: 'cancel_rfq';
  readonly rfqId: string;
}

/** Without a side both are cancelled; cancelling none is not an error. */
export interface CancelRfqTriggerCommand extends Request {
  readonly kind: 'cancel_rfq_trigger';
  readonly rfqId: string;
  readonly side?: Side | undefined;
}

export interface AcceptRfqCommand extends Request {
  readonly kind: 'accept_rfq';
  readonly rfqId: string;
  /** Must equal the quantity of the RFQ. */
  readonly quantity: Quantity;
  /** The taker's. */
  readonly side: Side;
  /** The worst acceptable price of the structure. */
  readonly price: Price;
  /** If present, they must be those of the RFQ. */
  readonly legs?: readonly RatioLegTerms[] | undefined;
  readonly hedge?: HedgeTerms | undefined;
  /** `good_til_cancelled` waits until quotes offer the price for the whole quantity. */
  readonly timeInForce: 'fill_or_kill' | 'good_til_cancelled';
}

export interface QuoteTerms {
  readonly quantity: Quantity;
  /** The legs of the RFQ, in any order, each with its price. */
  readonly legs: readonly (RatioLegTerms & { readonly price: Price })[];
  /** Required if the RFQ has a hedge, and must equal it. */
  readonly hedge?: HedgeTerms | undefined;
  readonly executionInstruction: ExecutionInstruction;
  /**
   * Price of the structure; may differ from the sum over the legs only for future spreads, whose legs follow
   * it.
   */
  readonly price?: Price | undefined;
  readonly expiresAt?: Instant | undefined;
  readonly mmpGroup?: string | undefined;
}

export interface QuoteRfqCommand extends Request, QuoteTerms {
  readonly kind: 'quote_rfq';
  readonly rfqId: string;
  /** The maker's: buy is a bid for the structure as listed. */
  readonly side: Side;
  /** At most 64 characters; empty for none. */
  readonly label: string;
}

/** By quote id, or by RFQ id and label if exactly one open quote has it. */
export type QuoteName =
  | { readonly quoteId: string }
  | { readonly rfqId: string; readonly label: string };

/** An edited quote loses its time priority. */
export interface EditRfqQuoteCommand extends Request, QuoteTerms {
  readonly kind: 'edit_rfq_quote';
  readonly of: QuoteName;
}

export interface CancelRfqQuoteCommand extends Request {
  readonly kind: 'cancel_rfq_quote';
  readonly of: QuoteName;
}

/** All open quotes of the account that match the filters. Returns their number. */
export interface CancelRfqQuotesCommand extends Request {
  readonly kind: 'cancel_rfq_quotes';
  readonly rfqId?: string | undefined;
  readonly mmpGroup?: string | undefined;
  /** Default `user_request`. */
  readonly reason?: 'user_request' | 'mmp_trigger' | undefined;
}

/** Applies what is due: ends of grace periods, of quotes and of RFQs. */
export interface AdvanceRfqsCommand {
  readonly kind: 'advance_rfqs';
  readonly now: Instant;
}

/** Adds makers to those that quote RFQs: bots of the market, and users. */
export interface SeatRfqMakersCommand {
  readonly kind: 'seat_rfq_makers';
  readonly now: Instant;
  readonly makers: readonly { readonly account: AccountId; readonly alias: string }[];
  /** Makers to remove: their quotes are withdrawn. Default none. */
  readonly unseated?: readonly AccountId[] | undefined;
}

export type RfqUserCommand =
  | CreateRfqCommand
  | CancelRfqCommand
  | CancelRfqTriggerCommand
  | AcceptRfqCommand
  | QuoteRfqCommand
  | EditRfqQuoteCommand
  | CancelRfqQuoteCommand
  | CancelRfqQuotesCommand;

export type RfqMarketCommand = AdvanceRfqsCommand | SeatRfqMakersCommand;
export type RfqCommand = RfqUserCommand | RfqMarketCommand;

export interface RfqAnswer {
  readonly kind: 'rfq';
  readonly rfq: RfqRecord;
}

export interface RfqQuoteAnswer {
  readonly kind: 'rfq_quote';
  readonly quote: RfqQuoteRecord;
}

export interface RfqAcceptedAnswer {
  readonly kind: 'rfq_accepted';
  /** Empty while the accept is waiting. */
  readonly blockTrades: readonly BlockTradeRecord[];
  readonly trigger?: RfqTrigger | undefined;
  readonly rfq: RfqRecord;
}
