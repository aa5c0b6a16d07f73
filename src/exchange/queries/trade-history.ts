// An account's trades by time, instrument, order, number or id. As at the venue, the last day is recent and
// everything before is historical: a query sees one or the other.
//
// Source: the venue's description of its history methods (2025): recent trades 24 hours, `historical` older
// ones only; ids count per settlement currency, sequence numbers per instrument.
import type { AccountId, OrderId } from '../../values/ids.ts';
import { DAY_MS, earliest, type Instant, instant, later, latest } from '../../values/instant.ts';
import { isCombo } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Span } from '../model/age-queue.ts';
import type { ExchangeTrade } from '../order.ts';
import { isMeant, type MarketFilter } from './market-filter.ts';
import { HISTORY_COUNT_MAX } from './order-history.ts';

export interface TradeHistoryQuery extends MarketFilter {
  readonly account: AccountId;
  readonly now: Instant;
  readonly orderId?: OrderId | undefined;
  readonly label?: string | undefined;
  /** Instants, numbers and ids are included at both ends. */
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly startSeq?: number | undefined;
  readonly endSeq?: number | undefined;
  /** Only trades of the same series are compared: `ETH-7` has no order relative to `BTC_USDC-5`. */
  readonly startId?: string | undefined;
  readonly endId?: string | undefined;
  /** At most {@link HISTORY_COUNT_MAX} are returned at once. */
  readonly count: number;
  readonly sorting: 'asc' | 'desc';
  /** False: the last day; true: older trades. Absent: both. */
  readonly historical?: boolean | undefined;
}

export interface TradeHistoryPage {
  readonly trades: readonly ExchangeTrade[];
  readonly hasMore: boolean;
}

const RECENT_MS = DAY_MS;

export function tradeHistory(state: ExchangeState, query: TradeHistoryQuery): TradeHistoryPage {
  const count = Math.min(query.count, HISTORY_COUNT_MAX);
  const ids = { start: numbered(query.startId), end: numbered(query.endId) };
  const found: ExchangeTrade[] = [];
  for (const trade of candidates(state, query)) {
    const instrument = state.listings.get(trade.instrument)?.instrument;
    if (instrument === undefined || !isMeant(instrument, query)) continue;
    if (!isWanted(trade, query) || !isWithin(trade, ids) || repeatsLegs(trade, query)) continue;
    if (found.length === count) return { trades: found, hasMore: true };
    found.push(trade);
  }
  return { trades: found, hasMore: false };
}

function candidates(state: ExchangeState, query: TradeHistoryQuery): Iterable<ExchangeTrade> {
  const span = spanOf({ ...query, now: latest(query.now, state.now) });
  const { account, orderId, sorting } = query;
  if (orderId === undefined) return state.trades.between(account, span, sorting);
  const own = state.trades
    .byOrder(orderId)
    .filter(
      (trade) => trade.account === account && trade.at >= span.from && trade.at <= span.until,
    );
  return sorting === 'asc' ? own : own.reverse();
}

function spanOf({ now, from = instant(0), until = now, historical }: TradeHistoryQuery): Span {
  if (historical === undefined) return { from, until };
  const recent = later(now, -RECENT_MS);
  return historical
    ? { from, until: earliest(until, later(recent, -1)) }
    : { from: latest(from, recent), until };
}

/**
 * The trade of a combo repeats those of its legs: it is returned only to a query for combos alone, for one instrument,
 * order or label.
 */
const repeatsLegs = ({ legs }: ExchangeTrade, query: TradeHistoryQuery): boolean =>
  legs !== undefined &&
  query.instrument === undefined &&
  query.orderId === undefined &&
  query.label === undefined &&
  query.kinds?.every((kind) => isCombo({ kind })) !== true;

const isWanted = (trade: ExchangeTrade, query: TradeHistoryQuery): boolean =>
  (query.label === undefined || trade.label === query.label) &&
  (query.startSeq === undefined || trade.tradeSeq >= query.startSeq) &&
  (query.endSeq === undefined || trade.tradeSeq <= query.endSeq);

interface NumberedId {
  readonly series: string;
  readonly number: number;
}

function numbered(id: string | undefined): NumberedId | undefined {
  if (id === undefined) return undefined;
  const dash = id.lastIndexOf('-');
  return { series: id.slice(0, dash + 1), number: Number(id.slice(dash + 1)) };
}

function isWithin(
  { tradeId }: ExchangeTrade,
  {
    start,
    end,
  }: { readonly start?: NumberedId | undefined; readonly end?: NumberedId | undefined },
): boolean {
  if (start === undefined && end === undefined) return true;
  const own = numbered(tradeId) as NumberedId;
  return (
    (start === undefined || (own.series === start.series && own.number >= start.number)) &&
    (end === undefined || (own.series === end.series && own.number <= end.number))
  );
}
