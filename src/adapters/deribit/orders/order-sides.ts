// The sides of our own orders, by id: what a trade's own word for its side is checked against. The latest are kept.
import type { OrderId } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';
import { LatestMap } from '../../../values/latest-map.ts';

const KEPT_MAX = 50_000;

export class OrderSides {
  readonly #sides = new LatestMap<OrderId, Side>(KEPT_MAX);

  note({ orderId, side }: { readonly orderId: OrderId; readonly side: Side }): void {
    if (this.#sides.has(orderId)) return;
    this.#sides.set(orderId, side);
  }

  of(orderId: OrderId): Side | undefined {
    return this.#sides.get(orderId);
  }
}
