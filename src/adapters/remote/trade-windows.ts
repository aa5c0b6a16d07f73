// Trades of any age: the venue answers for its recent window or for what is older than it, never for both.
import type { Reply, TradesQuery } from '../../ports/trading-desk.ts';
import { DAY_MS, HOUR_MS, type Instant, later } from '../../values/instant.ts';
import type { BareTrade } from './trade-wire.ts';

/** More are never answered at once. */
export const TRADES_PER_PAGE_MAX = 1_000;
/** Trades leave the recent window after a day; what is nearly that old is asked for in both. */
const RECENT_MS = DAY_MS - HOUR_MS;

export interface WindowQuery extends TradesQuery {
  readonly historical: boolean;
}

export interface Page {
  readonly trades: readonly BareTrade[];
  readonly hasMore: boolean;
}

/** A trade may move from one window to the other between the two questions: it counts once. */
export async function overWindows(
  query: TradesQuery,
  now: Instant,
  ask: (query: WindowQuery) => Promise<Reply<Page>>,
): Promise<Reply<Page>> {
  const { from, sorting } = query;
  const count = Math.min(query.count, TRADES_PER_PAGE_MAX);
  const isRecent = from !== undefined && from >= later(now, -RECENT_MS);
  const windows = isRecent ? [false] : sorting === 'asc' ? [true, false] : [false, true];
  const found = new Map<string, BareTrade>();
  let hasMore = false;
  for (const historical of windows) {
    if (hasMore) break;
    const reply = await ask({ ...query, historical });
    if (reply.kind !== 'done') return reply;
    for (const trade of reply.value.trades) found.set(keyOf(trade), trade);
    hasMore = reply.value.hasMore;
  }
  const trades = [...found.values()];
  hasMore ||= trades.length > count;
  return { kind: 'done', value: { trades: trades.slice(0, count), hasMore } };
}

/** Trade ids are unique within their currency, and both sides of one may be the account's. */
const keyOf = ({ feeCurrency, tradeId, orderId }: BareTrade): string =>
  `${feeCurrency} ${tradeId} ${orderId}`;
