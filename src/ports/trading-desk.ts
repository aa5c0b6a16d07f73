// The order methods of a venue, as people and programs use them by hand: every kind of order, every
// query. Slices use the smaller `venue.ts`. Answers are values; nothing is sent twice.
import type { OrderRecord, TradeRecord } from '../core/order/order-record.ts';
import type {
  AdvancedKind,
  FillCondition,
  LinkKind,
  OrderType,
  TriggerSource,
} from '../core/order/order-terms.ts';
import type { TimeInForce } from '../core/terms/spec.ts';
import type { Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { InstrumentKind, Side } from '../values/instrument.ts';
import type { AccountSummary, OpenPosition } from './account-summary.ts';
import type { Cleared } from './cleared.ts';
import type { MarketReads } from './market-reads.ts';

/** What one order is to be; `price` is in the unit of `advanced` where that is given. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  /** At most 64 characters, empty for none. */
  readonly label: string;
  readonly trigger?: TriggerSource | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly triggerOffset?: Price | undefined;
}

export interface NewOrder extends OrderTerms {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly displayQuantity?: Quantity | undefined;
  readonly advanced?: AdvancedKind | undefined;
  readonly mmp: boolean;
  readonly validUntil?: Instant | undefined;
  readonly link?:
    | {
        readonly kind: LinkKind;
        readonly fillCondition: FillCondition;
        readonly others: readonly OrderTerms[];
      }
    | undefined;
}

/** What is absent stays as it is. */
export interface OrderChange {
  readonly account: AccountId;
  /** By id, or by the label of the one open order of the instrument that carries it. */
  readonly of:
    | { readonly orderId: OrderId }
    | { readonly label: string; readonly instrument: InstrumentName };
  /** New total, what is filled included. */
  readonly quantity?: Quantity | undefined;
  readonly price?: Price | undefined;
  readonly postOnly?: boolean | undefined;
  readonly rejectPostOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly displayQuantity?: Quantity | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly triggerOffset?: Price | undefined;
  readonly advanced?: AdvancedKind | undefined;
  readonly mmp?: boolean | undefined;
  readonly validUntil?: Instant | undefined;
}

/** Filters combine; absent ones do not filter. */
export interface OrderFilter {
  readonly account: AccountId;
  /** Settlement currency; for spot the quote currency. */
  readonly currency?: Currency | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  readonly instrument?: InstrumentName | undefined;
  /** As the orders were asked for. */
  readonly types?: readonly OrderType[] | undefined;
  readonly label?: string | undefined;
}

export interface HistoryQuery extends OrderFilter {
  readonly count: number;
  readonly offset: number;
  /** A token of an earlier answer: goes on behind its last record. */
  readonly continuation?: string | undefined;
  /** Also orders closed longer ago than two days. */
  readonly includeOld: boolean;
  /** Also closed orders without a fill. */
  readonly includeUnfilled: boolean;
  /** False: the recent window only; true: what is older than it. */
  readonly historical: boolean;
}

export interface TradesQuery extends Omit<OrderFilter, 'types'> {
  readonly orderId?: OrderId | undefined;
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** Inclusive, in the numbering of the instrument. */
  readonly startSeq?: number | undefined;
  readonly endSeq?: number | undefined;
  /** Inclusive. */
  readonly startId?: string | undefined;
  readonly endId?: string | undefined;
  readonly count: number;
  readonly sorting: 'asc' | 'desc';
  readonly historical: boolean;
}

export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** The venue's own word, with its code and name of the error. */
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      /** `param` is named as the callers of the order methods know it: `quantity`, `triggerPrice`. */
      readonly details?:
        | {
            readonly param: string;
            readonly reason: string;
            /** When the same request may be let through. */
            readonly retryAfterSec?: number | undefined;
          }
        | undefined;
    }
  /** No usable answer: the request may or may not have had its effect. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** An order after a request, with the trades the request itself made. */
export interface Worked {
  readonly order: OrderRecord;
  readonly trades: readonly TradeRecord[];
}

/** What the venue tells of accounts and markets without being asked; gaps announce themselves. */
export type DeskNews =
  | { readonly kind: 'order'; readonly order: OrderRecord }
  | { readonly kind: 'trade'; readonly trade: TradeRecord }
  /** Balances, positions or margins of the account changed: read them. */
  | { readonly kind: 'account'; readonly account: AccountId }
  /** Something may have been missed: read what matters again. */
  | { readonly kind: 'reconnected' };

/** Why orders are taken back, as far as who asks may say; the other reasons are the venue's own. */
export type ChildCancelReason =
  | 'user_request'
  | 'cancel_on_disconnect'
  | 'mmp_trigger'
  | 'risk_mitigation';

/** What of an account's orders can be asked and taken back by anybody who has the desk. */
export interface DeskReads extends MarketReads {
  /** With the reason where the venue can tell it. */
  cancel(request: {
    readonly account: AccountId;
    readonly orderId: OrderId;
    readonly reason?: ChildCancelReason | undefined;
  }): Promise<Reply<OrderRecord>>;
  /**
   * Every order the filter matches, waiting ones included; answers how many. With the reason where the
   * venue can tell it.
   */
  cancelAll(
    filter: OrderFilter & { readonly reason?: ChildCancelReason | undefined },
  ): Promise<Reply<number>>;
  order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>>;
  /** In every state that is still remembered, newest first. */
  ordersLabelled(
    filter: OrderFilter & { readonly label: string },
  ): Promise<Reply<readonly OrderRecord[]>>;
  /** Waiting ones included, newest first. */
  openOrdersOf(filter: OrderFilter): Promise<Reply<readonly OrderRecord[]>>;
  /** Closed orders, newest first. `continuation` is absent at the end. */
  orderHistory(
    query: HistoryQuery,
  ): Promise<
    Reply<{ readonly orders: readonly OrderRecord[]; readonly continuation?: string | undefined }>
  >;
  trades(
    query: TradesQuery,
  ): Promise<Reply<{ readonly trades: readonly TradeRecord[]; readonly hasMore: boolean }>>;
  positionsOf(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>>;
  summaryOf(account: AccountId, currency: Currency): Promise<Reply<AccountSummary>>;
  /** Duplicates and any order of arrival are possible. */
  listen(listener: (news: DeskNews) => void): () => void;
}

/** The order methods before the gate, as gateways have them. */
export interface TradingDesk extends DeskReads {
  readonly enter: (order: NewOrder) => Promise<Reply<Worked>>;
  readonly edit: (change: OrderChange) => Promise<Reply<Worked>>;
}

/** The order methods behind the gate, as venues have them. */
export interface VenueDesk extends DeskReads {
  readonly enter: (order: Cleared<NewOrder>) => Promise<Reply<Worked>>;
  readonly edit: (change: Cleared<OrderChange>) => Promise<Reply<Worked>>;
}
