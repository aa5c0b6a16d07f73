// The order methods of a remote venue: changes and queries. The venue is queried for the narrowest list that
// its methods can express; the remaining filters are applied here.
import { z } from 'zod';
import { refusal } from '../../core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type {
  CancelOrder,
  CancelOrders,
  HistoryQuery,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderFilter,
  Reply,
  TradingDesk,
  Worked,
} from '../../ports/trading-desk.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import { mapped, type Questions } from './connection/questions.ts';
import { type BareOrder, orderIn } from './order-wire.ts';
import type { Params } from './outcome.ts';
import {
  cancelTypeName,
  changeParams,
  isOrderWanted,
  kindName,
  newOrderParams,
  pageParams,
  type TermsOf,
} from './remote-order-params.ts';
import { type BareTrade, tradeIn } from './trade-wire.ts';

const workedIn = z.object({ order: orderIn, trades: z.array(tradeIn) });
export const ordersIn = z.array(orderIn);
const countIn = z.int().min(0);
const historyIn = z.object({ orders: ordersIn, continuation: z.string().optional() });

type Methods = Pick<
  TradingDesk,
  | 'place'
  | 'edit'
  | 'cancel'
  | 'cancelAll'
  | 'order'
  | 'ordersLabelled'
  | 'openOrders'
  | 'orderHistory'
>;

export class RemoteOrderDesk implements Methods {
  readonly #questions: Questions;
  readonly #termsOf: TermsOf;

  constructor(questions: Questions, termsOf: TermsOf) {
    this.#questions = questions;
    this.#termsOf = termsOf;
  }

  place(order: NewOrder): Promise<Reply<Worked>> {
    return this.#worked(order.account, `private/${order.side}`, newOrderParams(order));
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    const method = 'orderId' in change.of ? 'private/edit' : 'private/edit_by_label';
    return this.#worked(change.account, method, changeParams(change));
  }

  async cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    const { account, reason } = request;
    const found = await this.#idOf(request);
    if (found.kind !== 'done') return found;
    const params = { orderId: found.value, reason };
    const question = { method: 'private/cancel', params, result: orderIn };
    return mapped(await this.#questions.ofAccount(account, question), ofAccount(account));
  }

  async cancelAll(filter: CancelOrders): Promise<Reply<number>> {
    const { account } = filter;
    const one = cancelAllQuestion(filter);
    if (one === undefined) return await this.#cancelEach(filter);
    return await this.#questions.ofAccount(account, { ...one, result: countIn });
  }

  async order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>> {
    const question = { method: 'private/get_order_state', params: { orderId }, result: orderIn };
    return mapped(await this.#questions.ofAccount(account, question), ofAccount(account));
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    const { label } = filter;
    const params = { label, currency: filter.currency ?? 'any' };
    return this.#orders(filter, 'private/get_order_state_by_label', params);
  }

  async openOrders(filter: OpenOrdersFilter): Promise<Reply<readonly OrderRecord[]>> {
    const { currency, labelPrefix = '' } = filter;
    const kind = kindName(filter.kinds);
    const open = await (currency === undefined
      ? this.#orders(filter, 'private/get_open_orders', { kind })
      : this.#orders(filter, 'private/get_open_orders_by_currency', { currency, kind }));
    return mapped(open, (orders) => orders.filter(({ label }) => label.startsWith(labelPrefix)));
  }

  async orderHistory(query: HistoryQuery) {
    const { account, instrument, currency = 'any', kinds } = query;
    const page = pageParams(query);
    const [method, params] =
      instrument === undefined
        ? ['private/get_order_history_by_currency', { currency, kind: kindName(kinds), ...page }]
        : ['private/get_order_history_by_instrument', { instrumentName: instrument, ...page }];
    const question = { method: method as string, params: params as Params, result: historyIn };
    const reply = await this.#questions.ofAccount(account, question);
    return mapped(reply, ({ orders, continuation }) => ({
      orders: this.#wanted(query, orders),
      continuation,
    }));
  }

  /** Without an id it is looked for first: a cancel by label would not say what became of the order. */
  async #idOf({ account, of }: CancelOrder): Promise<Reply<OrderId>> {
    if ('orderId' in of) return { kind: 'done', value: of.orderId };
    const labelled = await this.ordersLabelled({ account, ...of });
    if (labelled.kind !== 'done') return labelled;
    const [order, second] = labelled.value.filter(isOpen);
    if (second !== undefined) return NOT_UNIQUE;
    if (order !== undefined) return { kind: 'done', value: order.orderId };
    return labelled.value.length === 0 ? NOT_FOUND : NOT_OPEN;
  }

  async #worked(account: AccountId, method: string, params: Params): Promise<Reply<Worked>> {
    const reply = await this.#questions.ofAccount(account, { method, params, result: workedIn });
    return mapped(reply, ({ order, trades }) => ({
      order: { ...order, account },
      trades: trades.map(ofAccount(account)),
    }));
  }

  async #orders(
    filter: OrderFilter,
    method: string,
    params: Params,
  ): Promise<Reply<readonly OrderRecord[]>> {
    const { account } = filter;
    const reply = await this.#questions.ofAccount(account, { method, params, result: ordersIn });
    return mapped(reply, (orders) => this.#wanted(filter, orders));
  }

  #wanted(filter: OrderFilter, orders: readonly BareOrder[]): readonly OrderRecord[] {
    return orders
      .filter((order) => isOrderWanted(filter, order, this.#termsOf))
      .map(ofAccount(filter.account));
  }

  /** Where the venue has no word for the filter: one by one. */
  async #cancelEach(filter: CancelOrders): Promise<Reply<number>> {
    const open = await this.openOrders(filter);
    if (open.kind !== 'done') return open;
    const { account, reason } = filter;
    const asked = open.value.map(({ orderId }) =>
      this.cancel({ account, of: { orderId }, reason }),
    );
    const replies = await Promise.all(asked);
    const unknown = replies.find((reply) => reply.kind === 'unknown');
    if (unknown?.kind === 'unknown') return unknown;
    return { kind: 'done', value: replies.filter(({ kind }) => kind === 'done').length };
  }
}

const isOpen = ({ state }: OrderRecord): boolean => state === 'open' || state === 'untriggered';

const NOT_FOUND = refusal(10004);
const NOT_OPEN = refusal(11044);
const NOT_UNIQUE = refusal(13032);

interface Cancelling {
  readonly method: string;
  readonly params: Params;
}

/** `undefined` where no one method says all of the filter. */
function cancelAllQuestion(filter: CancelOrders): Cancelling | undefined {
  const { currency, instrument, kinds, types, label, reason } = filter;
  if (label !== undefined) {
    const isAll = instrument === undefined && kinds === undefined && types === undefined;
    const params = { label, currency, reason };
    return isAll ? { method: 'private/cancel_by_label', params } : undefined;
  }
  const type = cancelTypeName(types);
  const kind = kindName(kinds);
  if (type === undefined || kind === undefined) return undefined;
  if (instrument !== undefined) {
    if (currency !== undefined || kinds !== undefined) return undefined;
    const params = { instrumentName: instrument, type, reason };
    return { method: 'private/cancel_all_by_instrument', params };
  }
  if (currency === undefined && kinds === undefined && types === undefined) {
    return { method: 'private/cancel_all', params: { reason } };
  }
  const params = { currency: currency ?? 'any', kind, type, reason };
  return { method: 'private/cancel_all_by_currency', params };
}

/** The wire omits the account: it is that of the query. */
export const ofAccount =
  (account: AccountId) =>
  <T extends BareOrder | BareTrade>(
    bare: T,
  ): T & Pick<T extends BareOrder ? OrderRecord : TradeRecord, 'account'> => ({ ...bare, account });
