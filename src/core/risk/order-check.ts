// The last check before an order becomes an intent: grid, minimum and value. Only a checked order may be sent. An
// order that cannot be checked is blocked.
import {
  isMore,
  type Money,
  type Price,
  type Quantity,
  text,
  toNumber,
} from '../../values/amounts.ts';
import { type Decimal, decimalOf } from '../../values/decimal.ts';
import {
  grossRatio,
  type Instrument,
  isCombo,
  isOnTick,
  isPriceOf,
  tradable,
} from '../../values/instrument.ts';
import { sizeHint, tickHint } from '../../values/nearest-tradable.ts';
import type { Quote } from '../../values/quote.ts';

export interface OrderTerms {
  readonly instrument: Instrument;
  readonly quantity: Quantity;
  readonly price: Price;
}

export type OrderVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'blocked'; readonly control: string; readonly why: string };

const blocked = (control: string, why: string): OrderVerdict => ({ kind: 'blocked', control, why });

/** Value of an order in USD (USDC counted at par); `undefined` if the price of the coin is unknown. */
export function orderUsd(order: OrderTerms, quote: Quote | undefined): Money | undefined {
  const { instrument, price } = order;
  // A combo is worth what its legs are: its own price is a difference.
  const quantity = order.quantity.mul(grossRatio(instrument));
  if (instrument.amountUnit === 'usd') return quantity as Decimal as Money;
  if (instrument.kind !== 'option' && !isCombo(instrument)) {
    return price.mul(quantity) as Decimal as Money;
  }
  // An option's value moves at most like one coin, so its underlying bounds the cost of an error.
  const coin = quote?.underlying ?? quote?.index;
  return coin && (decimalOf(toNumber(coin)).mul(quantity) as Decimal as Money);
}

/** Checks an order against its instrument and the deployment's limit on a single order. */
export function checkOrder(
  order: OrderTerms,
  quote: Quote | undefined,
  limits: { readonly orderUsdMax?: Money | undefined },
): OrderVerdict {
  const { instrument, quantity, price } = order;
  if (!tradable(instrument, quantity).eq(quantity) || quantity.lte(0)) {
    return blocked(
      'order_quantity',
      `${text(quantity)} is not a tradable size of ${instrument.name}: ${sizeHint(instrument, quantity)}`,
    );
  }
  if (!isPriceOf(instrument, price) || !isOnTick(instrument, price)) {
    const hint = tickHint(instrument, price);
    const why = `${text(price)} is not on the tick grid of ${instrument.name}: ${hint}`;
    return blocked('order_price', why);
  }
  if (limits.orderUsdMax === undefined) return { kind: 'passed' };
  const usd = orderUsd(order, quote);
  if (usd === undefined) return blocked('order_value', 'no price of the coin is known');
  return isMore(usd, limits.orderUsdMax)
    ? blocked('order_value', `worth ${text(usd)} USD, more than ${text(limits.orderUsdMax)}`)
    : { kind: 'passed' };
}
