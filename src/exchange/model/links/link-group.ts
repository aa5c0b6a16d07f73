// The orders of one linked request that can still act, and their roles towards each other.

import type { FillCondition, LinkKind } from '../../../values/order-terms.ts';
import type { LiveOrder } from '../live-order.ts';
import type { LinkSeat, Share } from './link-seat.ts';

/** A secondary order, or one of the orders that cancel each other. */
export interface LinkMember {
  readonly share: Share;
  /** Waits for the primary. */
  dormant: LiveOrder | undefined;
  /** The latest order that was placed in its place. */
  live: LiveOrder | undefined;
}

export interface LinkGroup {
  readonly ref: string;
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  /** Of links in which an order triggers others. */
  primary: LiveOrder | undefined;
  readonly members: Map<number, LinkMember>;
  /** The shares of the orders that cancel each other. */
  readonly pool: Share[];
}

export const newGroup = ({
  ref,
  kind,
  fillCondition,
}: Pick<LinkSeat, 'ref' | 'kind' | 'fillCondition'>): LinkGroup => ({
  ref,
  kind,
  fillCondition,
  primary: undefined,
  members: new Map(),
  pool: [],
});

export function join(group: LinkGroup, place: number, share: Share): LinkMember {
  const member = { share, dormant: undefined, live: undefined };
  group.members.set(place, member);
  if (group.kind !== 'one_triggers_other') group.pool.push(share);
  return member;
}

/** False once nothing in the group can change any more. */
export function isAlive({ primary, members }: LinkGroup): boolean {
  if (primary?.isLive) return true;
  for (const { dormant, live } of members.values())
    if (dormant?.isLive || live?.isLive) return true;
  return false;
}

/**
 * `out` is an order that never entered the market or was cancelled by the others: it decides nothing. An
 * order that is used up while more of its share is still to be placed counts as working.
 */
export type Standing = 'working' | 'filled' | 'ended' | 'out';

export function standingOf({ dormant, live }: LinkMember): Standing {
  const isGrowing = dormant?.isLive ?? false;
  if (live === undefined) return isGrowing ? 'working' : 'out';
  if (live.isLive || live.state === 'triggered') return 'working';
  if (isGrowing && !wasEnded(live)) return 'working';
  if (live.state === 'rejected' || live.cancelReason === 'oco_other_closed') return 'out';
  return live.state === 'filled' ? 'filled' : 'ended';
}

/** Cancelled by its owner or the venue. An order that was filled, cut to zero or expired does not count. */
export const wasEnded = ({ state, cancelReason }: LiveOrder): boolean =>
  state === 'cancelled' && cancelReason !== undefined && cancelReason !== 'oco_other_closed';
