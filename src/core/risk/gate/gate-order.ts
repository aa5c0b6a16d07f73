// One order as the gate sees it, whoever sends it: as it would stand after the request, at the worst price
// it may trade at, with what is known around it. A control gives a fault, or nothing.
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
  /** Total, what is filled included. */
  readonly quantity: Quantity;
  /** The worst it may trade at, as far as that can be said; absent blocks where a control needs it. */
  readonly price: Price | undefined;
  /** Value in USD; absent blocks where a control needs it. */
  readonly usd: Money | undefined;
  readonly reduceOnly: boolean;
  /** It may match in the moment it arrives: neither post-only nor waiting for a trigger. */
  readonly takes: boolean;
  /** What of it does not match as it arrives is gone: it never stays in the book. Absent = it may. */
  readonly isImmediate?: boolean | undefined;
  /** It waits for a trigger: it is not in the book and its market is elsewhere yet. */
  readonly waits: boolean;
  /** The limit of an order that waits is held against this, where it is known. */
  readonly triggerPrice?: Price | undefined;
  /** What it is kept under while it works; an edit takes the place of what is kept there. */
  readonly key: string;
  /** Children only. */
  readonly child?:
    | { readonly portfolio: string; readonly leg: number; readonly slice: number }
    | undefined;
}

/** An order that works, or may. */
export interface WorkingOrder {
  readonly key: string;
  readonly instrument: string;
  readonly side: Side;
  /** Not filled yet. */
  readonly rest: Quantity;
  readonly price: Price | undefined;
  /** Of the rest. */
  readonly usd: Money;
  /** It may be matched: not one that waits for a trigger. */
  readonly isInBook: boolean;
  /** It never stays in the book; absent = it may. */
  readonly isImmediate?: boolean | undefined;
  readonly reduceOnly: boolean;
}

/** What is known of the account that an order is for. */
export interface AccountView {
  /** Signed, in the amount unit; for spot what was bought and sold today. */
  position(instrument: string): Quantity;
  /** Rest of what works on the side, without the order under `except`. */
  working(instrument: string, side: Side, except: string): Quantity;
  /** Value of all that works, without `except`, and of what was traded today. */
  grossUsd(except: string): Money;
  ordersOn(instrument: string, side: Side): Iterable<WorkingOrder>;
  /** Slices of the portfolio that sent the same order lately and may still have it open. */
  twin(order: GateOrder, since: Instant): number | undefined;
}

export interface GateContext {
  readonly now: Instant;
  readonly quote: Quote | undefined;
  readonly limits: ControlLimits;
  /** Absent while it is not known: that blocks what needs it. */
  readonly account: AccountView | undefined;
  /** Why the market is not to be traded in, if so. */
  readonly unrest?: string | undefined;
}

export interface GateFault {
  readonly why: string;
  /** The limit and what was held against it, as text. */
  readonly limit?: string | undefined;
  readonly input?: string | undefined;
}

export type OrderControl = (order: GateOrder, context: GateContext) => GateFault | undefined;
