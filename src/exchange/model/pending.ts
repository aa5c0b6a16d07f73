// Work that a matching step set off and that is done once the step is complete: orders whose trigger was met,
// and linked orders that traded or closed.
import type { LiveOrder } from './live-order.ts';

export class Pending {
  readonly #fired: LiveOrder[] = [];
  #met: LiveOrder[] = [];
  readonly #linked = new Set<LiveOrder>();

  met(orders: readonly LiveOrder[]): void {
    if (orders.length > 0) this.#met.push(...orders);
  }

  linked(order: LiveOrder): void {
    this.#linked.add(order);
  }

  nextLinked(): LiveOrder | undefined {
    for (const order of this.#linked) {
      this.#linked.delete(order);
      return order;
    }
    return undefined;
  }

  /** Orders met in one step are triggered in the order in which they were placed, after those met earlier. */
  nextFired(): LiveOrder | undefined {
    if (this.#met.length > 0) {
      this.#fired.push(...this.#met.sort((a, b) => a.rank - b.rank));
      this.#met = [];
    }
    return this.#fired.shift();
  }
}
