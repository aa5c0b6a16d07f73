// Trades of any age and of any currency: the venue answers for its recent window of a day or for what is older, never
// for both, and for one currency at a time.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import type { Reply, TradesQuery } from '../../../ports/trading-desk.ts';
import { DAY_MS, HOUR_MS, type Instant, later } from '../../../values/instant.ts';
import type { TradesPage } from './order-reader.ts';

/** More are never answered at once. */
export const TRADES_PER_PAGE_MAX = 1_000;
/** What is nearly a day old is requested in both windows. */
const RECENT_MS = DAY_MS - HOUR_MS;

/** The windows to ask, in the order of the query. */
export function windowsOf(query: TradesQuery, now: Instant): readonly boolean[] {
  const { from, until, sorting, historical } = query;
  if (historical !== undefined) return [historical];
  if (from !== undefined && from >= later(now, -RECENT_MS)) return [false];
  if (until !== undefined && until < later(now, -DAY_MS - HOUR_MS)) return [true];
  return sorting === 'asc' ? [true, false] : [false, true];
}

/**
 * Requests one page after another until `count` trades are there. A trade may move from one window to the other between
 * the questions: it counts once.
 */
export async function overWindows(
  query: TradesQuery,
  now: Instant,
  pageOf: (historical: boolean) => Promise<Reply<TradesPage>>,
): Promise<Reply<TradesPage>> {
  const pages: TradesPage[] = [];
  for (const historical of windowsOf(query, now)) {
    const reply = await pageOf(historical);
    if (reply.kind !== 'done') return reply;
    pages.push(reply.value);
    // What follows is behind the trades that this page left out.
    if (reply.value.hasMore) break;
  }
  return { kind: 'done', value: merged(pages, query) };
}

/** Pages of the same query from several lists, each in the order of the query. */
export function merged(pages: readonly TradesPage[], query: TradesQuery): TradesPage {
  const found = new Map<string, TradeRecord>();
  for (const { trades } of pages) for (const trade of trades) found.set(keyOf(trade), trade);
  const sign = query.sorting === 'asc' ? 1 : -1;
  const sorted = [...found.values()].sort(
    (a, b) => sign * (a.at - b.at || a.tradeSeq - b.tradeSeq),
  );
  const count = Math.min(query.count, TRADES_PER_PAGE_MAX);
  const hasMore = sorted.length > count || pages.some((page) => page.hasMore);
  return { trades: sorted.slice(0, count), hasMore };
}

/** Trade ids are unique within their currency, and both sides of one may be the account's. */
const keyOf = ({ feeCurrency, tradeId, orderId, instrument }: TradeRecord): string =>
  `${feeCurrency} ${instrument} ${tradeId} ${orderId}`;
