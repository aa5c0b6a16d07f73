// Activates a met trigger: the trigger order is closed and replaced by an order with its own id.

import { cancelOthers } from '../accounting/link-exclusion.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { childTypeOf, isTriggerType } from '../model/triggers/trigger.ts';
import { leaveAsTriggered, requestOf } from './linked-request.ts';
import { routeForOwner } from './route-order.ts';

/** No effect if the order has been cancelled or triggered in the meantime. */
export function fire(state: ExchangeState, order: LiveOrder): void {
  const type = order.originalType;
  if (order.state !== 'untriggered' || !isTriggerType(type)) return;
  leaveAsTriggered(state, order);
  const becomes = childTypeOf(type);
  if (becomes === 'market') excludeByTrigger(state, order);
  const command = requestOf(state, order, { type: becomes, lots: order.remainingLots });
  const seat = order.conditions?.seat;
  const conditions = { triggerOrderId: order.orderId, ...(seat && { seat }) };
  const { listing } = order;
  const child = routeForOwner(
    state,
    { account: state.ownerOf(order), listing, command },
    conditions,
  );
  order.conditions = { ...order.conditions, firedOrderId: child.orderId };
  succeed(state, order, child);
}

/**
 * An order that goes to the market at once counts as filled, so the linked orders make room first: for its
 * funds, for the position it reduces, and because it might trade with them. (Of the venue's two pages, one
 * says this happens at the trigger, the other at the fill.)
 */
function excludeByTrigger(state: ExchangeState, order: LiveOrder): void {
  const seat = order.conditions?.seat;
  const group = seat && state.links.get(seat.ref);
  if (group?.fillCondition !== 'first_hit' || seat?.role === 'primary') return;
  const member = seat && group.members.get(seat.place);
  if (member !== undefined && group.kind !== 'one_triggers_other')
    cancelOthers(state, group, member);
}

/** The child replaces the trigger order in the linked request. */
function succeed(state: ExchangeState, order: LiveOrder, child: LiveOrder): void {
  const seat = order.conditions?.seat;
  const group = seat && state.links.get(seat.ref);
  if (seat === undefined || group === undefined) return;
  if (seat.role === 'primary') {
    group.primary = child;
    const primaryId = child.orderId;
    for (const { dormant } of group.members.values()) {
      const waiting = dormant?.conditions?.seat;
      if (!dormant?.isLive || waiting === undefined) continue;
      dormant.conditions = { ...dormant.conditions, seat: { ...waiting, primaryId } };
      state.outbox.orderChanged(dormant);
    }
  } else {
    const member = group.members.get(seat.place);
    if (member !== undefined) member.live = child;
  }
  state.pending.linked(child);
}
