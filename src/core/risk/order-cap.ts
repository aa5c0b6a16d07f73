// The largest order that the limits on single orders allow: PT-3 in USD, PT-4 in the unit of the amount. They shape an
// order instead of blocking it: what is wanted beyond goes out in further orders.
import {
  isMore,
  type Money,
  minus,
  onStep,
  type Price,
  type Quantity,
  quantity,
  smaller,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { type ControlLimits, quantityLimit } from './gate/control-limits.ts';
import { orderUsd } from './order-check.ts';

/** The limits on single orders. */
export interface OrderCaps {
  /** Of every order; absent = no limit. */
  readonly orderUsdMax?: Money | undefined;
  /** The tighter ones by instrument or account; absent = none. */
  readonly controls?: Pick<ControlLimits, 'orderUsdMax' | 'quantityMax'> | undefined;
}

export interface CapQuestion {
  readonly account: string;
  readonly instrument: Instrument;
  /** Needed where an amount is worth its price; without it no limit in USD is known as an amount. */
  readonly price?: Price | undefined;
  readonly quote: Quote | undefined;
}

export type CapControl = 'order_value' | 'order_volume';

export interface OrderCap {
  readonly control: CapControl;
  /** On the lot grid; zero if not even one lot is allowed. */
  readonly quantity: Quantity;
  /** The limit in its own unit. */
  readonly limit: string;
}

/** Controls that do not apply, because an order of that size is excepted from them. */
export type IsExcepted = (control: CapControl) => boolean;

/** The tightest of the limits; `undefined` if none is set, or none is known as an amount. */
export function orderCap(
  question: CapQuestion,
  caps: OrderCaps,
  isExcepted: IsExcepted = () => false,
): OrderCap | undefined {
  const { instrument } = question;
  let tightest: OrderCap | undefined;
  const note = (cap: OrderCap): void => {
    if (tightest === undefined || isMore(tightest.quantity, cap.quantity)) tightest = cap;
  };
  const usd = usdLimit(question, caps, isExcepted);
  const worth = usd && amountWorth(question, usd);
  if (usd !== undefined && worth !== undefined) {
    note({ control: 'order_value', quantity: worth, limit: `${text(usd)} USD` });
  }
  const table = caps.controls?.quantityMax;
  const most = table && quantityLimit(table, instrument);
  if (most !== undefined && !isExcepted('order_volume')) {
    const size = onStep(most, instrument.amountStep, 'down');
    note({ control: 'order_volume', quantity: size, limit: text(most) });
  }
  return tightest;
}

/** An override excepts from the limits by instrument and account, not from that on every order. */
function usdLimit(
  { account, instrument }: CapQuestion,
  { orderUsdMax, controls }: OrderCaps,
  isExcepted: IsExcepted,
): Money | undefined {
  const table = controls?.orderUsdMax;
  if (table === undefined || table.size === 0) return orderUsdMax;
  const own = [table.get(instrument.name), table.get(account)];
  const limits = [orderUsdMax, ...(isExcepted('order_value') ? [] : own)];
  return limits
    .filter((limit) => limit !== undefined)
    .reduce<Money | undefined>((a, b) => (a === undefined ? b : smaller(a, b)), undefined);
}

const ONE = quantity('1');

/** The most lots that are worth at most `limit`. */
function amountWorth(
  { instrument, price, quote }: CapQuestion,
  limit: Money,
): Quantity | undefined {
  const usdOf = (size: Quantity): Money | undefined => {
    // Neither an amount in USD nor one of option coins is worth its price.
    const at = price ?? quote?.mark ?? quote?.index;
    if (at !== undefined) return orderUsd({ instrument, quantity: size, price: at }, quote);
    return instrument.amountUnit === 'usd'
      ? orderUsd({ instrument, quantity: size, price: instrument.tickSize }, quote)
      : undefined;
  };
  const one = usdOf(ONE);
  if (one === undefined || !one.gt(0)) return undefined;
  const { amountStep } = instrument;
  const lots = onStep(limit.div(one) as unknown as Quantity, amountStep, 'down');
  // The quotient is rounded, and may reach the next lot.
  const usd = usdOf(lots);
  const isOver = usd !== undefined && isMore(usd, limit);
  const most = isOver ? minus(lots, amountStep) : lots;
  return most.gt(0) ? most : ZERO_QUANTITY;
}

/** The tightest limit that an order of this size is above; `undefined` if it is above none that is known. */
export function capBelow(
  quantity: Quantity,
  question: CapQuestion,
  { caps, isExcepted }: { readonly caps: OrderCaps; readonly isExcepted?: IsExcepted },
): OrderCap | undefined {
  const cap = orderCap(question, caps, isExcepted);
  return cap !== undefined && isMore(quantity, cap.quantity) ? cap : undefined;
}
