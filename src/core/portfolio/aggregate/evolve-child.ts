// Folds the events of child orders. A child moves from `children` to `ended` once it can no longer change the totals,
// leaves the state some children later, and comes back if the venue contradicts that.

import { plus, price, quantity, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { assert, must } from '../../../values/assert.ts';
import { childLabelOf, orderId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import { type ChildOrder, isUnsettled } from '../../order/child-order.ts';
import { childFromRecord } from '../../order/child-record.ts';
import type { PortfolioEvent } from './portfolio-event.ts';
import type { PortfolioState } from './portfolio-state.ts';
import { childIn, mayHaveLeft, withoutSettled, withSettled } from './settled-children.ts';

export type ChildEvent =
  Extract<PortfolioEvent, { readonly label: string }> extends infer E
    ? Exclude<E, { kind: 'assumption_broken' }>
    : never;

type Children = Pick<PortfolioState, 'children' | 'ended'>;

/** The children with the one changed by the event. */
export function evolveChild(state: PortfolioState, event: ChildEvent): Children {
  return stored(state, childAfter(state, event));
}

/** The state with the child as it is. */
export const withChild = (state: PortfolioState, child: ChildOrder): PortfolioState => ({
  ...state,
  ...stored(state, child),
});

export const childOf = (state: PortfolioState, label: string): ChildOrder =>
  must(childIn(state, label), () => noChild(state, label));

/** The child, if it is unsettled: a settled one may have left the state, and no request about it is in flight. */
export function unsettledChild(state: PortfolioState, label: string): ChildOrder | undefined {
  const child = state.children.get(childLabelOf(label));
  const isKnown = childIn(state, label) !== undefined || mayHaveLeft(state, label);
  assert(isKnown, () => noChild(state, label));
  return child;
}

const noChild = ({ id }: PortfolioState, label: string): string =>
  `portfolio ${id} has no child ${label}`;

function childAfter(state: PortfolioState, event: ChildEvent): ChildOrder {
  if (event.kind === 'child_intended') return intended(event);
  if (event.kind === 'child_recalled') return childFromRecord(event);
  return changed(childOf(state, event.label), event);
}

function stored(state: PortfolioState, child: ChildOrder): Children {
  const children = new Map(state.children);
  if (isUnsettled(child)) {
    children.set(child.label, child);
    return { children, ended: withoutSettled(state.ended, child.label) };
  }
  children.delete(child.label);
  return { children, ended: withSettled(state.ended, child, state.legs.length) };
}

const intended = (event: Extract<ChildEvent, { kind: 'child_intended' }>): ChildOrder => ({
  label: childLabelOf(event.label),
  leg: event.leg,
  slice: event.slice,
  attempt: event.attempt,
  side: event.side,
  quantity: quantity(event.quantity),
  price: price(event.price),
  timeInForce: event.timeInForce as TimeInForce,
  reduceOnly: event.reduceOnly,
  state: 'sending',
  intendedAt: instant(event.at),
  pricedAt: instant(event.at),
  validUntil: instant(event.validUntil),
  orderId: undefined,
  filled: ZERO_QUANTITY,
  trades: [],
  venueFilled: undefined,
  closedAt: undefined,
  block: event.block ? true : undefined,
  edits: 0,
  edit: undefined,
  cancel: undefined,
  absentSince: undefined,
});

function changed(
  child: ChildOrder,
  event: Exclude<ChildEvent, { kind: 'child_intended' | 'child_recalled' }>,
): ChildOrder {
  switch (event.kind) {
    case 'child_live':
      return {
        ...child,
        state: 'live',
        orderId: orderId(event.orderId),
        price: event.price === undefined ? child.price : price(event.price),
        absentSince: undefined,
        venueFilled: undefined,
      };
    case 'child_rejected':
      return { ...child, state: 'rejected', cancel: undefined };
    case 'child_unknown':
      return { ...child, state: 'unknown' };
    case 'child_absent':
      return { ...child, absentSince: child.absentSince ?? instant(event.at) };
    case 'child_unsent':
      return { ...child, state: 'unsent', cancel: undefined };
    case 'child_closed':
      return {
        ...child,
        state: event.state,
        orderId: orderId(event.orderId),
        venueFilled: quantity(event.filled),
        closedAt: instant(event.at),
        absentSince: undefined,
        edit: undefined,
        cancel: undefined,
      };
    case 'edit_intended':
      return {
        ...child,
        edits: event.number,
        pricedAt: instant(event.at),
        edit: {
          number: event.number,
          price: price(event.price),
          validUntil: instant(event.validUntil),
          state: 'sending',
        },
      };
    case 'edit_done':
      return { ...child, edit: undefined, price: price(event.price) };
    case 'edit_refused':
      return { ...child, edit: undefined };
    case 'edit_unknown':
      return { ...child, edit: child.edit && { ...child.edit, state: 'unknown' } };
    case 'cancel_intended':
      return {
        ...child,
        cancel: {
          reason: event.reason,
          requestedAt: child.cancel?.requestedAt ?? instant(event.at),
          retryAt: instant(event.retryAt),
        },
      };
    case 'fill_booked':
      return {
        ...child,
        filled: plus(child.filled, quantity(event.quantity)),
        trades: [...child.trades, event.tradeId],
      };
  }
}
