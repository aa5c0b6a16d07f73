// The operations of a person with one manual order: directly at a daemon's order desk, or by the order methods of
// its gateway.
import type { NewOrder, OrderChange, Reply } from '../../../src/ports/trading-desk.ts';
import { text } from '../../../src/values/amounts.ts';
import { type AccountId, type OrderId, orderId } from '../../../src/values/ids.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { keyIdOf } from './door-keys.ts';
import type { CallMethod } from './methods-by-door.ts';

export interface HandDesk {
  /** Places it once, however often the same request is repeated. */
  readonly isOnce: boolean;
  place(order: NewOrder): Promise<Reply<OrderId>>;
  edit(change: OrderChange & { readonly label: string }): Promise<Reply<unknown>>;
  cancel(order: OrderId): Promise<Reply<unknown>>;
  cancelLabelled(label: string): Promise<Reply<unknown>>;
}

/** `undefined` if the account has no order desk. */
export function straightDesk(
  { desk, methods }: SimulatedDaemon,
  account: AccountId,
): HandDesk | undefined {
  if (desk.forAccount(account) === undefined) return undefined;
  const own = methods.orders;
  return {
    isOnce: false,
    place: async (order) => {
      const reply = await own.place(order);
      return reply.kind === 'done' ? { kind: 'done', value: reply.value.order.orderId } : reply;
    },
    edit: ({ label: _, ...change }) => own.edit(change),
    cancel: (order) => own.cancel({ account, of: { orderId: order } }),
    cancelLabelled: (label) => own.cancelAll({ account, label }),
  };
}

export function deskByDoor(call: CallMethod, account: AccountId): HandDesk {
  const keyId = keyIdOf(account);
  const request = (method: string, params: object, onceKey?: string) =>
    call({
      keyId,
      method: `private/${method}`,
      params: { accountId: account, ...params },
      onceKey,
    });
  return {
    isOnce: true,
    place: async (order) => {
      const reply = await request(order.side, orderParams(order), `hand-${order.label}`);
      if (reply.kind !== 'done') return reply;
      const { orderId: id } = reply.value['order'] as { readonly orderId: string };
      return { kind: 'done', value: orderId(id) };
    },
    edit: ({ label, quantity, price, of }) =>
      request('edit_by_label', {
        label,
        instrumentName: 'instrument' in of ? of.instrument : '',
        quantity: quantity && text(quantity),
        price: price && text(price),
      }),
    cancel: (order) => request('cancel', { orderId: order }),
    cancelLabelled: (label) => request('cancel_by_label', { label }),
  };
}

const orderParams = (order: NewOrder): object => ({
  instrumentName: order.instrument,
  quantity: text(order.quantity),
  type: order.type,
  price: order.price && text(order.price),
  label: order.label,
  timeInForce: order.timeInForce,
  mmp: order.mmp,
});
