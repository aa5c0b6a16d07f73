// Orders that cancel each other: how a fill or the end of one reduces the others.

import type { ExchangeState } from '../exchange-state.ts';
import { type LinkGroup, type LinkMember, standingOf } from '../model/links/link-group.ts';
import { roomOf, type Share } from '../model/links/link-seat.ts';
import { floorShare } from '../model/links/link-share.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { cancel, shrink } from './working-order.ts';

/**
 * Applied at the fill, so that an order that walks the book does not trade with two orders of which the owner
 * wanted only one. As with reduce-only orders, the book may lose or shrink entries during this call.
 */
export function excludeAtFill(state: ExchangeState, order: LiveOrder, lots: number): void {
  const seat = order.conditions?.seat;
  if (seat === undefined) return;
  seat.share.filledLots += lots;
  state.pending.linked(order);
  const group = seat.pool.length === 0 ? undefined : state.links.get(seat.ref);
  if (group !== undefined) exclude(state, group);
}

/** Updates all members after changes to the others. Idempotent. */
export function exclude(state: ExchangeState, group: LinkGroup): void {
  if (group.kind === 'one_triggers_other') return;
  const winner = winnerOf(group);
  if (winner !== undefined) {
    cancelOthers(state, group, winner);
    return;
  }
  if (group.fillCondition !== 'incremental') return;
  for (const member of group.members.values()) {
    const isUsedUp = cut(state, member, cutLotsOf(member.share, group.pool));
    // The others have filled its whole share, so the remainder that rounding left is cancelled too.
    if (isUsedUp && !member.dormant?.isLive) cancelOthers(state, group, member);
  }
}

/** The member whose fill or end cancels the others. */
export function winnerOf({ members, fillCondition }: LinkGroup): LinkMember | undefined {
  for (const member of members.values()) {
    const standing = standingOf(member);
    if (standing === 'filled' || standing === 'ended') return member;
    if (fillCondition === 'first_hit' && member.share.filledLots > 0) return member;
  }
  return undefined;
}

export function cancelOthers(state: ExchangeState, group: LinkGroup, winner: LinkMember): void {
  for (const member of group.members.values()) {
    if (member === winner) continue;
    for (const order of [member.live, member.dormant]) {
      if (order?.isLive) cancel(state, order, 'oco_other_closed');
    }
  }
}

/** The total reduction by the fills of the others, each rounded down. */
export function cutLotsOf(share: Share, pool: readonly Share[]): number {
  let lots = 0;
  for (const other of pool) {
    if (other === share || other.totalLots === 0) continue;
    const filled = Math.min(other.filledLots, other.totalLots);
    lots += floorShare(share.totalLots, filled, other.totalLots);
  }
  return Math.min(lots, share.totalLots);
}

/** True if nothing remains of the member. */
function cut(state: ExchangeState, { share, live, dormant }: LinkMember, cutLots: number): boolean {
  if (cutLots <= share.cutLots) return false;
  share.cutLots = cutLots;
  if (dormant?.isLive) state.outbox.orderChanged(dormant);
  if (!live?.isLive) return false;
  const room = roomOf(share);
  if (room > 0) {
    takeOff(state, live, Math.min(live.totalLots, live.filledLots + room));
    return false;
  }
  cancel(state, live, 'oco_other_closed');
  return true;
}

function takeOff(state: ExchangeState, live: LiveOrder, totalLots: number): void {
  if (live.state === 'open') shrink(state, live, totalLots);
  else live.totalLots = totalLots;
  live.updatedAt = state.now;
  state.outbox.orderChanged(live);
}
