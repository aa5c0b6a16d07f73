// What a capture may do at a venue: a few orders of the smallest size, each worth little.
import { CaptureStopped } from '../../../adapters/deribit/capture/capture-point.ts';
import { type Price, type Quantity, text } from '../../../values/amounts.ts';
import { type Instrument, isPricedInversely } from '../../../values/instrument.ts';

export const ORDERS_MAX = 12;
export const ORDER_USD_MAX = 100;

export class CaptureLimits {
  #orders = 0;

  /** @throws CaptureStopped if one more order would be beyond the limits */
  count(instrument: Instrument, quantity: Quantity, price: Price): void {
    if (this.#orders >= ORDERS_MAX) {
      throw new CaptureStopped(`${ORDERS_MAX} orders were placed; no more are accepted`);
    }
    const usd = isPricedInversely(instrument)
      ? Number(text(quantity))
      : Number(text(quantity)) * Number(text(price));
    if (!(usd <= ORDER_USD_MAX)) {
      throw new CaptureStopped(
        `the smallest order on ${instrument.name} is worth ${Math.round(usd)} USD; accepted: at most ${ORDER_USD_MAX}`,
      );
    }
    this.#orders += 1;
  }
}
