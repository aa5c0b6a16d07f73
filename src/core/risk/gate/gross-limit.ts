// PT-9: the value of everything that an account has working and has traded since midnight UTC, including this order
// from the moment it is cleared. Orders that can only reduce a position are allowed.
import { isMore, plus, text } from '../../../values/amounts.ts';
import { accountLimit } from './control-limits.ts';
import type { OrderControl } from './gate-order.ts';

export const grossLimit: OrderControl = (order, { account, limits }) => {
  if (limits.grossUsdMax === undefined || order.reduceOnly) return undefined;
  const limit = accountLimit(limits.grossUsdMax, order.account);
  if (limit === undefined) return { why: `no limit on what account ${order.account} may trade` };
  if (account === undefined) return { why: 'what the account has traded is not known yet' };
  if (order.usd === undefined) {
    return { why: `no price is known to value ${order.instrument.name} by` };
  }
  const after = plus(account.grossUsd(order.key), order.usd);
  if (!isMore(after, limit)) return undefined;
  return {
    why: `${text(after)} USD working and traded today on account ${order.account}, more than ${text(limit)}`,
    limit: text(limit),
    input: text(after),
  };
};
