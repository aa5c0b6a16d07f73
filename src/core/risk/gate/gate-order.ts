// One order as the gate sees it, regardless of its sender: its state after the request, at the worst price at which
// it may trade, with the known context. A control returns a fault, or nothing.
import type { Money, Price, Quantity } from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument, Side } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import type { ControlLimits } from './control-limits.ts';

export interface GateOrder {
  readonly account: AccountId;
  readonly instrument: Instrument;
  readonly side: Side;
  /** Total quantity, including fills. */
  readonly quantity: Quantity;
  /** The worst price at which it may trade, if known; if absent, a control that needs it blocks. */
  readonly price: Price | undefined;
  /** Value in USD; if absent, a control that needs it blocks. */
  readonly usd: Money | undefined;
  readonly reduceOnly: boolean;
  /** It may match on arrival: it is neither post-only nor waiting for a trigger. */
  readonly takes: boolean;
  /** Any quantity that does not match on arrival is cancelled: it never stays in the book. Absent = it may stay. */
  readonly isImmediate?: boolean | undefined;
  /** It waits for a trigger: it is not in the book yet, and its market is elsewhere. */
  readonly waits: boolean;
  /** The limit of a waiting order is checked against this price, if known. */
  readonly triggerPrice?: Price | undefined;
  /** Key under which it is stored while it works; an edit replaces the entry. */
  readonly key: string;
  /** Children only. */
  readonly child?:
    | { readonly portfolio: string; readonly leg: number; readonly slice: number }
    | undefined;
}

/** An order that works, or may work. */
export interface WorkingOrder {
  readonly key: string;
  readonly instrument: string;
  readonly side: Side;
  /** Remaining quantity. */
  readonly rest: Quantity;
  readonly price: Price | undefined;
  /** Value of the remaining quantity. */
  readonly usd: Money;
  /** It may be matched: it does not wait for a trigger. */
  readonly isInBook: boolean;
  /** It never stays in the book; absent = it may. */
  readonly isImmediate?: boolean | undefined;
  readonly reduceOnly: boolean;
  /** An order of a combo: what it would do in each leg, which is never matched by itself. */
  readonly inLegs?: readonly WorkingOrder[] | undefined;
}

/** What this process itself has sent, known without any report of the venue. */
export interface SentOrders {
  /** A slice of the portfolio that recently sent the same order and may still have it open. */
  twin(order: GateOrder, since: Instant): number | undefined;
}

export interface OpposingOrder {
  readonly key: string;
  readonly price: Price;
}

/** The known state of the order's account. */
export interface AccountView {
  /** Signed, in the amount unit; for spot, today's net trades. */
  position(instrument: string): Quantity;
  /** Remaining working quantity on the side, that of combos included, without the order under `except`. */
  working(instrument: string, side: Side, except: string): Quantity;
  /** Value of all working orders except `except`, plus today's traded value. */
  grossUsd(except: string): Money;
  /** May leave out orders that an opposing order `by` this key and price does not meet. */
  ordersOn(instrument: string, side: Side, by: OpposingOrder): Iterable<WorkingOrder>;
}

export interface GateContext {
  readonly now: Instant;
  readonly quote: Quote | undefined;
  readonly limits: ControlLimits;
  /** Absent while unknown: controls that need it block. */
  readonly account: AccountView | undefined;
  /** For the account; absent where sent orders are not counted: the control that needs it blocks. */
  readonly sent: SentOrders | undefined;
  /** Why the market must not be traded in, if it must not. */
  readonly unrest?: string | undefined;
}

export interface GateFault {
  readonly why: string;
  /** The limit and the value checked against it, as text. */
  readonly limit?: string | undefined;
  readonly input?: string | undefined;
}

export type OrderControl = (order: GateOrder, context: GateContext) => GateFault | undefined;
