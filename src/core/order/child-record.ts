// A settled child order as plain JSON, and back: everything by which a later report about it is judged.
import { price, quantity, text } from '../../values/amounts.ts';
import { assert } from '../../values/assert.ts';
import { childLabelOf, orderId } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { Plain } from '../../values/text/json-form.ts';
import { type ChildOrder, isUnsettled } from './child-order.ts';

/** No request about a settled child is in flight, so it has neither an edit nor a cancel. */
export type ChildRecord = Plain<Omit<ChildOrder, 'edit' | 'cancel'>>;

export function childToRecord(child: ChildOrder): ChildRecord {
  assert(
    !isUnsettled(child) && child.edit === undefined && child.cancel === undefined,
    () => `child ${child.label} is ${child.state} and not settled`,
  );
  const { label, leg, slice, attempt, side, timeInForce, reduceOnly, state, edits } = child;
  const { orderId, trades, venueFilled, closedAt, block, absentSince } = child;
  return {
    label,
    leg,
    slice,
    attempt,
    side,
    timeInForce,
    reduceOnly,
    state,
    edits,
    quantity: text(child.quantity),
    price: text(child.price),
    intendedAt: child.intendedAt,
    pricedAt: child.pricedAt,
    validUntil: child.validUntil,
    filled: text(child.filled),
    trades: [...trades],
    ...(orderId !== undefined && { orderId }),
    ...(venueFilled !== undefined && { venueFilled: text(venueFilled) }),
    ...(closedAt !== undefined && { closedAt }),
    ...(block !== undefined && { block }),
    ...(absentSince !== undefined && { absentSince }),
  };
}

/** All fields are set, in the order of a child that was just intended: objects of one shape are cheap to copy. */
export const childFromRecord = (record: ChildRecord): ChildOrder => ({
  label: childLabelOf(record.label),
  leg: record.leg,
  slice: record.slice,
  attempt: record.attempt,
  side: record.side,
  quantity: quantity(record.quantity),
  price: price(record.price),
  timeInForce: record.timeInForce,
  reduceOnly: record.reduceOnly,
  state: record.state,
  intendedAt: instant(record.intendedAt),
  pricedAt: instant(record.pricedAt),
  validUntil: instant(record.validUntil),
  orderId: record.orderId === undefined ? undefined : orderId(record.orderId),
  filled: quantity(record.filled),
  trades: record.trades,
  venueFilled: record.venueFilled === undefined ? undefined : quantity(record.venueFilled),
  closedAt: record.closedAt === undefined ? undefined : instant(record.closedAt),
  block: record.block,
  edits: record.edits,
  edit: undefined,
  cancel: undefined,
  absentSince: record.absentSince === undefined ? undefined : instant(record.absentSince),
});
