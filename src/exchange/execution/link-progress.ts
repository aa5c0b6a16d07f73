// Updates linked orders after a change to one of them: the primary releases its dormant orders, and orders
// that cancel each other are reduced. It is computed from the current state of the orders, not from the last
// event, so it is idempotent.

import { exclude } from '../accounting/link-exclusion.ts';
import { cancel } from '../accounting/working-order.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { isAlive, type LinkGroup, type LinkMember, wasEnded } from '../model/links/link-group.ts';
import { releasedLots } from '../model/links/link-share.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { editOrder } from './edit.ts';
import { leaveAsTriggered, requestOf, triggerRequestOf } from './linked-request.ts';
import { rejectForOwner, routeForOwner } from './route-order.ts';

export function settleLinks(state: ExchangeState, order: LiveOrder): void {
  const seat = order.conditions?.seat;
  const group = seat && state.links.get(seat.ref);
  if (group === undefined) return;
  if (group.primary !== undefined) follow(state, { group, primary: group.primary, order });
  exclude(state, group);
  if (!isAlive(group)) state.links.delete(group.ref);
}

interface Follow {
  readonly group: LinkGroup;
  readonly primary: LiveOrder;
  /** The order that changed. */
  readonly order: LiveOrder;
}

/** Releases what the primary's fills allow, and ends dormant orders that can no longer be released. */
function follow(state: ExchangeState, { group, primary, order }: Follow): void {
  const { filledLots, totalLots } = primary;
  const progress = { filledLots, totalLots, isFilled: primary.state === 'filled' };
  for (const member of group.members.values()) {
    const { dormant, share } = member;
    if (!dormant?.isLive) continue;
    if (endWith(state, member.live, dormant)) continue;
    if (member.live === order) state.outbox.orderChanged(dormant);
    const released = releasedLots(share.totalLots, group.fillCondition, progress);
    const lots = released - share.placedLots;
    if (lots > 0) releaseLots(state, { group, member, dormant, primary }, lots);
    if (dormant.isLive && !primary.isLive) cancel(state, dormant, 'oto_primary_closed');
  }
}

/** If the owner cancels a released order, its unreleased remainder is cancelled too. */
function endWith(state: ExchangeState, live: LiveOrder | undefined, dormant: LiveOrder): boolean {
  if (live === undefined || live.isLive || !wasEnded(live)) return false;
  cancel(state, dormant, live.cancelReason);
  return true;
}

interface Release {
  readonly group: LinkGroup;
  readonly member: LinkMember;
  readonly dormant: LiveOrder;
  readonly primary: LiveOrder;
}

function releaseLots(state: ExchangeState, release: Release, lots: number): void {
  const { member, dormant } = release;
  const { share, live } = member;
  const isLast = share.placedLots + lots >= share.totalLots;
  // A quantity below the minimum order size waits for the next fill.
  if (!live?.isLive && !isLast && lots < dormant.listing.grid.minLots) return;
  share.placedLots += lots;
  if (isLast) leaveAsTriggered(state, dormant);
  else state.outbox.orderChanged(dormant);
  if (live?.isLive) grow(state, live, lots);
  else place(state, release, lots);
}

function place(state: ExchangeState, release: Release, lots: number): void {
  const { member, dormant, primary } = release;
  const seat = dormant.conditions?.seat;
  if (seat === undefined) return;
  const command = triggerRequestOf(state, dormant, lots);
  const conditions = {
    triggerOrderId: dormant.orderId,
    seat: { ...seat, primaryId: primary.orderId },
  };
  const { listing } = dormant;
  const entry = { account: state.ownerOf(dormant), listing, command };
  member.live = routeForOwner(state, entry, conditions);
}

/** Follows the rules of an edit, so the order loses its place, but does not count as the owner's edit. */
function grow(state: ExchangeState, live: LiveOrder, lots: number): void {
  const { listing, replaced, conditions } = live;
  const quantity = listing.grid.quantityOf(live.totalLots + lots);
  const answer = editOrder(state, live, { quantity });
  live.replaced = replaced;
  if (answer.kind !== 'refused') return;
  const { originalType: type } = live;
  const command = requestOf(state, live, { type, lots });
  const account = state.ownerOf(live);
  rejectForOwner(state, { account, listing, command }, conditions ?? {}, answer);
}
