// The orders that wait before they may match: one queue per book, first in first out. All of them are open orders of their
// accounts; one that left its queue otherwise is passed over.
import type { Instant } from '../../values/instant.ts';
import type { ExchangeOrder, ExchangeTrade } from '../order.ts';
import type { Listing } from './instruments/listing.ts';
import type { LiveOrder } from './live-order.ts';

/** An order after its release and what that caused, before the command that follows. */
export interface ReleasedOrder {
  readonly order: ExchangeOrder;
  /** Its own trades of the release. */
  readonly trades: readonly ExchangeTrade[];
}

/** The rank tells it from a later wait of the same order. */
interface Place {
  readonly order: LiveOrder;
  readonly rank: number;
}

export class SpeedBumps {
  readonly #queues = new Map<Listing, Place[]>();
  #released: ReleasedOrder[] = [];

  /** Adds an order whose conditions have the end of its bump. */
  add(order: LiveOrder): void {
    const { listing, rank } = order;
    const queue = this.#queues.get(listing);
    if (queue === undefined) this.#queues.set(listing, [{ order, rank }]);
    else queue.push({ order, rank });
  }

  /** When the next order is released; `undefined` for none. A book that pauses releases nothing. */
  nextAt(): Instant | undefined {
    return this.#next()?.conditions?.bump?.until;
  }

  /** The order to be released at `now`, which leaves its queue; of several books the one that waited longest. */
  take(now: Instant): LiveOrder | undefined {
    const next = this.#next();
    const until = next?.conditions?.bump?.until;
    if (next === undefined || until === undefined || until > now) return undefined;
    this.#queues.get(next.listing)?.shift();
    return next;
  }

  released(order: ReleasedOrder): void {
    this.#released.push(order);
  }

  /** The orders released since the last call. */
  drain(): readonly ReleasedOrder[] {
    const released = this.#released;
    if (released.length > 0) this.#released = [];
    return released;
  }

  #next(): LiveOrder | undefined {
    let next: LiveOrder | undefined;
    for (const [listing, queue] of this.#queues) {
      while (queue[0] !== undefined && !isWaiting(queue[0])) queue.shift();
      const head = queue[0]?.order;
      if (head === undefined) this.#queues.delete(listing);
      else if (listing.state !== 'settlement' && isBefore(head, next)) next = head;
    }
    return next;
  }
}

const isWaiting = ({ order, rank }: Place): boolean =>
  order.state === 'open' && order.rank === rank && order.conditions?.bump !== undefined;

/** Ranks grow with time, whatever the length of each bump. */
function isBefore(order: LiveOrder, other: LiveOrder | undefined): boolean {
  const [own, its] = [order.conditions?.bump?.until, other?.conditions?.bump?.until];
  if (other === undefined || own === undefined || its === undefined) return true;
  return own === its ? order.rank < other.rank : own < its;
}
