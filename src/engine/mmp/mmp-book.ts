// The open orders under protection that this process knows of, by account: the ones that a trip cancels first,
// without any query.
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';

/** An open order with the `mmp` flag, and the group and index it counts for. */
export interface FlaggedOrder {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly index: string;
  readonly group: string;
}

export const isOpenOrder = ({ state }: Pick<OrderRecord, 'state'>): boolean =>
  state === 'open' || state === 'untriggered';

export class MmpBook {
  readonly #orders = new Map<AccountId, Map<OrderId, FlaggedOrder>>();

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

  forget(account: AccountId): void {
    this.#orders.delete(account);
  }
}
