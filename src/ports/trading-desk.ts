// Orders: what may be requested of a venue, what orders need, what can be queried, and what it replies. Replies are
// values, classified by the adapter; nothing is sent twice.
import type { Refused, Unknown } from '../core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../core/order/order-record.ts';
import type { AccountSummary, AccountTransaction, OpenPosition } from '../values/account-report.ts';
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { InstrumentKind } from '../values/instrument.ts';
import type {
  AdvancedKind,
  EditTerms,
  FillCondition,
  LinkKind,
  OrderTerms,
  OrderType,
} from '../values/order-terms.ts';
import type { InstrumentReads } from './market-reads.ts';

export interface NewOrder extends OrderTerms {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly displayQuantity?: Quantity | undefined;
  readonly advanced?: AdvancedKind | undefined;
  /** Whether it counts for market-maker protection. */
  readonly mmp: boolean;
  /** The venue must refuse the request from this instant of its own clock on. Children always have one. */
  readonly validUntil?: Instant | undefined;
  readonly link?:
    | {
        readonly kind: LinkKind;
        readonly fillCondition: FillCondition;
        readonly others: readonly OrderTerms[];
      }
    | undefined;
}

/**
 * An order by id, or by the label of the only open order of the instrument that carries it. Some venues need the
 * instrument as well as the id, so it is given if it is known.
 */
export type OrderKey =
  | { readonly orderId: OrderId; readonly instrument?: InstrumentName | undefined }
  | { readonly label: string; readonly instrument: InstrumentName };

export interface OrderChange extends EditTerms {
  readonly account: AccountId;
  readonly of: OrderKey;
}

/** Given filters combine; absent ones do not filter. */
export interface OrderFilter {
  readonly account: AccountId;
  /** Settlement currency; for spot the quote currency. */
  readonly currency?: Currency | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  readonly instrument?: InstrumentName | undefined;
  /** The types as requested. */
  readonly types?: readonly OrderType[] | undefined;
  readonly label?: string | undefined;
}

export interface OpenOrdersFilter extends OrderFilter {
  /** What the label begins with. */
  readonly labelPrefix?: string | undefined;
}

export interface HistoryQuery extends OrderFilter {
  readonly count: number;
  readonly offset: number;
  /** A token of an earlier answer: continues after its last record. */
  readonly continuation?: string | undefined;
  /** Includes orders closed more than two days ago. */
  readonly includeOld: boolean;
  /** Includes closed orders without a fill. */
  readonly includeUnfilled: boolean;
  /** False: the recent window only; true: only records older than it. */
  readonly historical: boolean;
}

export interface TradesQuery extends Omit<OrderFilter, 'types'> {
  readonly orderId?: OrderId | undefined;
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** Inclusive, in the trade sequence of the instrument. */
  readonly startSeq?: number | undefined;
  readonly endSeq?: number | undefined;
  /** Inclusive. */
  readonly startId?: string | undefined;
  readonly endId?: string | undefined;
  readonly count: number;
  readonly sorting: 'asc' | 'desc';
  /** False: the recent window only; true: only trades older than it. Absent: both. */
  readonly historical?: boolean | undefined;
}

/** The log of one currency; both ends of the time are included. */
export interface TransactionsQuery {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly from: Instant;
  readonly until: Instant;
  readonly count: number;
  /** Of an earlier answer: continues after its last entry. */
  readonly continuation?: number | undefined;
}

export interface TransactionsPage {
  readonly transactions: readonly AccountTransaction[];
  /** On every page but the last. */
  readonly continuation?: number | undefined;
}

export type Reply<T> = { readonly kind: 'done'; readonly value: T } | Refused | Unknown;

/** An order after a request, with the trades that the request itself made. */
export interface Worked {
  readonly order: OrderRecord;
  readonly trades: readonly TradeRecord[];
}

/** A liquidation, or a transfer that it made, by which a position may move without an order or a trade of the account. */
export interface LiquidationNotice {
  /** The venue's word: `liquidation_started`, `lsp_transfer`, `adl_transfer_received` … */
  readonly stage: string;
  /** Absent where the whole account is meant. */
  readonly instrument?: InstrumentName | undefined;
  /** The stage and what the venue says of it, for people. */
  readonly detail: string;
}

/** What the venue publishes about accounts; gaps are announced. */
export type VenueNotice =
  | { readonly kind: 'order'; readonly order: OrderRecord }
  | { readonly kind: 'trade'; readonly trade: TradeRecord }
  /** Balances, positions or margins of the account changed: query them. */
  | {
      readonly kind: 'account';
      readonly account: AccountId;
      /** The cause, if that is a liquidation. */
      readonly liquidation?: LiquidationNotice | undefined;
    }
  /** The stream of these accounts was interrupted and is back: query what happened in between. */
  | { readonly kind: 'reconnected'; readonly accounts: readonly AccountId[] };

/** The account that a notice is about. */
export function accountOfNotice(
  notice: Exclude<VenueNotice, { readonly kind: 'reconnected' }>,
): AccountId {
  switch (notice.kind) {
    case 'order':
      return notice.order.account;
    case 'trade':
      return notice.trade.account;
    case 'account':
      return notice.account;
  }
}

/** The cancel reasons a requester may give; all other reasons are the venue's own. */
export type ChildCancelReason =
  | 'user_request'
  | 'cancel_on_disconnect'
  | 'mmp_trigger'
  | 'risk_mitigation';

export interface CancelOrder {
  readonly account: AccountId;
  readonly of: OrderKey;
  /** Passed on if the venue can report it. */
  readonly reason?: ChildCancelReason | undefined;
}

export type CancelOrders = OrderFilter & Pick<CancelOrder, 'reason'>;

/** What any holder may query and cancel. */
export interface OrderReads {
  /** A closed or unknown order is refused with class `done`. */
  cancel(request: CancelOrder): Promise<Reply<OrderRecord>>;
  /** Cancels every order that the filter matches, untriggered ones included; returns the count. */
  cancelAll(filter: CancelOrders): Promise<Reply<number>>;
  order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>>;
  /** Orders in every state that the venue still remembers, newest first. */
  ordersLabelled(
    filter: OrderFilter & { readonly label: string },
  ): Promise<Reply<readonly OrderRecord[]>>;
  /** Untriggered ones included, newest first. */
  openOrders(filter: OpenOrdersFilter): Promise<Reply<readonly OrderRecord[]>>;
  /** Closed orders, newest first. `continuation` is absent at the end. */
  orderHistory(
    query: HistoryQuery,
  ): Promise<
    Reply<{ readonly orders: readonly OrderRecord[]; readonly continuation?: string | undefined }>
  >;
  /** A page of trades, those of closed orders included. */
  trades(
    query: TradesQuery,
  ): Promise<Reply<{ readonly trades: readonly TradeRecord[]; readonly hasMore: boolean }>>;
  /**
   * Open positions, and those with open orders. A venue that reports what a closed one realised in the session returns that too
   * where its instrument is named.
   */
  positions(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>>;
  summary(account: AccountId, currency: Currency): Promise<Reply<AccountSummary>>;
  /** A page of the account's transaction log, newest first: trades, settlements, deliveries and all else that moved cash. */
  transactions(query: TransactionsQuery): Promise<Reply<TransactionsPage>>;
  /** Calls `listener` for each notice; notices may be duplicated and may arrive in any order. */
  subscribe(listener: (notice: VenueNotice) => void): () => void;
}

/** The order methods before the gate, as used by gateways, and the instruments they are about. */
export interface TradingDesk extends OrderReads, InstrumentReads {
  readonly place: (order: NewOrder) => Promise<Reply<Worked>>;
  readonly edit: (change: OrderChange) => Promise<Reply<Worked>>;
}

/** A limit order that could be placed. */
export interface ProspectiveOrder {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly price: Price;
}

export interface SideNeeds {
  /** Initial margin, or what the order reserves, in the currency of either. */
  readonly margin: Money;
  /** In the fee currency; negative for a rebate. */
  readonly takerFee: Money;
  readonly makerFee: Money;
}

/** Of the order alone, as if the account had no position and no other order. */
export interface OrderNeeds {
  readonly buy: SideNeeds;
  readonly sell: SideNeeds;
  /** The price band; absent while the venue has none. */
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
}

/** What the open part of an order needs; zero while it waits for its trigger or for another order. */
export interface OrderMargin {
  readonly orderId: OrderId;
  readonly margin: Money;
  readonly currency: Currency;
}

export interface MarginReads {
  /** An amount or a price that an order could not have is refused as that of an order would be. */
  needs(order: ProspectiveOrder): Promise<Reply<OrderNeeds>>;
  /** Of the account's open orders among `orderIds`, in that order; others are left out. */
  ofOrders(
    account: AccountId,
    orderIds: readonly OrderId[],
  ): Promise<Reply<readonly OrderMargin[]>>;
}
