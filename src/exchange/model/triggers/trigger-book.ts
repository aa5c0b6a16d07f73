// The trigger orders of one instrument, keyed by the price they watch. A price move touches only the orders
// it triggers, and trailing stops.

import type { TriggerSource } from '../../../values/order-terms.ts';
import type { LiveOrder } from '../live-order.ts';
import { isMet, type Trigger, trailed, type WatchedTicks } from './trigger.ts';
import { TriggerLadder } from './trigger-ladder.ts';

export interface Watched {
  /** Triggered orders, no longer watched, in no particular order. */
  readonly met: readonly LiveOrder[];
  /** Trailing stops whose trigger price moved. */
  readonly moved: readonly LiveOrder[];
}

const NOTHING: Watched = { met: [], moved: [] };

class PriceWatch {
  readonly #rising = new TriggerLadder<LiveOrder>('rising');
  readonly #falling = new TriggerLadder<LiveOrder>('falling');
  readonly #trailing = new Set<LiveOrder>();

  add(order: LiveOrder, trigger: Trigger): void {
    const { ticks } = trigger;
    if (trigger.offsetTicks !== undefined) this.#trailing.add(order);
    else if (ticks !== undefined) this.#ladder(trigger).add(ticks, order);
  }

  remove(order: LiveOrder, trigger: Trigger): void {
    const { ticks } = trigger;
    if (trigger.offsetTicks !== undefined) this.#trailing.delete(order);
    else if (ticks !== undefined) this.#ladder(trigger).remove(ticks, order);
  }

  see(watched: WatchedTicks): Watched {
    if (this.#rising.isEmpty && this.#falling.isEmpty && this.#trailing.size === 0) return NOTHING;
    const met = [...this.#rising.take(watched.floor), ...this.#falling.take(watched.ceil)];
    const moved: LiveOrder[] = [];
    for (const order of this.#trailing) {
      const trigger = order.conditions?.trigger;
      if (trigger === undefined) continue;
      const now = trailed(trigger, watched);
      if (now !== trigger) {
        order.conditions = { ...order.conditions, trigger: now };
        moved.push(order);
      } else if (isMet(trigger, watched)) {
        this.#trailing.delete(order);
        met.push(order);
      }
    }
    return { met, moved };
  }

  #ladder({ rises }: Trigger): TriggerLadder<LiveOrder> {
    return rises ? this.#rising : this.#falling;
  }
}

export class TriggerBook {
  readonly #watches: Readonly<Record<TriggerSource, PriceWatch>> = {
    index_price: new PriceWatch(),
    mark_price: new PriceWatch(),
    last_price: new PriceWatch(),
  };

  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(order: LiveOrder, trigger: Trigger): void {
    this.#size += 1;
    this.#watches[trigger.source].add(order, trigger);
  }

  /** To be called once for each order added, whether it has been triggered since or not. */
  remove(order: LiveOrder, trigger: Trigger): void {
    this.#size -= 1;
    this.#watches[trigger.source].remove(order, trigger);
  }

  see(source: TriggerSource, watched: WatchedTicks): Watched {
    return this.#watches[source].see(watched);
  }
}
