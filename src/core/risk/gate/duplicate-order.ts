// PT-7: two slices of one portfolio that send the same order within moments are treated as an error, as long as the
// first may still be open. Labels and idempotency keys keep one slice or request from being sent twice.
import { text } from '../../../values/amounts.ts';
import { later } from '../../../values/instant.ts';
import type { OrderControl } from './gate-order.ts';

export const duplicateOrder: OrderControl = (order, { sent, limits, now }) => {
  const { duplicateMs } = limits;
  if (duplicateMs === undefined || duplicateMs === 0 || order.child === undefined) return undefined;
  if (sent === undefined) return { why: 'orders sent for the account are not counted' };
  const twin = sent.twin(order, later(now, -duplicateMs));
  if (twin === undefined) return undefined;
  const { side, quantity, instrument } = order;
  return {
    why: `slice ${twin} sent the same order to ${side} ${text(quantity)} of ${instrument.name} less than ${duplicateMs} ms ago`,
    limit: String(duplicateMs),
    input: String(twin),
  };
};
