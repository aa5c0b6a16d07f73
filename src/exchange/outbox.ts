// Collects what one command did and turns it into events when the command is complete: trades as they
// came, then each touched order, position and balance once, with its final state.
import type { Currency } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Account } from './account.ts';
import type { ExchangeEvent } from './event.ts';
import type { Exposure } from './exposure.ts';
import { type LiveOrder, viewOf } from './live-order.ts';

export class Outbox {
  #events: ExchangeEvent[] = [];
  readonly #orders = new Set<LiveOrder>();
  readonly #trailed = new Set<LiveOrder>();
  readonly #exposures = new Set<Exposure>();
  readonly #balances = new Map<Account, Set<Currency>>();

  /** Something that is complete as it is. */
  emit(event: ExchangeEvent): void {
    this.#events.push(event);
  }

  /** Goes to the end, so that orders that close come in the order in which they closed. */
  orderChanged(order: LiveOrder): void {
    this.#orders.delete(order);
    this.#orders.add(order);
  }

  /** The trigger of a trailing stop moved. */
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
    for (const order of this.#orders) {
      this.#events.push({ kind: 'order_changed', at, order: viewOf(order) });
    }
    for (const exposure of this.#exposures) {
      this.#events.push({ kind: 'position_changed', at, position: exposure.view() });
    }
    this.#orders.clear();
    this.#exposures.clear();
    if (this.hasTouchedBalances) this.#flushBalances(at);
  }

  #flushBalances(at: Instant): void {
    for (const [account, currency] of this.touchedBalances()) {
      const balance = { account: account.id, currency, amount: account.balance(currency) };
      this.#events.push({ kind: 'balance_changed', at, balance });
    }
    this.#balances.clear();
  }

  #flushTrailed(at: Instant): void {
    if (this.#trailed.size === 0) return;
    const extremes = [...this.#trailed].flatMap((order) => {
      const extreme = order.state === 'untriggered' ? viewOf(order).trigger?.extreme : undefined;
      return extreme === undefined ? [] : [{ orderId: order.orderId, extreme }];
    });
    this.#trailed.clear();
    if (extremes.length > 0) this.#events.push({ kind: 'trailing_moved', at, extremes });
  }

  drain(): ExchangeEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
