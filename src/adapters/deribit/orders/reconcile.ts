// What became of an order: everything that carries its label, with all its trades. The look-up by label and the list of
// open orders speak of recent ones; what is older than half an hour is in the history, of which the venue keeps a recent
// and an old part. That there is no order is said only when all of them were read to the end.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import { tradesSince } from '../../../ports/trades-since.ts';
import type { HistoryQuery, Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery } from '../../../ports/venue.ts';
import { isLess, isZero, plus, type Quantity, ZERO_QUANTITY } from '../../../values/amounts.ts';
import type { OrderId } from '../../../values/ids.ts';
import { mapped } from '../outcome.ts';
import type { DeribitOrderDesk } from './deribit-order-desk.ts';
import { TRADES_PER_PAGE_MAX } from './trade-windows.ts';

const ORDERS_PER_PAGE_MAX = 1_000;
const PAGES_MAX = 50;
/** What a history of an instrument that the venue does not know, or knows no more, is refused with. */
const UNKNOWN_INSTRUMENT: ReadonlySet<number> = new Set([-32602, 10020, 13020]);

export type ReconcileReads = Pick<
  DeribitOrderDesk,
  'ordersLabelled' | 'openLabelled' | 'orderHistory'
> &
  Pick<TradingDesk, 'trades'>;

/** Lists trades of an order, perhaps not all of them. */
export type TradeSource = (order: OrderRecord) => Promise<Reply<readonly TradeRecord[]>>;

export async function reconcile(
  reads: ReconcileReads,
  query: ReconcileQuery,
): Promise<Reply<Reconciled>> {
  const found = await ordersOf(reads, query);
  if (found.kind !== 'done') return found;
  return await withTrades(found.value, tradesOfOne(reads));
}

/** The orders, oldest first, with the trades that `tradesOf` returns for each. */
export async function withTrades(
  found: readonly OrderRecord[],
  tradesOf: TradeSource,
): Promise<Reply<Reconciled>> {
  const orders = [...found].sort((a, b) => a.createdAt - b.createdAt);
  const trades: TradeRecord[] = [];
  for (const order of orders) {
    const own = await tradesOf(order);
    if (own.kind !== 'done') return own;
    trades.push(...own.value);
  }
  return { kind: 'done', value: { orders, trades } };
}

async function ordersOf(
  reads: ReconcileReads,
  query: ReconcileQuery,
): Promise<Reply<OrderRecord[]>> {
  const found = new Map<OrderId, OrderRecord>();
  const recent = [() => reads.ordersLabelled(query), () => reads.openLabelled(query)];
  const labels = new Set([query.label]);
  const old = [false, true].map(
    (historical) => () => inHistory(reads, { ...query, labels, historical }),
  );
  for (const read of [...recent, ...old]) {
    const reply = await read();
    if (reply.kind !== 'done') return reply;
    for (const order of reply.value) found.set(order.orderId, order);
    // The first that knows it knows its state; the label was sent once.
    if (found.size > 0) break;
  }
  return { kind: 'done', value: [...found.values()] };
}

export interface LabelsInHistory extends Omit<ReconcileQuery, 'label'> {
  readonly labels: ReadonlySet<string>;
  /** False: the recent part; true: the old one. */
  readonly historical: boolean;
}

type HistoryReads = Pick<ReconcileReads, 'orderHistory'>;

/**
 * The orders with these labels, from as many pages as it takes to find each of them. A refusal to list the history of the
 * instrument does not prove that there is none: then that of all instruments is read.
 */
export async function inHistory(
  reads: HistoryReads,
  wanted: LabelsInHistory,
): Promise<Reply<readonly OrderRecord[]>> {
  const { instrument, labels } = wanted;
  const reply = await inPages(reads, labels, { ...pageOf(wanted), instrument });
  const isRefused = reply.kind === 'refused' && UNKNOWN_INSTRUMENT.has(reply.code);
  if (!isRefused) return reply;
  return mapped(await inPages(reads, labels, pageOf(wanted)), (orders) =>
    orders.filter((order) => order.instrument === instrument),
  );
}

const pageOf = ({ account, historical }: LabelsInHistory): HistoryQuery => ({
  account,
  historical,
  count: ORDERS_PER_PAGE_MAX,
  offset: 0,
  includeOld: true,
  includeUnfilled: true,
});

async function inPages(
  reads: HistoryReads,
  labels: ReadonlySet<string>,
  first: HistoryQuery,
): Promise<Reply<readonly OrderRecord[]>> {
  const found: OrderRecord[] = [];
  const missing = new Set(labels);
  let continuation: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const reply = await reads.orderHistory({ ...first, continuation });
    if (reply.kind !== 'done') return reply;
    for (const order of reply.value.orders) {
      if (!labels.has(order.label)) continue;
      found.push(order);
      missing.delete(order.label);
    }
    const next = reply.value.continuation;
    if (missing.size === 0 || next === undefined || next === continuation) {
      return { kind: 'done', value: found };
    }
    continuation = next;
  }
  const reason = `the order history has more than ${PAGES_MAX * ORDERS_PER_PAGE_MAX} orders`;
  return { kind: 'unknown', reason };
}

/** The trades of a single order. One with more than an answer holds has them among those of its account. */
export const tradesOfOne = (reads: Pick<TradingDesk, 'trades'>): TradeSource =>
  fromFirstComplete([
    tradesByOrder(reads),
    async ({ account, orderId, createdAt }) =>
      mapped(await tradesSince(reads, account, createdAt), (trades) =>
        trades.filter((trade) => trade.orderId === orderId),
      ),
  ]);

export const tradesByOrder =
  (reads: Pick<TradingDesk, 'trades'>): TradeSource =>
  async ({ account, orderId, createdAt: from }) => {
    const page = { account, from, count: TRADES_PER_PAGE_MAX, sorting: 'asc' } as const;
    return mapped(await reads.trades({ ...page, orderId }), ({ trades }) => trades);
  };

/** Asks one source after another until the trades add up to what the order has filled. */
export const fromFirstComplete =
  (sources: readonly TradeSource[]): TradeSource =>
  async (order) => {
    const { orderId, filledQuantity } = order;
    if (isZero(filledQuantity)) return { kind: 'done', value: [] };
    for (const source of sources) {
      const reply = await source(order);
      if (reply.kind !== 'done' || !isLess(sumOf(reply.value), filledQuantity)) return reply;
    }
    // The order counts fills that the lists of trades do not show yet: asked again, they will.
    return { kind: 'unknown', reason: `the trades of order ${orderId} are not all listed yet` };
  };

const sumOf = (trades: readonly TradeRecord[]): Quantity =>
  trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);
