// The visible quantities of our own orders, which must not count as part of the market. A book may be older or newer than
// the last report of an order: the states of each order are kept for a while, so that its size is known as of a change of
// the book. A request in flight may be in the book before the venue reports it.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import {
  compare,
  larger,
  minus,
  plus,
  type Quantity,
  smaller,
  toNumber,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { AccountId, InstrumentName, OrderId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';

/** What an order showed from an instant of the venue on. */
interface Sight {
  readonly at: Instant;
  readonly filled: Quantity;
  readonly isOpen: boolean;
  /** As a float, which identifies a level as in `level-book.ts`. */
  readonly price: number | undefined;
  readonly shown: Quantity;
}

interface Course {
  readonly account: AccountId;
  readonly label: string;
  readonly side: Side;
  /** In the order in which they happened; at least one. */
  sights: readonly Sight[];
}

/** An order, or a change of one, that the venue may have received and that is not reported yet. */
interface Requested {
  readonly side: Side;
  readonly price: number;
  readonly quantity: Quantity;
  /** By the local clock. */
  readonly sentAt: Instant;
  /** Until when it counts without an answer; absent = it is still waited for. */
  until?: Instant;
}

/** The least and the most that our orders can show at a price. */
export interface OwnBounds {
  readonly least: Quantity;
  readonly most: Quantity;
}

/** How a book was seen: as of which instant of the venue, and when it arrived here. */
export interface SeenAs {
  readonly at: Instant;
  readonly arrivedAt: Instant;
}

/** A book may be older than our orders by this much. */
const KEPT_MS = 10_000;

export class OwnOrders {
  readonly #courses = new Map<InstrumentName, Map<OrderId, Course>>();
  readonly #requested = new Map<InstrumentName, Set<Requested>>();
  /** Orders reported closed while a list of the account was requested, because the list may still contain them. */
  readonly #closed = new Map<AccountId, Set<OrderId>>();

  /** A new list of the account is requested: earlier data is discarded. */
  begin(account: AccountId): void {
    for (const courses of this.#courses.values()) {
      for (const [id, course] of courses) if (course.account === account) courses.delete(id);
    }
    this.#closed.set(account, new Set());
  }

  /** The requested list has arrived. */
  fill(account: AccountId, orders: readonly OrderRecord[]): void {
    const closed = this.#closed.get(account);
    this.#closed.delete(account);
    for (const order of orders) if (!closed?.has(order.orderId)) this.note(order);
  }

  note(order: OrderRecord): void {
    const { orderId, instrument, account, label, side } = order;
    const courses: Map<OrderId, Course> = this.#courses.get(instrument) ?? new Map();
    this.#courses.set(instrument, courses);
    const known = courses.get(orderId);
    const sights = withSight(known?.sights ?? [], sightOf(order));
    courses.set(orderId, { account, label, side, sights });
    if (order.state !== 'open') this.#closed.get(account)?.add(orderId);
    forgetOld(courses, order.updatedAt);
    if (courses.size === 0) this.#courses.delete(instrument);
  }

  /** An order is about to be sent; the returned function is called with its answer. */
  request(
    instrument: InstrumentName,
    asked: { readonly side: Side; readonly price: number; readonly quantity: Quantity },
    sentAt: Instant,
  ): (until?: Instant) => void {
    const all: Set<Requested> = this.#requested.get(instrument) ?? new Set();
    this.#requested.set(instrument, all);
    const one: Requested = { ...asked, sentAt };
    all.add(one);
    return (until) => {
      if (until !== undefined) one.until = until;
      else all.delete(one);
      if (all.size === 0) this.#requested.delete(instrument);
    };
  }

  /** The instrument and side of an order that is known, and what is left of it. */
  find(of: { readonly orderId: OrderId } | { readonly label: string }) {
    for (const [instrument, courses] of this.#courses) {
      for (const [id, { label, side, sights }] of courses) {
        const isMeant = 'orderId' in of ? of.orderId === id : of.label === label;
        const last = sights.at(-1);
        if (isMeant && last?.isOpen) return { instrument, side, ...last };
      }
    }
    return undefined;
  }

  /** Our quantity in a book, by price. Reports of the very millisecond of the book may be in it or not. */
  inBook(instrument: InstrumentName, side: Side, book: SeenAs): ReadonlyMap<number, OwnBounds> {
    const found = new Map<number, OwnBounds>();
    for (const course of this.#courses.get(instrument)?.values() ?? []) {
      if (course.side === side) addBounds(found, statesAt(course.sights, book.at));
    }
    for (const one of this.#requested.get(instrument) ?? []) {
      const { price, quantity: shown, sentAt, until } = one;
      const isOver = until !== undefined && until < book.arrivedAt;
      if (one.side !== side || sentAt > book.arrivedAt || isOver) continue;
      addBounds(found, [undefined, { price, shown }]);
    }
    return found;
  }
}

type State = Pick<Sight, 'price' | 'shown'> | undefined;

function sightOf(order: OrderRecord): Sight {
  const { updatedAt: at, filledQuantity: filled, quantity, displayQuantity, price } = order;
  const isOpen = order.state === 'open';
  return {
    at,
    filled,
    isOpen,
    price: price === undefined ? undefined : toNumber(price),
    shown: isOpen ? (displayQuantity ?? minus(quantity, filled)) : ZERO_QUANTITY,
  };
}

/** A report that is late takes its place; of two of one millisecond the one with more filled, or the end, is later. */
function withSight(sights: readonly Sight[], one: Sight): readonly Sight[] {
  const index = sights.findLastIndex((other) => !isLater(other, one)) + 1;
  return [...sights.slice(0, index), one, ...sights.slice(index)];
}

function isLater(one: Sight, other: Sight): boolean {
  if (one.at !== other.at) return one.at > other.at;
  const filled = compare(one.filled, other.filled);
  return filled === 0 ? !one.isOpen && other.isOpen : filled > 0;
}

/** Courses end some time after their order, and begin with what was known before that. */
function forgetOld(courses: Map<OrderId, Course>, now: Instant): void {
  for (const [id, course] of courses) {
    const first = course.sights.findLastIndex(({ at }) => at < now - KEPT_MS);
    if (first > 0) course.sights = course.sights.slice(first);
    const last = course.sights.at(-1);
    if (last !== undefined && !last.isOpen && last.at < now - KEPT_MS) courses.delete(id);
  }
}

/** What an order can have shown in a book of that instant: one state, more where they share its millisecond. */
function statesAt(sights: readonly Sight[], at: Instant): readonly State[] {
  return [sights.findLast((one) => one.at < at), ...sights.filter((one) => one.at === at)];
}

function addBounds(found: Map<number, OwnBounds>, states: readonly State[]): void {
  const prices = new Set(states.flatMap((state) => state?.price ?? []));
  for (const price of prices) {
    const shown = states.map((state) => (state?.price === price ? state.shown : ZERO_QUANTITY));
    const before = found.get(price);
    found.set(price, {
      least: plus(shown.reduce(smaller), before?.least ?? ZERO_QUANTITY),
      most: plus(shown.reduce(larger), before?.most ?? ZERO_QUANTITY),
    });
  }
}
