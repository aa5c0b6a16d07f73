// What became of an order: everything that carries its label, with all its trades. The look-up by label and the list of
// open orders speak of recent ones; what is older than half an hour is in the history, of which the venue keeps a recent
// and an old part. That there is no order is said only when all of them were read to the end.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import { tradesSince } from '../../../ports/trades-since.ts';
import type { HistoryQuery, Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery } from '../../../ports/venue.ts';
import { isLess, isZero, plus, type Quantity, ZERO_QUANTITY } from '../../../values/amounts.ts';
import type { OrderId } from '../../../values/ids.ts';
import type { DeribitOrderDesk } from './deribit-order-desk.ts';
import { TRADES_PER_PAGE_MAX } from './trade-windows.ts';

const ORDERS_PER_PAGE_MAX = 1_000;
const PAGES_MAX = 50;
/** What an instrument that the venue does not know is answered with. */
const UNKNOWN_INSTRUMENT: ReadonlySet<number> = new Set([-32602, 10020, 13020]);

type Reads = Pick<DeribitOrderDesk, 'ordersLabelled' | 'openLabelled' | 'orderHistory'> &
  Pick<TradingDesk, 'trades'>;

export async function reconcile(reads: Reads, query: ReconcileQuery): Promise<Reply<Reconciled>> {
  const found = await ordersOf(reads, query);
  if (found.kind !== 'done') return found;
  const orders = [...found.value].sort((a, b) => a.createdAt - b.createdAt);
  const trades: TradeRecord[] = [];
  for (const order of orders) {
    const own = await tradesOf(reads, order);
    if (own.kind !== 'done') return own;
    trades.push(...own.value);
  }
  return { kind: 'done', value: { orders, trades } };
}

async function ordersOf(reads: Reads, query: ReconcileQuery): Promise<Reply<OrderRecord[]>> {
  const found = new Map<OrderId, OrderRecord>();
  const recent = [() => reads.ordersLabelled(query), () => reads.openLabelled(query)];
  const old = [false, true].map((historical) => () => inHistory(reads, query, historical));
  for (const read of [...recent, ...old]) {
    const reply = await read();
    if (reply.kind !== 'done') return reply;
    for (const order of reply.value) found.set(order.orderId, order);
    // The first that knows it knows its state; the label was sent once.
    if (found.size > 0) break;
  }
  return { kind: 'done', value: [...found.values()] };
}

async function inHistory(
  reads: Reads,
  { account, instrument, label }: ReconcileQuery,
  historical: boolean,
): Promise<Reply<readonly OrderRecord[]>> {
  const found: OrderRecord[] = [];
  let continuation: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query: HistoryQuery = {
      ...{ account, instrument, label, historical, continuation },
      ...{ count: ORDERS_PER_PAGE_MAX, offset: 0, includeOld: true, includeUnfilled: true },
    };
    const reply = await reads.orderHistory(query);
    // An instrument that the venue does not know has no history.
    if (reply.kind === 'refused' && UNKNOWN_INSTRUMENT.has(reply.code)) {
      return { kind: 'done', value: [] };
    }
    if (reply.kind !== 'done') return reply;
    found.push(...reply.value.orders);
    const next = reply.value.continuation;
    if (found.length > 0 || next === undefined || next === continuation) {
      return { kind: 'done', value: found };
    }
    continuation = next;
  }
  const reason = `the order history has more than ${PAGES_MAX * ORDERS_PER_PAGE_MAX} orders`;
  return { kind: 'unknown', reason };
}

async function tradesOf(reads: Reads, order: OrderRecord): Promise<Reply<readonly TradeRecord[]>> {
  const { account, orderId, createdAt: from, filledQuantity } = order;
  if (isZero(filledQuantity)) return { kind: 'done', value: [] };
  const page = { account, from, count: TRADES_PER_PAGE_MAX, sorting: 'asc' } as const;
  const own = await reads.trades({ ...page, orderId });
  if (own.kind !== 'done') return own;
  const sum = sumOf(own.value.trades);
  if (!isLess(sum, filledQuantity)) return { kind: 'done', value: own.value.trades };
  // An order with more trades than one answer holds: they are among those of its account.
  const all = await tradesSince(reads, account, from);
  if (all.kind !== 'done') return all;
  const of = all.value.filter((trade) => trade.orderId === orderId);
  // The order counts fills that the lists of trades do not show yet: asked again, they will.
  return isLess(sumOf(of), filledQuantity)
    ? { kind: 'unknown', reason: `the trades of order ${orderId} are not all listed yet` }
    : { kind: 'done', value: of };
}

const sumOf = (trades: readonly TradeRecord[]): Quantity =>
  trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);
