// All commands of the exchange. Users' commands use decimals and are refused with the venue's error codes;
// commands of the market simulation use ticks and lots where speed matters.

import type { Price, Quantity, Ratio } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, InstrumentKind, Side } from '../values/instrument.ts';
import type {
  AdvancedKind,
  EditTerms,
  FillCondition,
  LinkKind,
  OrderTerms,
  OrderType,
} from '../values/order-terms.ts';
import type { Greeks } from '../values/quote.ts';
import type { ComboRecord } from './model/combo-registry.ts';
import type { QueueModel } from './model/queue-model.ts';
import type { CancelReason, ExchangeOrder, ExchangeTrade } from './order.ts';
import type {
  RfqAcceptedAnswer,
  RfqAnswer,
  RfqMarketCommand,
  RfqQuoteAnswer,
  RfqUserCommand,
} from './rfq/rfq-command.ts';

export interface PlaceCommand extends OrderTerms {
  readonly kind: 'place';
  readonly now: Instant;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly mmp?: boolean | undefined;
  /** The request is refused from this instant on. */
  readonly validUntil?: Instant | undefined;
  /** Makes the order an iceberg: the maximum that the book shows. */
  readonly displayQuantity?: Quantity | undefined;
  /** Options: `price` is in USD or in percent of volatility, and the exchange reprices the order. */
  readonly advanced?: AdvancedKind | undefined;
  readonly link?: LinkTerms | undefined;
}

/** Orders of the same account and instrument that this one triggers or cancels. */
export interface LinkTerms {
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  /** At least one; same shape as the order itself, without links of their own. */
  readonly others: readonly OrderTerms[];
}

export interface EditCommand extends EditTerms {
  readonly kind: 'edit';
  readonly now: Instant;
  readonly account: AccountId;
  readonly orderId: OrderId;
}

/** Accepted if exactly one open order of the account on the instrument has the label. */
export interface EditByLabelCommand extends EditTerms {
  readonly kind: 'edit_by_label';
  readonly now: Instant;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: string;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly now: Instant;
  readonly account: AccountId;
  readonly orderId: OrderId;
  /** Default `user_request`. */
  readonly reason?: CancelReason | undefined;
}

/** Returns the number of cancelled orders; zero is not an error. */
export interface CancelByLabelCommand {
  readonly kind: 'cancel_by_label';
  readonly now: Instant;
  readonly account: AccountId;
  readonly label: string;
  /** Settlement currency; absent for all. */
  readonly currency?: Currency | undefined;
  readonly instrument?: InstrumentName | undefined;
  /** Default `user_request`. */
  readonly reason?: CancelReason | undefined;
}

/** Returns the number of cancelled orders. Filters combine; absent ones match everything. */
export interface CancelAllCommand {
  readonly kind: 'cancel_all';
  readonly now: Instant;
  readonly account: AccountId;
  /** Settlement currency. */
  readonly currency?: Currency | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  readonly instrument?: InstrumentName | undefined;
  /** Only orders of these original types. */
  readonly types?: readonly OrderType[] | undefined;
  /** Default `user_request`. */
  readonly reason?: CancelReason | undefined;
}

/** Creates the combo of these legs; one that exists is returned. */
export interface CreateComboCommand {
  readonly kind: 'create_combo';
  readonly now: Instant;
  readonly account: AccountId;
  /** The relation of the sizes matters, not how large they are; nothing is traded. */
  readonly trades: readonly {
    readonly instrument: InstrumentName;
    readonly side: Side;
    /** Default: one contract. */
    readonly quantity?: Quantity | undefined;
  }[];
}

/** Opens a new instrument for trading, a combo after its legs; listing a known one again changes nothing. */
export interface ListInstrumentCommand {
  readonly kind: 'list_instrument';
  readonly now: Instant;
  readonly instrument: Instrument;
}

/** Replaces the reference data of an instrument. */
export interface SetReferenceCommand {
  readonly kind: 'set_reference';
  readonly now: Instant;
  readonly instrument: InstrumentName;
  readonly index?: Price | undefined;
  readonly mark: Price;
  /** Options: the forward. */
  readonly underlying?: Price | undefined;
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
  /** Trading band. Absent: no band, and market orders are refused. */
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
  /**
   * Perpetuals: the current rate, a fraction of the position's value per eight hours; longs pay if it is
   * positive.
   */
  readonly currentFunding?: Ratio | undefined;
  /** Perpetuals: what a long paid over the last eight hours, as a fraction of the position's value. */
  readonly fundingRate8h?: Ratio | undefined;
}

export interface QuoteLevel {
  readonly priceTicks: number;
  readonly lots: number;
}

/**
 * Replaces all levels of one maker bot on one instrument. A level that stays at its price with the same or a
 * smaller size keeps its place. Crossing levels trade first; the remainder then rests. Prices must be on the
 * grid, with at most one level per price, and the two sides must not cross each other.
 */
export interface MakeQuotesCommand {
  readonly kind: 'make_quotes';
  readonly now: Instant;
  /** A bot: any id that is not a user account. Bots have inventory but no balances and no limits. */
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
}

/** A bot takes up to `lots`, no further than `limitTicks`; nothing rests. Returns the traded lots. */
export interface TakeCommand {
  readonly kind: 'take';
  readonly now: Instant;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly lots: number;
  readonly limitTicks: number;
}

/**
 * Makes the resting quotes of one bot equal to a row of a recording, as if the users' trades had happened in
 * the recorded market; see `shown-book.ts`. Best first; the two sides may touch or cross each other.
 */
export interface ShowBookCommand {
  readonly kind: 'show_book';
  readonly now: Instant;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
  /** The time of the row in the recording, at or before `now`. */
  readonly seenAt: Instant;
  /** The row does not measure sizes, so each row restores what users took before. */
  readonly renewsSizes: boolean;
  readonly queue?: QueueModel | undefined;
}

/** A recorded trade: its taker fills users' resting orders at the trade price or better. */
export interface ReplayTradeCommand {
  readonly kind: 'replay_trade';
  readonly now: Instant;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  /** The taker's. */
  readonly side: Side;
  readonly lots: number;
  readonly priceTicks: number;
}

/** The recording has a gap, or its book is not in use: everything it showed is removed from the book. */
export interface WithdrawBookCommand {
  readonly kind: 'withdraw_book';
  readonly now: Instant;
  readonly instrument: InstrumentName;
}

/** Cancels open orders, settles every position at the delivery price and closes the book permanently. */
export interface ExpireInstrumentCommand {
  readonly kind: 'expire_instrument';
  readonly now: Instant;
  readonly instrument: InstrumentName;
  /** The index at expiry, in USD or USDC. Absent: unknown; positions stay open, and nothing is paid. */
  readonly deliveryPrice?: Price | undefined;
}

/**
 * The daily settlement of all books: `good_til_day` orders are cancelled, session profit and funding are
 * moved to the balances. Returns the number of cancelled orders. Expiring instruments must be delivered
 * first.
 */
export interface SettleDayCommand {
  readonly kind: 'settle_day';
  readonly now: Instant;
  /** Books are in `settlement` until then. Absent: no pause. */
  readonly pausedUntil?: Instant | undefined;
}

/** Users' requests are refused in `settlement` and `locked`; bots are unaffected. */
export interface SetBookStateCommand {
  readonly kind: 'set_book_state';
  readonly now: Instant;
  readonly instrument: InstrumentName;
  readonly state: 'open' | 'settlement' | 'locked';
}

/** What market-maker protection holds of an account's margin from now on, in all its indexes; replaces what it held before. */
export interface HoldMarginsCommand {
  readonly kind: 'hold_margins';
  readonly now: Instant;
  readonly account: AccountId;
  readonly holds: readonly {
    /** Any listed instrument of the index: it says the currency, and the price of a coin in it. */
    readonly instrument: InstrumentName;
    /** The sum over the groups of the index. */
    readonly maxQuoteQuantity: Quantity;
  }[];
}

export type UserCommand =
  | PlaceCommand
  | EditCommand
  | EditByLabelCommand
  | CancelCommand
  | CancelByLabelCommand
  | CancelAllCommand
  | CreateComboCommand
  | RfqUserCommand;

/** Releases the orders whose speed bump is over by `now`, as every command does. */
export interface ReleaseOrdersCommand {
  readonly kind: 'release_orders';
  readonly now: Instant;
}

export type MarketCommand =
  | ListInstrumentCommand
  | SetReferenceCommand
  | MakeQuotesCommand
  | TakeCommand
  | ShowBookCommand
  | ReplayTradeCommand
  | WithdrawBookCommand
  | ExpireInstrumentCommand
  | SettleDayCommand
  | ReleaseOrdersCommand
  | SetBookStateCommand
  | HoldMarginsCommand
  | RfqMarketCommand;

/** `now` never decreases from one command to the next. */
export type ExchangeCommand = UserCommand | MarketCommand;

export interface OrderAnswer {
  readonly kind: 'order';
  readonly order: ExchangeOrder;
  /** The account's own side of the trades made by this request. */
  readonly trades: readonly ExchangeTrade[];
}

export interface RefusedAnswer {
  readonly kind: 'refused';
  /** The venue's error code, see `refusal.ts`. */
  readonly code: number;
  /** The venue's name of the error, followed by the limit if there is one. */
  readonly message: string;
  readonly data: { readonly param: string; readonly reason: string };
}

export interface CountAnswer {
  readonly kind: 'count';
  readonly count: number;
}

export interface DoneAnswer {
  readonly kind: 'done';
}

export interface ComboAnswer {
  readonly kind: 'combo';
  readonly combo: ComboRecord;
}

/** The answer to a command that concerns one order. */
export type OrderReply = OrderAnswer | RefusedAnswer;
export type CountReply = CountAnswer | RefusedAnswer;
export type DoneReply = DoneAnswer | RefusedAnswer;

/** The possible answers to each kind of command. */
export interface AnswersByKind {
  readonly place: OrderReply;
  readonly edit: OrderReply;
  readonly edit_by_label: OrderReply;
  readonly cancel: OrderReply;
  readonly cancel_by_label: CountReply;
  readonly cancel_all: CountReply;
  readonly list_instrument: DoneReply;
  readonly set_reference: DoneReply;
  readonly make_quotes: CountReply;
  readonly take: CountReply;
  readonly show_book: CountReply;
  readonly replay_trade: CountReply;
  readonly withdraw_book: DoneReply;
  readonly expire_instrument: DoneReply;
  readonly settle_day: CountReply;
  readonly release_orders: DoneReply;
  readonly set_book_state: DoneReply;
  readonly hold_margins: DoneReply;
  readonly create_combo: ComboAnswer | RefusedAnswer;
  readonly create_rfq: RfqAnswer | RefusedAnswer;
  readonly cancel_rfq: RfqAnswer | RefusedAnswer;
  readonly cancel_rfq_trigger: RfqAnswer | RefusedAnswer;
  readonly accept_rfq: RfqAcceptedAnswer | RefusedAnswer;
  readonly quote_rfq: RfqQuoteAnswer | RefusedAnswer;
  readonly edit_rfq_quote: RfqQuoteAnswer | RefusedAnswer;
  readonly cancel_rfq_quote: RfqQuoteAnswer | RefusedAnswer;
  readonly cancel_rfq_quotes: CountReply;
  readonly advance_rfqs: DoneAnswer;
  readonly seat_rfq_makers: DoneAnswer;
}

export type CommandsByKind = { readonly [C in ExchangeCommand as C['kind']]: C };
export type AnswerOf<C extends ExchangeCommand> = AnswersByKind[C['kind']];

export type ExchangeAnswer =
  | OrderAnswer
  | RefusedAnswer
  | CountAnswer
  | DoneAnswer
  | ComboAnswer
  | RfqAnswer
  | RfqQuoteAnswer
  | RfqAcceptedAnswer;
