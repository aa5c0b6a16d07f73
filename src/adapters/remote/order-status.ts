// The queries that resolve what became of an order: by its label, and its trades. Where a record may be
// older than the venue's recent window, the historical records are queried too and merged.
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import { venueOrder, venueTrade } from '../../core/order/venue-report-mapping.ts';
import type { Reply, TradingDesk } from '../../ports/trading-desk.ts';
import type { LabelAnswer, TradesAnswer, Unknown } from '../../ports/venue.ts';
import { isLess, isZero, plus, type Quantity, ZERO_QUANTITY } from '../../values/amounts.ts';
import type { AccountId, ChildLabel, InstrumentName } from '../../values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, later } from '../../values/instant.ts';
import { reasonOf } from './connection/questions.ts';
import { TRADES_PER_PAGE_MAX } from './remote-account-desk.ts';

export interface LabelQuery {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: ChildLabel;
}

/** Trades leave the recent window after a day; what is nearly that old is asked for in both. */
const RECENT_MS = DAY_MS - HOUR_MS;
const ORDERS_PER_PAGE_MAX = 1_000;
const INVALID_PARAMS = -32602;

type Desk = Pick<TradingDesk, 'ordersLabelled' | 'orderHistory' | 'trades'>;

export class OrderStatusQueries {
  readonly #desk: Desk;
  readonly #venueNow: () => Instant;

  constructor(desk: Desk, venueNow: () => Instant) {
    this.#desk = desk;
    this.#venueNow = venueNow;
  }

  async ordersByLabel(query: LabelQuery): Promise<LabelAnswer> {
    const labelled = await this.labelled(query);
    if (labelled.kind !== 'done') return unknownOf(labelled);
    const orders = labelled.value.length > 0 ? labelled : await this.#inHistory(query);
    if (orders.kind !== 'done') return unknownOf(orders);
    if (orders.value.length === 0) return { kind: 'absent' };
    const trades: TradeRecord[] = [];
    for (const order of orders.value) {
      const own = await this.#tradesOf(order);
      if (own.kind !== 'done') return unknownOf(own);
      trades.push(...own.value);
    }
    return {
      kind: 'found',
      orders: orders.value.map(venueOrder),
      trades: trades.map(venueTrade),
    };
  }

  /** Of every state, oldest first. */
  async labelled({
    account,
    instrument,
    label,
  }: LabelQuery): Promise<Reply<readonly OrderRecord[]>> {
    const reply = await this.#desk.ordersLabelled({ account, instrument, label });
    return reply.kind === 'done' ? { kind: 'done', value: reply.value.toReversed() } : reply;
  }

  async tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer> {
    const all = await this.#allSince(account, from);
    if (all.kind !== 'done') return unknownOf(all);
    return { kind: 'trades', trades: all.value.map(venueTrade) };
  }

  /** Oldest first, each once. */
  async #allSince(account: AccountId, from: Instant): Promise<Reply<readonly TradeRecord[]>> {
    const found = new Map<string, TradeRecord>();
    for (const historical of this.#windows(from)) {
      const fault = await this.#collect({ account, from, historical }, found);
      if (fault !== undefined) return fault;
    }
    return { kind: 'done', value: [...found.values()].sort((a, b) => a.at - b.at) };
  }

  /** Page by page, each going on at the instant the one before ended with. */
  async #collect(
    query: { readonly account: AccountId; readonly from: Instant; readonly historical: boolean },
    into: Map<string, TradeRecord>,
  ): Promise<Unknown | undefined> {
    const count = TRADES_PER_PAGE_MAX;
    for (let { from } = query; ; ) {
      const reply = await this.#desk.trades({ ...query, from, count, sorting: 'asc' });
      if (reply.kind !== 'done') return unknownOf(reply);
      const { trades, hasMore } = reply.value;
      for (const trade of trades) into.set(keyOf(trade), trade);
      const last = trades.at(-1);
      if (!hasMore || last === undefined) return undefined;
      if (last.at === from) {
        return { kind: 'unknown', reason: `more than ${count} trades in one millisecond` };
      }
      from = last.at;
    }
  }

  /** The look-up by label is the venue's word for all it remembers; its history has to agree. */
  async #inHistory(query: LabelQuery): Promise<Reply<readonly OrderRecord[]>> {
    const page = { count: ORDERS_PER_PAGE_MAX, offset: 0, includeOld: true, includeUnfilled: true };
    const found: OrderRecord[] = [];
    for (const historical of [false, true]) {
      const reply = await this.#desk.orderHistory({ ...query, ...page, historical });
      // An instrument the venue does not know has no history.
      if (reply.kind === 'refused' && reply.code === INVALID_PARAMS) break;
      if (reply.kind !== 'done') return reply;
      found.push(...reply.value.orders);
    }
    return { kind: 'done', value: found };
  }

  async #tradesOf(order: OrderRecord): Promise<Reply<readonly TradeRecord[]>> {
    const { account, orderId, createdAt, filledQuantity } = order;
    if (isZero(filledQuantity)) return { kind: 'done', value: [] };
    const found = new Map<string, TradeRecord>();
    for (const historical of this.#windows(createdAt)) {
      const count = TRADES_PER_PAGE_MAX;
      const query = { account, orderId, count, historical, sorting: 'asc' } as const;
      const reply = await this.#desk.trades(query);
      if (reply.kind !== 'done') return reply;
      for (const trade of reply.value.trades) found.set(keyOf(trade), trade);
    }
    const trades = [...found.values()];
    if (!isLess(sumOf(trades), filledQuantity)) return { kind: 'done', value: trades };
    return await this.#tradesAmongAll(order);
  }

  /** An order with more trades than one answer holds: they are among those of its account. */
  async #tradesAmongAll({
    account,
    orderId,
    createdAt,
  }: OrderRecord): Promise<Reply<readonly TradeRecord[]>> {
    const all = await this.#allSince(account, createdAt);
    if (all.kind !== 'done') return all;
    return { kind: 'done', value: all.value.filter((trade) => trade.orderId === orderId) };
  }

  /** Whether historical records are asked for, before the recent ones. */
  #windows(since: Instant): readonly boolean[] {
    return since < later(this.#venueNow(), -RECENT_MS) ? [true, false] : [false];
  }
}

const sumOf = (trades: readonly TradeRecord[]): Quantity =>
  trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);

/** Trade ids are unique within their currency. */
const keyOf = ({ feeCurrency, tradeId }: TradeRecord): string => `${feeCurrency} ${tradeId}`;

const unknownOf = (reply: Exclude<Reply<unknown>, { readonly kind: 'done' }>): Unknown => ({
  kind: 'unknown',
  reason: reasonOf(reply),
});
