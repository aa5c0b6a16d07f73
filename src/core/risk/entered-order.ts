// The last check of manual and programmatic orders of every kind: each is reduced to the worst price at which it may
// trade, as far as that is known in advance, and checked like a child order.

import {
  type Money,
  modelPrice,
  type Price,
  type Quantity,
  toNumber,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isCombo, onTick, type Side } from '../../values/instrument.ts';
import type { AdvancedKind, OrderType } from '../../values/order-terms.ts';
import type { Quote } from '../../values/quote.ts';
import { atVolatility, optionTerms } from '../pricing/option-price.ts';
import { checkOrder, type OrderVerdict } from './order-check.ts';

export interface EnteredOrder {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Quantity;
  /** In the unit of `advanced` if that is given. */
  readonly price?: Price | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly advanced?: AdvancedKind | undefined;
}

const LIMITED: ReadonlySet<OrderType> = new Set(['limit', 'stop_limit', 'take_limit']);

/** Whether the type carries its own limit; the others trade at any market price. */
export const hasLimit = (type: OrderType): boolean => LIMITED.has(type);

/** Whether checking the order needs a quote of its instrument. */
export const needsQuote = ({ instrument, type, advanced }: EnteredOrder): boolean =>
  instrument.kind === 'option' || isCombo(instrument) || advanced !== undefined || !hasLimit(type);

/** {@link checkOrder} for an order of any kind; an order without a known price is blocked. */
export function checkEntered(
  order: EnteredOrder,
  { quote, now }: { readonly quote: Quote | undefined; readonly now: Instant },
  limits: { readonly orderUsdMax?: Money | undefined },
): OrderVerdict {
  const { instrument, quantity, type } = order;
  const price = judgedPrice(order, quote, now);
  if (price !== undefined) return checkOrder({ instrument, quantity, price }, quote, limits);
  const why = `no price is known to judge a ${type} order of ${instrument.name} by`;
  return { kind: 'blocked', control: 'order_price', why };
}

/** The worst price at which an order of any kind may trade; `undefined` if it is unknown. */
export function judgedPrice(
  order: EnteredOrder,
  quote: Quote | undefined,
  now: Instant,
): Price | undefined {
  const { instrument, type, advanced, price } = order;
  if (!hasLimit(type)) return marketPrice(order, quote);
  if (advanced === undefined || price === undefined) return price;
  const own = quote && ownPrice(order, price, { quote, now });
  return own && onTick(instrument, own, 'up');
}

/** A buy pays at most the band and a sell is worth the mark price; a trigger may be beyond both. */
function marketPrice(order: EnteredOrder, quote: Quote | undefined): Price | undefined {
  const { instrument, side, triggerPrice } = order;
  const { mark, maxPrice } = quote ?? {};
  const known = side === 'buy' ? (maxPrice ?? mark) : (mark ?? maxPrice);
  if (known === undefined) return undefined;
  const worst = triggerPrice?.gt(known) ? triggerPrice : known;
  return onTick(instrument, worst, 'up');
}

/** The venue's conversion of a price in USD or in percent of volatility. */
function ownPrice(
  { instrument, advanced }: EnteredOrder,
  price: Price,
  { quote, now }: { readonly quote: Quote; readonly now: Instant },
): Price | undefined {
  if (advanced === 'usd') {
    if (instrument.marginKind === 'linear') return price;
    return quote.index && modelPrice(toNumber(price) / toNumber(quote.index));
  }
  const terms = optionTerms(instrument, quote, now);
  return terms && atVolatility(instrument, terms, toNumber(price) / 100);
}
