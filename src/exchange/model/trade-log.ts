// The recent trades of users, per account by time and per order.
import type { AccountId, OrderId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { ExchangeTrade } from '../order.ts';
import { AgeQueue, type Span } from './age-queue.ts';

export interface TradeRetention {
  readonly tradesMs: number;
  /** Per account; beyond this many the oldest are dropped early, so that memory stays bounded. */
  readonly tradesMax: number;
}

export class TradeLog {
  readonly #retention: TradeRetention;
  readonly #byAccount = new Map<AccountId, AgeQueue<ExchangeTrade>>();
  readonly #byOrder = new Map<OrderId, ExchangeTrade[]>();

  constructor(retention: TradeRetention) {
    this.#retention = retention;
  }

  add(trade: ExchangeTrade): void {
    let own = this.#byAccount.get(trade.account);
    if (own === undefined) {
      own = new AgeQueue();
      this.#byAccount.set(trade.account, own);
    }
    own.push(trade, trade.at);
    const same = this.#byOrder.get(trade.orderId);
    if (same === undefined) this.#byOrder.set(trade.orderId, [trade]);
    else same.push(trade);
  }

  has(trade: ExchangeTrade): boolean {
    return this.byOrder(trade.orderId).some((other) => other.tradeId === trade.tradeId);
  }

  /** Oldest first. */
  byOrder(id: OrderId): readonly ExchangeTrade[] {
    return this.#byOrder.get(id) ?? [];
  }

  /** Oldest first. */
  since(account: AccountId, from: Instant): readonly ExchangeTrade[] {
    return this.#byAccount.get(account)?.since(from) ?? [];
  }

  between(account: AccountId, span: Span, order: 'asc' | 'desc'): Iterable<ExchangeTrade> {
    return this.#byAccount.get(account)?.between(span, order) ?? [];
  }

  *all(): IterableIterator<ExchangeTrade> {
    for (const trades of this.#byAccount.values()) yield* trades;
  }

  forget(now: Instant): void {
    const { tradesMs, tradesMax } = this.#retention;
    const limits = { before: later(now, -tradesMs), keepMax: tradesMax };
    for (const trades of this.#byAccount.values()) {
      trades.forget(limits, (trade) => this.#drop(trade));
    }
  }

  #drop(trade: ExchangeTrade): void {
    const same = this.#byOrder.get(trade.orderId);
    if (same === undefined || same.length <= 1) this.#byOrder.delete(trade.orderId);
    else same.shift();
  }
}
