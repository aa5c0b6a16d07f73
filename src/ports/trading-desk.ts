// The order methods of a venue for manual and programmatic use: every kind of order, every query. Slices use the
// smaller `venue.ts`. Answers are values; nothing is sent twice.

import type { OrderRecord, TradeRecord } from '../core/order/order-record.ts';
import type { AccountSummary, OpenPosition } from '../values/account-report.ts';
import type { Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { InstrumentKind, Side } from '../values/instrument.ts';
import type {
  AdvancedKind,
  FillCondition,
  LinkKind,
  OrderType,
  TimeInForce,
  TriggerSource,
} from '../values/order-terms.ts';
import type { Cleared } from './cleared.ts';
import type { MarketReads } from './market-reads.ts';

/** The terms of a new order; `price` is in the unit of `advanced` if that is given. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  /** At most 64 characters; empty if there is none. */
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

/** Absent fields stay unchanged. */
export interface OrderChange {
  readonly account: AccountId;
  /** By id, or by the label of the only open order of the instrument that carries it. */
  readonly of:
    | { readonly orderId: OrderId }
    | { readonly label: string; readonly instrument: InstrumentName };
  /** New total, including what is already filled. */
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
  readonly historical: boolean;
}

export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Refused by the venue, with its error code and name. */
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      /** `param` is the callers' name of the parameter: `quantity`, `triggerPrice`. */
      readonly details?:
        | {
            readonly param: string;
            readonly reason: string;
            /** When the same request may be accepted. */
            readonly retryAfterSec?: number | undefined;
          }
        | undefined;
    }
  /** No usable answer: the request may or may not have taken effect. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** An order after a request, with the trades that the request itself made. */
export interface Worked {
  readonly order: OrderRecord;
  readonly trades: readonly TradeRecord[];
}

/** What the venue publishes about accounts and markets; gaps are announced. */
export type DeskNews =
  | { readonly kind: 'order'; readonly order: OrderRecord }
  | { readonly kind: 'trade'; readonly trade: TradeRecord }
  /** Balances, positions or margins of the account changed: read them. */
  | { readonly kind: 'account'; readonly account: AccountId }
  /** Notices may have been missed: read again what matters. */
  | { readonly kind: 'reconnected' };

/** The cancel reasons a requester may give; all other reasons are the venue's own. */
export type ChildCancelReason =
  | 'user_request'
  | 'cancel_on_disconnect'
  | 'mmp_trigger'
  | 'risk_mitigation';

/** What any holder of the port may query and cancel. */
export interface DeskReads extends MarketReads {
  /** Passes on the reason if the venue can report it. */
  cancel(request: {
    readonly account: AccountId;
    readonly orderId: OrderId;
    readonly reason?: ChildCancelReason | undefined;
  }): Promise<Reply<OrderRecord>>;
  /**
   * Cancels every order that the filter matches, untriggered ones included; returns the count. Passes on the reason
   * if the venue can report it.
   */
  cancelAll(
    filter: OrderFilter & { readonly reason?: ChildCancelReason | undefined },
  ): Promise<Reply<number>>;
  order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>>;
  /** Orders in every state that the venue still remembers, newest first. */
  ordersLabelled(
    filter: OrderFilter & { readonly label: string },
  ): Promise<Reply<readonly OrderRecord[]>>;
  /** Untriggered ones included, newest first. */
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
  /** Notices may be duplicated and may arrive in any order. */
  listen(listener: (news: DeskNews) => void): () => void;
}

/** The order methods before the gate, as used by gateways. */
export interface TradingDesk extends DeskReads {
  readonly enter: (order: NewOrder) => Promise<Reply<Worked>>;
  readonly edit: (change: OrderChange) => Promise<Reply<Worked>>;
}

/** The order methods behind the gate, as implemented by venues. */
export interface VenueDesk extends DeskReads {
  readonly enter: (order: Cleared<NewOrder>) => Promise<Reply<Worked>>;
  readonly edit: (change: Cleared<OrderChange>) => Promise<Reply<Worked>>;
}
