// PT-8: how large a position may become, long or short, with every working order on that side filled. Orders that can
// only reduce a position are allowed.
import {
  isMore,
  minus,
  plus,
  type Quantity,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { quantityLimit } from './control-limits.ts';
import type { OrderControl } from './gate-order.ts';

export const positionLimit: OrderControl = (order, { account, limits }) => {
  if (limits.positionMax === undefined || order.reduceOnly) return undefined;
  const { instrument, side, quantity, key } = order;
  const limit = quantityLimit(limits.positionMax, instrument);
  if (limit === undefined) return { why: `no limit on positions in ${instrument.name}` };
  if (account === undefined) return { why: 'positions of the account are not known yet' };
  const position = account.position(instrument.name);
  const towards: Quantity = side === 'buy' ? position : minus(ZERO_QUANTITY, position);
  const working = account.working(instrument.name, side, key);
  const after = plus(plus(towards, working), quantity);
  if (!isMore(after, limit)) return undefined;
  const way = side === 'buy' ? 'long' : 'short';
  return {
    why: `${text(after)} ${way} of ${instrument.name} with all orders filled, more than ${text(limit)}`,
    limit: text(limit),
    input: text(after),
  };
};
