// The child orders that this process has sent, as far as they may still be open: known without any report of the venue.
import type { Quantity } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { GateOrder, SentOrders } from './gate-order.ts';

export interface SentOrder {
  readonly key: string;
  readonly leg: number;
  readonly slice: number;
  readonly instrument: string;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: GateOrder['price'];
  readonly at: Instant;
}

/** Absent if the order is not a child. */
export function sentOrder(order: GateOrder, at: Instant): SentOrder | undefined {
  const { key, side, quantity, price, child } = order;
  if (child === undefined) return undefined;
  const { leg, slice } = child;
  return { key, leg, slice, instrument: order.instrument.name, side, quantity, price, at };
}

/** The first order sent after `since` that equals `order`, but for another slice of the same leg. */
export const twinAmong = (
  sent: readonly SentOrder[],
  order: GateOrder,
  since: Instant,
): SentOrder | undefined => sent.find((one) => one.at > since && isTwin(one, order));

/** The orders of one portfolio, as the control for duplicates reads them. */
export const sentAmong = (sent: readonly SentOrder[]): SentOrders => ({
  twin: (order, since) => twinAmong(sent, order, since)?.slice,
});

function isTwin(a: SentOrder, b: GateOrder): boolean {
  if (a.key === b.key || a.side !== b.side || a.instrument !== b.instrument.name) return false;
  if (a.slice === b.child?.slice || a.leg !== b.child?.leg) return false;
  return a.quantity.eq(b.quantity) && a.price !== undefined && b.price?.eq(a.price) === true;
}
