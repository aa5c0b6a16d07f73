// Converts manual and programmatic orders of every kind to the form that the controls of the gate check.

import type { Price } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { OrderType } from '../../../values/order-terms.ts';
import type { Quote } from '../../../values/quote.ts';
import { type EnteredOrder, hasLimit, judgedPrice } from '../entered-order.ts';
import { orderUsd } from '../order-check.ts';
import type { GateOrder } from './gate-order.ts';

const AT_ONCE: ReadonlySet<OrderType> = new Set(['limit', 'market', 'market_limit']);

/** An order without a limit is checked at the first price it meets, and valued at the worst it may pay. */
export function enteredTerms(
  order: EnteredOrder & { readonly postOnly?: boolean | undefined },
  quote: Quote | undefined,
  now: Instant,
): Pick<GateOrder, 'price' | 'usd' | 'takes' | 'waits' | 'triggerPrice'> {
  const { instrument, quantity, type, triggerPrice } = order;
  const worst = judgedPrice(order, quote, now);
  const waits = !AT_ONCE.has(type);
  return {
    price: hasLimit(type) ? worst : waits ? undefined : firstMet(order, quote),
    usd: worst && orderUsd({ instrument, quantity, price: worst }, quote),
    takes: !waits && order.postOnly !== true,
    waits,
    triggerPrice: waits ? triggerPrice : undefined,
  };
}

function firstMet({ side }: EnteredOrder, quote: Quote | undefined): Price | undefined {
  const level = side === 'buy' ? quote?.ask : quote?.bid;
  return level?.price ?? quote?.mark;
}
