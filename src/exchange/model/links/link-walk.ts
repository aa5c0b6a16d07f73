// Computes what linked orders would trade with an order that walks the book, where a fill of one removes or
// reduces the others. Nothing is changed.

import type { LiveOrder } from '../live-order.ts';
import { type LinkSeat, roomOf, type Share } from './link-seat.ts';
import { floorShare } from './link-share.ts';

export class LinkWalk {
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
