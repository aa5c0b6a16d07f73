// Collects the effects of one command and turns them into events when the command is complete: trades in
// their order, then each touched order, position and balance once, with its final state.
//
// The collections are replaced, never cleared: V8 links the table that `clear` leaves behind to the next one,
// so that once one table has been promoted every later one outlives the young generation.
import type { Currency, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { ExchangeEvent } from '../exchange-event.ts';
import type { ExchangeTrade } from '../order.ts';
import type { Account } from './account.ts';
import type { Exposure } from './exposure.ts';
import { type LiveOrder, viewOf } from './live-order.ts';

/** A moment within a command. */
export interface OutboxMark {
  readonly events: number;
  readonly touches: number;
}

export class Outbox {
  #events: ExchangeEvent[] = [];
  /** How often an order changed. */
  #touches = 0;
  #orders = new Set<LiveOrder>();
  #trailed = new Set<LiveOrder>();
  #exposures = new Set<Exposure>();
  #balances = new Map<Account, Set<Currency>>();

  /** Emits an event that is already complete. */
  emit(event: ExchangeEvent): void {
    this.#events.push(event);
  }

  /** Moves the order to the end, so that closed orders are listed in the order in which they closed. */
  orderChanged(order: LiveOrder): void {
    this.#touches += 1;
    if (this.#orders.has(order)) this.#orders.delete(order);
    this.#orders.add(order);
  }

  mark(): OutboxMark {
    return { events: this.#events.length, touches: this.#touches };
  }

  hasTouchedOrders({ touches }: OutboxMark): boolean {
    return this.#touches !== touches;
  }

  /** Of the order alone; the trade of a combo, not those of its legs. */
  tradesOf(id: OrderId, { events }: OutboxMark): readonly ExchangeTrade[] {
    return this.#events
      .slice(events)
      .flatMap((event) =>
        event.kind === 'trade' && event.trade.orderId === id && event.trade.ofCombo === undefined
          ? [event.trade]
          : [],
      );
  }

  /** The trigger price of a trailing stop moved. */
  trailed(order: LiveOrder): void {
    this.#trailed.add(order);
  }

  positionChanged(exposure: Exposure): void {
    this.#exposures.add(exposure);
  }

  balanceChanged(account: Account, currency: Currency): void {
    const known = this.#balances.get(account);
    if (known === undefined) this.#balances.set(account, new Set([currency]));
    else known.add(currency);
  }

  get hasTouchedBalances(): boolean {
    return this.#balances.size > 0;
  }

  /** Balances touched since the last flush. */
  *touchedBalances(): IterableIterator<readonly [Account, Currency]> {
    for (const [account, currencies] of this.#balances) {
      for (const currency of currencies) yield [account, currency];
    }
  }

  flush(at: Instant): void {
    this.#flushTrailed(at);
    if (this.#orders.size > 0) this.#flushOrders(at);
    if (this.#exposures.size > 0) this.#flushExposures(at);
    if (this.hasTouchedBalances) this.#flushBalances(at);
  }

  #flushOrders(at: Instant): void {
    for (const order of this.#orders) {
      this.#events.push({ kind: 'order_changed', at, order: viewOf(order) });
    }
    this.#orders = new Set();
  }

  #flushExposures(at: Instant): void {
    for (const exposure of this.#exposures) {
      this.#events.push({ kind: 'position_changed', at, position: exposure.view() });
    }
    this.#exposures = new Set();
  }

  #flushBalances(at: Instant): void {
    for (const [account, currency] of this.touchedBalances()) {
      const balance = { account: account.id, currency, amount: account.balance(currency) };
      this.#events.push({ kind: 'balance_changed', at, balance });
    }
    this.#balances = new Map();
  }

  #flushTrailed(at: Instant): void {
    if (this.#trailed.size === 0) return;
    const extremes = [...this.#trailed].flatMap((order) => {
      const extreme = order.state === 'untriggered' ? viewOf(order).trigger?.extreme : undefined;
      return extreme === undefined ? [] : [{ orderId: order.orderId, extreme }];
    });
    this.#trailed = new Set();
    if (extremes.length > 0) this.#events.push({ kind: 'trailing_moved', at, extremes });
  }

  drain(): ExchangeEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }
}
