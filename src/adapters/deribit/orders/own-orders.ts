// The visible quantities of our own open orders, which must not count as part of the market.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import {
  isLess,
  minus,
  plus,
  type Quantity,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { AccountId, InstrumentName, OrderId } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';

type Open = Map<OrderId, OrderRecord>;

export class OwnOrders {
  readonly #open = new Map<InstrumentName, Open>();
  /** Orders reported closed while a list of the account was requested, because the list may still contain them. */
  readonly #closed = new Map<AccountId, Set<OrderId>>();

  /** A new list of the account is requested: earlier data is discarded. */
  begin(account: AccountId): void {
    for (const open of this.#open.values()) {
      for (const order of open.values()) if (order.account === account) open.delete(order.orderId);
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
    const { orderId, instrument, account } = order;
    const open: Open = this.#open.get(instrument) ?? new Map();
    if (order.state === 'open') {
      const known = open.get(orderId);
      if (known === undefined || !isOlder(order, known)) open.set(orderId, order);
    } else {
      open.delete(orderId);
      this.#closed.get(account)?.add(orderId);
    }
    if (open.size > 0) this.#open.set(instrument, open);
    else this.#open.delete(instrument);
  }

  /** Our quantity in the book, by the text of its price. */
  shown(instrument: InstrumentName, side: Side): ReadonlyMap<string, Quantity> {
    const shown = new Map<string, Quantity>();
    for (const order of this.#open.get(instrument)?.values() ?? []) {
      if (order.side !== side || order.price === undefined) continue;
      const at = text(order.price);
      const own = order.displayQuantity ?? minus(order.quantity, order.filledQuantity);
      shown.set(at, plus(shown.get(at) ?? ZERO_QUANTITY, own));
    }
    return shown;
  }
}

/** Of two reports of one order; within a millisecond the one with less filled is older. */
const isOlder = (one: OrderRecord, other: OrderRecord): boolean =>
  one.updatedAt === other.updatedAt
    ? isLess(one.filledQuantity, other.filledQuantity)
    : one.updatedAt < other.updatedAt;
