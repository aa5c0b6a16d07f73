// Computes what an order would fill if it arrived now, without changing anything: entry by entry, as the
// fills would happen. A fill can cancel reduce-only and linked orders of its maker, so the resting sizes are
// not enough; fill-or-kill orders and self-trade checks need the exact answer.

import type { Incoming } from '../book/matching.ts';
import type { Resting } from '../book/price-level.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { type LinkSeat, roomOf, type Share } from '../model/links/link-seat.ts';
import { floorShare } from '../model/links/link-share.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { CancelReason } from '../order.ts';
import { reducibleLots } from './reduce-only.ts';

interface Reach {
  /** At most the requested lots; the owner's own orders and those of its siblings are excluded. */
  readonly lots: number;
  /** Whose order is reached first before the incoming one is filled: another one of its owner, or one of a sibling. */
  readonly meets: Overlap | undefined;
}

interface Owner {
  /** Others whose orders its own must not trade with. */
  readonly siblings: ReadonlySet<object>;
}

/** Why an order that would trade with its owner's own, or with that of a sibling, is cancelled. */
export type Overlap = Extract<CancelReason, `order_overlap${string}`>;

/** The overlap of an order of `owner` with a resting one of `other`; `undefined` if the two may trade. */
export function overlapOf(owner: Owner, other: object): Overlap | undefined {
  if (owner === other) return 'order_overlap';
  const { siblings } = owner;
  return siblings.size > 0 && siblings.has(other) ? 'order_overlap_another_sub' : undefined;
}

export function fillableQuantity(listing: Listing, incoming: Incoming, owner: Owner): Reach {
  const against = listing.book.against(incoming.side);
  const gone = new Map<Exposure, number>();
  const links = new LinkWalk();
  let left = incoming.lots;
  let meets: Overlap | undefined;
  for (const level of against.levels()) {
    if (left === 0 || !against.isWithin(level.ticks, incoming.limitTicks)) break;
    for (let entry = level.head; entry !== undefined && left > 0; entry = entry.next) {
      const overlap = overlapOf(owner, entry.owner);
      if (overlap === undefined) left -= lotsFrom(listing, entry, { left, gone, links });
      else meets ??= overlap;
    }
  }
  return { lots: incoming.lots - left, meets };
}

interface Walk {
  readonly left: number;
  /** The lots that the orders of each maker would have traded so far. */
  readonly gone: Map<Exposure, number>;
  readonly links: LinkWalk;
}

function lotsFrom(listing: Listing, entry: Resting, { left, gone, links }: Walk): number {
  const resting = entry.lots + entry.hiddenLots;
  if (!(entry instanceof LiveOrder)) return Math.min(left, resting);
  const exposure = (entry.owner as Account).exposure(listing);
  const before = gone.get(exposure) ?? 0;
  // The fills before it reduce the position, and with it what a reduce-only order has left when its turn comes.
  const reducible = Math.max(0, reducibleLots(exposure.lots, entry.side) - before);
  const standing = entry.reduceOnly ? Math.min(resting, reducible) : resting;
  if (standing === 0) return 0;
  const lots = links.take(entry, standing, Math.min(left, standing));
  gone.set(exposure, before + lots);
  return lots;
}

/**
 * Computes what linked orders would trade with an order that walks the book, where a fill of one removes or
 * reduces the others. Nothing is changed.
 */
class LinkWalk {
  /** Lots each share has traded on the way. */
  readonly #gone = new Map<Share, number>();
  /** Pools in which one order has traded enough to cancel the others. */
  readonly #decided = new Set<readonly Share[]>();

  /** How many of at most `wanted` lots the order trades, given that `standing` lots rest in the book. */
  take(order: LiveOrder, standing: number, wanted: number): number {
    const seat = order.conditions?.seat;
    if (seat === undefined || seat.pool.length === 0) return Math.min(standing, wanted);
    const { share, pool, fillCondition } = seat;
    if (this.#decided.has(pool)) return 0;
    const free = fillCondition === 'incremental' ? Math.min(standing, this.#room(seat)) : standing;
    const lots = Math.min(free, wanted);
    this.#gone.set(share, (this.#gone.get(share) ?? 0) + lots);
    const isGrowing = share.placedLots < share.totalLots;
    const isEnd = fillCondition === 'first_hit' ? lots > 0 : lots === free && !isGrowing;
    if (isEnd) this.#decided.add(pool);
    return lots;
  }

  #room({ share, pool }: LinkSeat): number {
    let cutLots = 0;
    for (const other of pool) {
      if (other === share) continue;
      const filled = other.filledLots + (this.#gone.get(other) ?? 0);
      cutLots += floorShare(share.totalLots, Math.min(filled, other.totalLots), other.totalLots);
    }
    const gone = this.#gone.get(share) ?? 0;
    return Math.max(0, roomOf({ ...share, cutLots }) - gone);
  }
}
