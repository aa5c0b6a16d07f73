// The query that resolves what became of an order: by its label, with its trades. Where a record may be older than the
// venue's recent window, the historical records are queried too and merged.
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import { tradesSince } from '../../ports/trades-since.ts';
import type { Reply, TradingDesk } from '../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery } from '../../ports/venue.ts';
import { isLess, isZero, plus, type Quantity, ZERO_QUANTITY } from '../../values/amounts.ts';
import { mapped } from './connection/questions.ts';
import { TRADES_PER_PAGE_MAX } from './trade-windows.ts';

const ORDERS_PER_PAGE_MAX = 1_000;
const INVALID_PARAMS = -32602;

type Reads = Pick<TradingDesk, 'ordersLabelled' | 'orderHistory' | 'trades'>;

export async function reconcile(reads: Reads, query: ReconcileQuery): Promise<Reply<Reconciled>> {
  const labelled = await reads.ordersLabelled(query);
  if (labelled.kind !== 'done') return labelled;
  const found = labelled.value.length > 0 ? labelled : await inHistory(reads, query);
  if (found.kind !== 'done') return found;
  const orders = found.value.toReversed();
  const trades: TradeRecord[] = [];
  for (const order of orders) {
    const own = await tradesOf(reads, order);
    if (own.kind !== 'done') return own;
    trades.push(...own.value);
  }
  return { kind: 'done', value: { orders, trades } };
}

/** The look-up by label is the venue's word for all it remembers; its history has to agree. */
async function inHistory(
  reads: Reads,
  query: ReconcileQuery,
): Promise<Reply<readonly OrderRecord[]>> {
  const page = { count: ORDERS_PER_PAGE_MAX, offset: 0, includeOld: true, includeUnfilled: true };
  const found: OrderRecord[] = [];
  for (const historical of [false, true]) {
    const reply = await reads.orderHistory({ ...query, ...page, historical });
    // An instrument the venue does not know has no history.
    if (reply.kind === 'refused' && reply.code === INVALID_PARAMS) break;
    if (reply.kind !== 'done') return reply;
    found.push(...reply.value.orders);
  }
  return { kind: 'done', value: found };
}

async function tradesOf(reads: Reads, order: OrderRecord): Promise<Reply<readonly TradeRecord[]>> {
  const { account, orderId, createdAt: from, filledQuantity } = order;
  if (isZero(filledQuantity)) return { kind: 'done', value: [] };
  const page = { account, from, count: TRADES_PER_PAGE_MAX, sorting: 'asc' } as const;
  const own = await reads.trades({ ...page, orderId });
  if (own.kind !== 'done' || !isLess(sumOf(own.value.trades), filledQuantity)) {
    return mapped(own, ({ trades }) => trades);
  }
  // An order with more trades than one answer holds: they are among those of its account.
  const all = await tradesSince(reads, account, from);
  return mapped(all, (trades) => trades.filter((trade) => trade.orderId === orderId));
}

const sumOf = (trades: readonly TradeRecord[]): Quantity =>
  trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);
