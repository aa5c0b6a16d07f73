// PT-14: an order that would match an order of its own account in the book is not sent.
import { type Price, text } from '../../../values/amounts.ts';
import { opposite, type Side } from '../../../values/instrument.ts';
import type { OrderControl } from './gate-order.ts';

export const selfMatch: OrderControl = (order, { account, limits }) => {
  const { instrument, side, price, takes, key } = order;
  if (limits.selfMatch !== true || !takes || price === undefined) return undefined;
  if (account === undefined) return { why: 'open orders of the account are not known yet' };
  for (const own of account.ordersOn(instrument.name, opposite(side), { key, price })) {
    if (own.key === key || !own.isInBook || own.price === undefined) continue;
    // Two orders that never stay in the book cannot meet each other.
    if (own.isImmediate === true && order.isImmediate === true) continue;
    if (!meets(side, price, own.price)) continue;
    return {
      why: `would meet the account's own order to ${own.side} at ${text(own.price)}`,
      limit: text(own.price),
      input: text(price),
    };
  }
  return undefined;
};

const meets = (side: Side, at: Price, own: Price): boolean =>
  side === 'buy' ? at.gte(own) : at.lte(own);
