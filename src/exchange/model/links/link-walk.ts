// What linked orders would trade with somebody who walks through the book: a fill of one takes the others
// out of his way, or a part of them. Nothing is changed.

import type { LiveOrder } from '../live-order.ts';
import { type LinkSeat, roomOf, type Share } from './link-seat.ts';
import { floorShare } from './link-share.ts';

export class LinkWalk {
  /** What each has traded on the way. */
  readonly #gone = new Map<Share, number>();
  /** Those of which one has traded enough to be the end of the others. */
  readonly #decided = new Set<readonly Share[]>();

  /** How many of at most `wanted` lots the order trades, which has `standing` in the book. */
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
