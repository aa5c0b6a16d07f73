// Every order the exchange still knows: open ones always, closed ones for a limited time. Labels need not be
// unique, so a label maps to a list.

import type { AccountId, OrderId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type Aged, AgeQueue, type Span } from './age-queue.ts';
import type { LiveOrder } from './live-order.ts';

export interface OrderRetention {
  readonly ordersMs: number;
  /** Beyond this many, the oldest closed orders are dropped early, so that memory stays bounded. */
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

  /** Marks the order closed at `at`; it is dropped later. */
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

  /** A copy of the same list, which later closes and drops do not change. */
  closedSoFar(): readonly Aged<LiveOrder>[] {
    return this.#closed.held();
  }

  /** By closing time, newest first. */
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
