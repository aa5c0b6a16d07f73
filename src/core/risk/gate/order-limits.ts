// PT-3 and PT-4: the largest size of one order, in USD and in its amount unit. An instrument that no limit covers is
// blocked.
import { isMore, text } from '../../../values/amounts.ts';
import { quantityLimit } from './control-limits.ts';
import type { GateFault, OrderControl } from './gate-order.ts';

/** PT-3 by instrument or account; the limit on every order is in `order-check.ts`. */
export const orderValue: OrderControl = ({ account, instrument, usd }, { limits }) => {
  const table = limits.orderUsdMax;
  if (table === undefined || table.size === 0) return undefined;
  for (const name of [instrument.name, account]) {
    const limit = table.get(name);
    if (limit === undefined) continue;
    if (usd === undefined) return { why: `no price is known to value ${instrument.name} by` };
    if (isMore(usd, limit)) {
      return over(`worth ${text(usd)} USD, more than ${text(limit)} for ${name}`, limit, usd);
    }
  }
  return undefined;
};

/** PT-4. */
export const orderVolume: OrderControl = ({ instrument, quantity }, { limits }) => {
  if (limits.quantityMax === undefined) return undefined;
  const limit = quantityLimit(limits.quantityMax, instrument);
  if (limit === undefined) return { why: `no limit on the size of orders of ${instrument.name}` };
  if (!isMore(quantity, limit)) return undefined;
  return over(`${text(quantity)} of ${instrument.name}, more than ${text(limit)}`, limit, quantity);
};

type Amount = Parameters<typeof text>[0];

const over = (why: string, limit: Amount, input: Amount): GateFault => ({
  why,
  limit: text(limit),
  input: text(input),
});
