// Every order the exchange still knows: open ones always, closed ones for a while. Labels need not be
// unique, so a label leads to a list.

import type { AccountId, OrderId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type Aged, AgeQueue, type Span } from './age-queue.ts';
import type { LiveOrder } from './live-order.ts';

export interface OrderRetention {
  readonly ordersMs: number;
  /** Beyond this many the oldest closed orders go early: memory is bounded. */
  readonly ordersMax: number;
}

export class OrderMemory {
  readonly #retention: OrderRetention;
  readonly #byId = new Map<OrderId, LiveOrder>();
  readonly #byLabel = new Map<AccountId, Map<string, LiveOrder[]>>();
  readonly #closed = new AgeQueue<LiveOrder>();

  constructor(retention: OrderRetention) {
    this.#retention = retention;
  }

  add(order: LiveOrder): void {
    const { orderId, account, label } = order;
    this.#byId.set(orderId, order);
    if (label === '') return;
    const labels = this.#labelsOf(account);
    const same = labels.get(label);
    if (same === undefined) labels.set(label, [order]);
    else same.push(order);
  }

  /** From `at` on the order only waits to be forgotten. */
  close(order: LiveOrder, at: Instant): void {
    this.#closed.push(order, at);
  }

  byId(id: OrderId): LiveOrder | undefined {
    return this.#byId.get(id);
  }

  /** Oldest first. */
  byLabel(account: AccountId, label: string): readonly LiveOrder[] {
    return this.#byLabel.get(account)?.get(label) ?? [];
  }

  /** Oldest first by the time they closed. */
  closed(): Iterable<LiveOrder> {
    return this.#closed;
  }

  /** The same as a list of its own: what closes or is forgotten later does not change it. */
  closedSoFar(): readonly Aged<LiveOrder>[] {
    return this.#closed.held();
  }

  /** By the time they closed, the newest first. */
  closedBetween(span: Span): Iterable<LiveOrder> {
    return this.#closed.between(span, 'desc');
  }

  forget(now: Instant): void {
    const { ordersMs, ordersMax } = this.#retention;
    const limits = { before: later(now, -ordersMs), keepMax: ordersMax };
    this.#closed.forget(limits, (order) => this.#drop(order));
  }

  #drop(order: LiveOrder): void {
    const { orderId, account, label } = order;
    this.#byId.delete(orderId);
    if (label === '') return;
    const labels = this.#labelsOf(account);
    const rest = this.byLabel(account, label).filter((other) => other !== order);
    if (rest.length === 0) labels.delete(label);
    else labels.set(label, rest);
  }

  #labelsOf(account: AccountId): Map<string, LiveOrder[]> {
    const known = this.#byLabel.get(account);
    if (known !== undefined) return known;
    const labels = new Map<string, LiveOrder[]>();
    this.#byLabel.set(account, labels);
    return labels;
  }
}
