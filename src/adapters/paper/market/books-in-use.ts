// Tracks the books in use: watched ones and those with an open order of a user. Only these are kept updated.
import type { AccountEvent } from '../../../exchange/exchange-event.ts';
import type { ExchangeOrder } from '../../../exchange/order.ts';
import type { InstrumentName, OrderId } from '../../../values/ids.ts';
import { CountedNames } from './counted-names.ts';

export class BooksInUse {
  readonly #watchers = new CountedNames();
  readonly #orders = new Map<InstrumentName, Set<OrderId>>();

  constructor(openOrders: Iterable<ExchangeOrder>) {
    for (const order of openOrders) this.#note(order);
  }

  /** Adds one watcher until the returned function is called. */
  watch(name: InstrumentName): () => void {
    return this.#watchers.add(name);
  }

  note(events: readonly AccountEvent[]): void {
    for (const event of events) if (event.kind === 'order_changed') this.#note(event.order);
  }

  has(name: InstrumentName): boolean {
    return this.#watchers.has(name) || this.#orders.has(name);
  }

  /** True if it is watched and no user has an order in it. */
  isWatchedOnly(name: InstrumentName): boolean {
    return this.#watchers.has(name) && !this.#orders.has(name);
  }

  names(): ReadonlySet<InstrumentName> {
    return new Set([...this.#watchers.names(), ...this.#orders.keys()]);
  }

  #note({ orderId, instrument, state }: ExchangeOrder): void {
    const orders = this.#orders.get(instrument) ?? new Set();
    if (state === 'open' || state === 'untriggered') orders.add(orderId);
    else orders.delete(orderId);
    if (orders.size > 0) this.#orders.set(instrument, orders);
    else this.#orders.delete(instrument);
  }
}
