// The orders of one linked request that can still do something, by what they are to each other.

import type { FillCondition, LinkKind } from '../../order.ts';
import type { LiveOrder } from '../live-order.ts';
import type { LinkSeat, Share } from './link-seat.ts';

/** One of the orders that are triggered, or that cancel each other. */
export interface LinkMember {
  readonly share: Share;
  /** Waits for the primary. */
  dormant: LiveOrder | undefined;
  /** The latest that was placed in its stead. */
  live: LiveOrder | undefined;
}

export interface LinkGroup {
  readonly ref: string;
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  /** Absent for orders that only cancel each other. */
  primary: LiveOrder | undefined;
  readonly members: Map<number, LinkMember>;
  /** Of those that cancel each other. */
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

/** False once nothing of the group can change any more. */
export function isAlive({ primary, members }: LinkGroup): boolean {
  if (primary?.isLive) return true;
  for (const { dormant, live } of members.values())
    if (dormant?.isLive || live?.isLive) return true;
  return false;
}

/**
 * `out` is who never came to stand in the market or was made to leave by the others: it decides nothing.
 * What ran out by itself while more of it is to come still works.
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

/** Taken back by its owner or the venue; what is filled, cut to nothing or timed out only ran out. */
export const wasEnded = ({ state, cancelReason }: LiveOrder): boolean =>
  state === 'cancelled' && cancelReason !== undefined && cancelReason !== 'oco_other_closed';
