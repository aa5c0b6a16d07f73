// PT-8: how large a position may become, long or short, with every working order on that side filled. Orders that can
// only reduce a position are allowed. An order of a combo is judged by the position in each of its legs.
import { isMore, minus, plus, text, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { tradedBy } from '../../../values/instrument.ts';
import { quantityLimit } from './control-limits.ts';
import type { OrderControl } from './gate-order.ts';

export const positionLimit: OrderControl = (order, { account, limits }) => {
  if (limits.positionMax === undefined || order.reduceOnly) return undefined;
  for (const traded of tradedBy(order.instrument, order.side, order.quantity)) {
    const { instrument: name, side, quantity } = traded;
    // The legs of a combo have its coin and its unit of amounts.
    const limit = quantityLimit(limits.positionMax, { ...order.instrument, name });
    if (limit === undefined) return { why: `no limit on positions in ${name}` };
    if (account === undefined) return { why: 'positions of the account are not known yet' };
    const position = account.position(name);
    const towards = side === 'buy' ? position : minus(ZERO_QUANTITY, position);
    const working = account.working(name, side, order.key);
    const after = plus(plus(towards, working), quantity);
    if (!isMore(after, limit)) continue;
    const way = side === 'buy' ? 'long' : 'short';
    return {
      why: `${text(after)} ${way} of ${name} with all orders filled, more than ${text(limit)}`,
      limit: text(limit),
      input: text(after),
    };
  }
  return undefined;
};
