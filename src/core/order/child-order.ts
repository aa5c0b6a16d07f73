// A child order and its states. A missing answer is a state of its own (`unknown`): it is resolved by querying the
// venue, never by sending again.

import {
  isPositive,
  minus,
  type Price,
  plus,
  type Quantity,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { ChildLabel, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { TimeInForce } from '../../values/order-terms.ts';

/**
 * `sending`  intent durable, no answer yet
 * `live`     the venue has it
 * `unknown`  no usable answer; it may or may not be at the venue
 * `filled`, `cancelled`  closed at the venue
 * `rejected` refused by the venue, confirmed by its answer
 * `unsent`   proven absent after its `validUntil`: it never reached the book
 */
export type ChildState =
  | 'sending'
  | 'live'
  | 'unknown'
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'unsent';

/** A price change on its way to the venue. */
export interface PendingEdit {
  readonly number: number;
  readonly price: Price;
  readonly validUntil: Instant;
  readonly state: 'sending' | 'unknown';
}

/** A cancel on its way to the venue. */
export interface PendingCancel {
  readonly reason: string;
  readonly requestedAt: Instant;
  /** Not re-sent before this instant. */
  readonly retryAt: Instant;
}

export interface ChildOrder {
  readonly label: ChildLabel;
  readonly leg: number;
  readonly slice: number;
  readonly attempt: number;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly timeInForce: TimeInForce;
  /** Whether it is marked so that it cannot enlarge a position. */
  readonly reduceOnly: boolean;
  readonly state: ChildState;
  readonly intendedAt: Instant;
  /** When its price was last computed. */
  readonly pricedAt: Instant;
  /** From this instant of its own clock on, the venue refuses the request. */
  readonly validUntil: Instant;
  readonly orderId?: OrderId | undefined;
  /** Sum of booked fills. */
  readonly filled: Quantity;
  /** Venue trade ids of the booked fills: each counts once. */
  readonly trades: readonly string[];
  /** The filled quantity that the venue reported once the order was closed. */
  readonly venueFilled?: Quantity | undefined;
  readonly closedAt?: Instant | undefined;
  /** A leg of an accepted Block RFQ: neither queried nor cancelled as an order. */
  readonly block?: true | undefined;
  readonly edits: number;
  readonly edit?: PendingEdit | undefined;
  readonly cancel?: PendingCancel | undefined;
  /** Time of the first query after its request deadlines that did not find it. */
  readonly absentSince?: Instant | undefined;
}

export const isWorking = (child: ChildOrder): boolean =>
  child.state === 'sending' || child.state === 'live' || child.state === 'unknown';

/** Fills that the venue has counted but that are not booked yet. */
export function missingFills(child: ChildOrder): Quantity {
  if (child.venueFilled === undefined) return ZERO_QUANTITY;
  const missing = minus(child.venueFilled, child.filled);
  return isPositive(missing) ? missing : ZERO_QUANTITY;
}

/** True while the child can still change the totals. */
export const isUnsettled = (child: ChildOrder): boolean =>
  isWorking(child) || isPositive(missingFills(child));

/** Quantity that is, or may be, at the venue and is not yet booked as filled. */
export function outstanding(child: ChildOrder): Quantity {
  return isWorking(child) ? minus(child.quantity, child.filled) : missingFills(child);
}

/** Sum of the outstanding quantities of the children. */
export function totalOutstanding(children: Iterable<ChildOrder>): Quantity {
  let total = ZERO_QUANTITY;
  for (const child of children) total = plus(total, outstanding(child));
  return total;
}
