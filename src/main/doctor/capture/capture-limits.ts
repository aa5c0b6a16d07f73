// What a capture may do at a venue: a few orders of the smallest size, each worth little. Those that trade their fills back
// come on top.
import { CaptureStopped } from '../../../adapters/deribit/capture/capture-point.ts';
import { type Price, type Quantity, text } from '../../../values/amounts.ts';
import { type Instrument, isPricedInversely } from '../../../values/instrument.ts';

export const ORDERS_MAX = 6;
export const ORDER_USD_MAX = 100;

/** @throws CaptureStopped for an order worth more than {@link ORDER_USD_MAX} */
export function requireSmall(instrument: Instrument, price: Price): void {
  const { minAmount, name } = instrument;
  const worth = isPricedInversely(instrument) ? minAmount : minAmount.mul(price);
  if (worth.gt(ORDER_USD_MAX)) {
    throw new CaptureStopped(
      `the smallest order on ${name} is worth ${text(worth as Quantity)} USD; accepted: at most ${ORDER_USD_MAX}`,
    );
  }
}

export class OrderCount {
  #orders = 0;

  /** @throws CaptureStopped for more than {@link ORDERS_MAX} */
  add(): void {
    if (this.#orders >= ORDERS_MAX) {
      throw new CaptureStopped(`${ORDERS_MAX} orders were placed; no more are accepted`);
    }
    this.#orders += 1;
  }
}
