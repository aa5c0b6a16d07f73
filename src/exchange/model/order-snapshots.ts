// Snapshots of open orders at one instant, to be read after the orders have changed: only the numbers that
// can change are copied, outside the heap, so that many cost little at once.
import type { Money } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { ExchangeOrder } from '../order.ts';
import { type LiveOrder, reservesByIndex, STAND_NUMBERS, stoodAs, viewOf } from './live-order.ts';

export class OrderSnapshots {
  readonly #orders: readonly LiveOrder[];
  readonly #numbers: Float64Array;
  readonly #filledValues: readonly Money[];
  /** Orders with more mutable fields are copied whole; there are few. */
  readonly #whole = new Map<LiveOrder, ExchangeOrder>();

  constructor(orders: readonly LiveOrder[]) {
    this.#orders = orders;
    const numbers = new Float64Array(orders.length * STAND_NUMBERS);
    this.#numbers = numbers;
    let at = 0;
    for (const order of orders) {
      if (isPlain(order)) order.stand(numbers, at);
      else this.#whole.set(order, viewOf(order));
      at += STAND_NUMBERS;
    }
    this.#filledValues = orders.map(({ filledValue }) => filledValue);
  }

  get orders(): readonly LiveOrder[] {
    return this.#orders;
  }

  /** `index` is the position of `order` among the orders. */
  view(order: LiveOrder, index: number): ExchangeOrder {
    const whole = this.#whole.get(order);
    if (whole !== undefined) return whole;
    const filledValue = must(this.#filledValues[index], 'one for each order');
    const at = index * STAND_NUMBERS;
    const numbers = this.#numbers.subarray(at, at + STAND_NUMBERS);
    return viewOf(order, stoodAs(order, numbers, filledValue));
  }
}

const isPlain = (order: LiveOrder): boolean =>
  order.conditions === undefined &&
  order.advanced === undefined &&
  order.level !== undefined &&
  !reservesByIndex(order);
