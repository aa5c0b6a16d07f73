// A child order and its states. An answer that never came is a state of its own (`unknown`): it is
// settled by asking the venue, never by sending again.
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
import type { TimeInForce } from '../terms/spec.ts';

/**
 * `sending`  intent durable, no answer yet
 * `live`     the venue has it
 * `unknown`  no usable answer; may or may not be at the venue
 * `filled`, `cancelled`  closed at the venue
 * `rejected` the venue refused it, by its own word
 * `unsent`   proven absent after its `validUntil`: never reached the book
 */
export type ChildState =
  | 'sending'
  | 'live'
  | 'unknown'
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'unsent';

/** A change of price on its way to the venue. */
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
  /** Not to be sent again before this. */
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
  /** It cannot enlarge a position. */
  readonly reduceOnly: boolean;
  readonly state: ChildState;
  readonly intendedAt: Instant;
  /** When its price was last decided. */
  readonly pricedAt: Instant;
  /** The venue refuses the request from this instant on, by its own clock. */
  readonly validUntil: Instant;
  readonly orderId?: OrderId | undefined;
  /** Sum of booked fills. */
  readonly filled: Quantity;
  /** Venue trade ids of the booked fills: each counts once. */
  readonly trades: readonly string[];
  /** What the venue said is filled, once it said the order is closed. */
  readonly venueFilled?: Quantity | undefined;
  readonly closedAt?: Instant | undefined;
  /** A leg of a Block RFQ that was accepted: neither asked for nor taken back as an order. */
  readonly block?: true | undefined;
  readonly edits: number;
  readonly edit?: PendingEdit | undefined;
  readonly cancel?: PendingCancel | undefined;
  /** First query after the deadlines of its requests that did not find it. */
  readonly absentSince?: Instant | undefined;
}

export const isWorking = (child: ChildOrder): boolean =>
  child.state === 'sending' || child.state === 'live' || child.state === 'unknown';

/** Fills the venue counted that have not been booked yet. */
export function missingFills(child: ChildOrder): Quantity {
  if (child.venueFilled === undefined) return ZERO_QUANTITY;
  const missing = minus(child.venueFilled, child.filled);
  return isPositive(missing) ? missing : ZERO_QUANTITY;
}

/** True while anything about the child can still change the totals. */
export const isUnsettled = (child: ChildOrder): boolean =>
  isWorking(child) || isPositive(missingFills(child));

/** Quantity that is, or may be, at the venue and not yet booked as filled. */
export function outstanding(child: ChildOrder): Quantity {
  return isWorking(child) ? minus(child.quantity, child.filled) : missingFills(child);
}

/** Σ outstanding over children. */
export function totalOutstanding(children: Iterable<ChildOrder>): Quantity {
  let total = ZERO_QUANTITY;
  for (const child of children) total = plus(total, outstanding(child));
  return total;
}
