// Conditions of recorded orders: triggers, origins, places in linked requests.
import type { Price } from '../../values/amounts.ts';
import type { OrderId } from '../../values/ids.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Conditions } from '../model/conditions.ts';
import { isAlive, join, type LinkGroup, newGroup } from '../model/links/link-group.ts';
import { type LinkSeat, newShare, seatOf } from '../model/links/link-seat.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { isTriggerType, ticksAround, trailingFrom, triggerOf } from '../model/triggers/trigger.ts';
import type { ExchangeOrder, OrderLink } from '../order.ts';

export function recordedConditions(
  state: ExchangeState,
  order: LiveOrder,
  recorded: ExchangeOrder,
): Conditions | undefined {
  const { trigger, triggerOrderId, firedOrderId, rejectReason, link, bump } = recorded;
  const { originalType: type, side, listing } = order;
  if (!(trigger || triggerOrderId || rejectReason || link || bump)) return undefined;
  return {
    ...(trigger && isTriggerType(type) && { trigger: triggerOf(listing, { type, side }, trigger) }),
    ...(triggerOrderId !== undefined && { triggerOrderId }),
    ...(firedOrderId !== undefined && { firedOrderId }),
    ...(rejectReason !== undefined && { rejectReason }),
    ...(link && { seat: recordedSeat(state, order, { link, triggerOrderId }) }),
    ...(bump && { bump }),
  };
}

/** Puts the order back in its place among its linked orders. */
function recordedSeat(
  state: ExchangeState,
  order: LiveOrder,
  { link, triggerOrderId }: Pick<ExchangeOrder, 'triggerOrderId'> & { readonly link: OrderLink },
): LinkSeat {
  const { grid } = order.listing;
  const { ref, place, role } = link;
  const known = state.links.get(ref);
  if (!order.isLive) {
    if (known !== undefined) leave(state, known, order, place);
    return seatOf(link, grid, { share: newShare(0, 0), pool: [] });
  }
  const group = known ?? newGroup(link);
  state.links.set(ref, group);
  if (role === 'primary') {
    group.primary = order;
    return seatOf(link, grid, { share: newShare(0, 0), pool: [] });
  }
  const member = group.members.get(place) ?? join(group, place, newShare(0, 0));
  if (role === 'secondary' && triggerOrderId === undefined) member.dormant = order;
  else member.live = order;
  return seatOf(link, grid, { share: member.share, pool: group.pool });
}

function leave(state: ExchangeState, group: LinkGroup, order: LiveOrder, place: number): void {
  const member = group.members.get(place);
  if (member?.live === order) member.live = undefined;
  if (member?.dormant === order) member.dormant = undefined;
  if (!isAlive(group)) state.links.delete(group.ref);
}

/** No effect on an order that is no longer untriggered. */
export function moveTrailing(state: ExchangeState, id: OrderId, extreme: Price): void {
  const order = state.orders.byId(id);
  const trigger = order?.conditions?.trigger;
  if (order === undefined || trigger === undefined || order.state !== 'untriggered') return;
  const { floor } = ticksAround(extreme, trigger.unit);
  order.conditions = { ...order.conditions, trigger: trailingFrom(trigger, floor) };
}
