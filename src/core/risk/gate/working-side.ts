// The working orders of an account on one side of one instrument: their sum, and the ones that an opposing order
// would meet first.
import { minus, plus, type Quantity, ZERO_QUANTITY } from '../../../values/amounts.ts';
import type { Side } from '../../../values/instrument.ts';
import type { OpposingOrder, WorkingOrder } from './gate-order.ts';

export class WorkingSide {
  readonly #side: Side;
  readonly #orders = new Set<WorkingOrder>();
  #sum = ZERO_QUANTITY;
  /** Best-priced of the orders that may stay in the book, and of those that never do; as far as known. */
  #resting: WorkingOrder | undefined;
  #immediate: WorkingOrder | undefined;
  /** A best-priced order is gone: the next one has to be searched for. */
  #isStale = false;

  constructor(side: Side) {
    this.#side = side;
  }

  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  get orders(): Iterable<WorkingOrder> {
    return this.#orders;
  }

  /** Remaining quantity, without orders that can only reduce a position. */
  get sum(): Quantity {
    return this.#sum;
  }

  /**
   * The best-priced order in the book of those that may stay there, and of those that never do: an opposing order
   * that meets any meets one of them.
   */
  get nearest(): readonly WorkingOrder[] {
    if (this.#isStale) for (const order of this.#orders) this.#compare(order);
    this.#isStale = false;
    const [resting, immediate] = [this.#resting, this.#immediate];
    if (resting === undefined) return immediate === undefined ? NONE : [immediate];
    return immediate === undefined ? [resting] : [resting, immediate];
  }

  /** Whether an opposing order at this price meets none of them; false if that cannot be said without looking at each. */
  isBeyond({ key, price }: OpposingOrder): boolean {
    return this.nearest.every(
      (own) =>
        own.key !== key &&
        own.price !== undefined &&
        (this.#side === 'sell' ? price.lt(own.price) : price.gt(own.price)),
    );
  }

  add(order: WorkingOrder): void {
    this.#orders.add(order);
    if (!order.reduceOnly) this.#sum = plus(this.#sum, order.rest);
    this.#compare(order);
  }

  delete(order: WorkingOrder): void {
    if (!this.#orders.delete(order)) return;
    if (!order.reduceOnly) this.#sum = minus(this.#sum, order.rest);
    if (order !== this.#resting && order !== this.#immediate) return;
    if (order === this.#resting) this.#resting = undefined;
    else this.#immediate = undefined;
    this.#isStale = this.#orders.size > 0;
  }

  #compare(order: WorkingOrder): void {
    if (!order.isInBook || order.price === undefined) return;
    if (order.isImmediate === true) {
      if (this.#isNearer(order, this.#immediate)) this.#immediate = order;
    } else if (this.#isNearer(order, this.#resting)) this.#resting = order;
  }

  #isNearer({ price }: WorkingOrder, than: WorkingOrder | undefined): boolean {
    if (price === undefined) return false;
    if (than?.price === undefined) return true;
    return this.#side === 'buy' ? price.gt(than.price) : price.lt(than.price);
  }
}

const NONE: readonly WorkingOrder[] = [];
