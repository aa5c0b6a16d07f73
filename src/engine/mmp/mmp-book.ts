// The open orders under protection that this process knows of, by account: the ones that a trip cancels first, without
// any query, and whose sizes are limited per side of an instrument.
import type { OrderRecord } from '../../core/order/order-record.ts';
import { plus, type Quantity, ZERO_QUANTITY } from '../../values/amounts.ts';
import type { AccountId, InstrumentName, OrderId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';

/** One side of one instrument, as one group of an account may quote it. */
export interface QuotedSide {
  readonly account: AccountId;
  readonly index: string;
  readonly group: string;
  readonly instrument: InstrumentName;
  readonly side: Side;
}

/** A size in coins, open or about to be. */
export interface QuotedSize extends QuotedSide {
  readonly coins: Quantity;
}

/** An open order with the `mmp` flag, and the group and index it counts for. */
export interface FlaggedOrder extends QuotedSize {
  readonly orderId: OrderId;
}

export const isOpenOrder = ({ state }: Pick<OrderRecord, 'state'>): boolean =>
  state === 'open' || state === 'untriggered';

export class MmpBook {
  readonly #orders = new Map<AccountId, Map<OrderId, FlaggedOrder>>();
  /** Of orders that are sent and not answered, or with an unknown outcome: those in a speed bump at the venue are among them. */
  readonly #sent = new Set<QuotedSize>();

  note(order: FlaggedOrder): void {
    const orders = this.#orders.get(order.account) ?? new Map<OrderId, FlaggedOrder>();
    this.#orders.set(order.account, orders.set(order.orderId, order));
  }

  close(account: AccountId, orderId: OrderId): void {
    this.#orders.get(account)?.delete(orderId);
  }

  ofAccount(account: AccountId): readonly FlaggedOrder[] {
    return [...(this.#orders.get(account)?.values() ?? [])];
  }

  /** Counts the size as open until the returned function is called. */
  sending(size: QuotedSize): () => void {
    this.#sent.add(size);
    return () => this.#sent.delete(size);
  }

  /** What is open, or was sent and is not answered, on the side. */
  sizeOn(side: QuotedSide): Quantity {
    const all = [...this.ofAccount(side.account), ...this.#sent];
    return all
      .filter((one) => isOn(one, side))
      .reduce((sum, { coins }) => plus(sum, coins), ZERO_QUANTITY);
  }

  forget(account: AccountId): void {
    this.#orders.delete(account);
  }
}

const isOn = (one: QuotedSide, side: QuotedSide): boolean =>
  one.account === side.account &&
  one.instrument === side.instrument &&
  one.side === side.side &&
  one.index === side.index &&
  one.group === side.group;
