// Orders that cancel each other: what a fill or the end of one takes off the others.
import { filledOf, type LinkGroup, type LinkMember, standingOf } from './link-group.ts';
import { floorShare } from './link-share.ts';
import type { LiveOrder } from './live-order.ts';
import type { ExchangeState } from './state.ts';
import { cancel, shrink } from './working-order.ts';

/** Brings all members up to what the others have done. Doing it twice changes nothing. */
export function exclude(state: ExchangeState, group: LinkGroup): void {
  if (group.kind === 'one_triggers_other') return;
  const winner = winnerOf(group);
  if (winner !== undefined) {
    cancelOthers(state, group, winner);
    return;
  }
  if (group.fillCondition !== 'incremental') return;
  for (const member of group.members.values()) {
    const isUsedUp = cut(state, member, cutLotsOf(group, member));
    // The others have filled all its share: what rounding has left of them goes with it.
    if (isUsedUp && !member.dormant?.isLive) cancelOthers(state, group, member);
  }
}

/** The member whose fill or end is the end of the others. */
export function winnerOf({ members, fillCondition }: LinkGroup): LinkMember | undefined {
  for (const member of members.values()) {
    const standing = standingOf(member);
    if (standing === 'filled' || standing === 'ended') return member;
    if (fillCondition === 'first_hit' && filledOf(member) > 0) return member;
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

/** What the fills of the others take off in all, rounded down for each of them. */
export function cutLotsOf({ members }: LinkGroup, member: LinkMember): number {
  let lots = 0;
  for (const other of members.values()) {
    if (other === member || other.share.totalLots === 0) continue;
    const filled = Math.min(filledOf(other), other.share.totalLots);
    lots += floorShare(member.share.totalLots, filled, other.share.totalLots);
  }
  return Math.min(lots, member.share.totalLots);
}

/** True when nothing is left of what stood. */
function cut(state: ExchangeState, { share, live, dormant }: LinkMember, cutLots: number): boolean {
  if (cutLots <= share.cutLots) return false;
  share.cutLots = cutLots;
  if (dormant?.isLive) state.outbox.orderChanged(dormant);
  if (!live?.isLive) return false;
  const allowed = Math.max(live.filledLots, share.placedLots - cutLots - share.doneLots);
  if (allowed > live.filledLots) {
    takeOff(state, live, Math.min(live.totalLots, allowed));
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
