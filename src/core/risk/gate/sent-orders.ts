// The child orders that this process has sent, as far as they may still be open: known without any report of the venue.
import type { Money, Quantity } from '../../../values/amounts.ts';
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

/** Children only. */
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

/** A request that may still take effect: until it is answered, no report proves that it will not. */
export interface Unanswered {
  readonly quantity: Quantity;
  readonly usd: Money;
  readonly sentAt: Instant;
}

const ANSWERED: readonly Unanswered[] = [];

/** Requests that place or edit an order, by its key. */
export class UnansweredRequests {
  readonly #requests = new Map<string, readonly Unanswered[]>();

  /** The result removes it again. */
  add(key: string, request: Unanswered): () => void {
    this.#requests.set(key, [...this.of(key), request]);
    return () => this.#keep(key, (one) => one !== request);
  }

  of(key: string): readonly Unanswered[] {
    return this.#requests.get(key) ?? ANSWERED;
  }

  has(key: string): boolean {
    return this.#requests.has(key);
  }

  delete(key: string): void {
    this.#requests.delete(key);
  }

  forgetBefore(at: Instant): void {
    for (const key of [...this.#requests.keys()]) this.#keep(key, ({ sentAt }) => sentAt >= at);
  }

  #keep(key: string, isKept: (one: Unanswered) => boolean): void {
    const left = this.of(key).filter(isKept);
    if (left.length === 0) this.#requests.delete(key);
    else this.#requests.set(key, left);
  }
}
