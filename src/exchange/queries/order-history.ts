// Closed orders, newest first. As the venue has it, half an hour is recent and all before is historical:
// a query sees the one or the other.
//
// Source: the venue's account of its history methods (2025): recent orders 30 minutes, `historical` what
// is older and only that; orders older than two days and orders without a fill only when asked for.
import type { AccountId, OrderId } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Span } from '../model/age-queue.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import type { ExchangeOrder, OrderType } from '../order.ts';
import { isMeant, type MarketFilter } from './market-filter.ts';

export interface OrderHistoryQuery extends MarketFilter {
  readonly account: AccountId;
  readonly now: Instant;
  /** As the orders were asked for. */
  readonly types?: readonly OrderType[] | undefined;
  readonly label?: string | undefined;
  /** More than {@link HISTORY_COUNT_MAX} are never answered at once. */
  readonly count: number;
  /** How many are passed over first. */
  readonly offset: number;
  /** Of an earlier answer: goes on behind its last order, whatever has closed since. */
  readonly continuation?: string | undefined;
  /** False: what closed in the last half hour; true: what closed before. */
  readonly historical: boolean;
  /** Also what closed more than two days ago. */
  readonly includeOld: boolean;
  /** Also orders without a fill. */
  readonly includeUnfilled: boolean;
}

export interface OrderHistoryPage {
  readonly orders: readonly ExchangeOrder[];
  /** Absent when nothing follows. */
  readonly continuation?: string | undefined;
}

export const HISTORY_COUNT_MAX = 1_000;
const RECENT_MS = 30 * MINUTE_MS;
const OLD_MS = 2 * DAY_MS;

/** `undefined` when the continuation is none that was given out. */
export function orderHistory(
  state: ExchangeState,
  query: OrderHistoryQuery,
): OrderHistoryPage | undefined {
  const behind = query.continuation === undefined ? undefined : placeOf(query.continuation);
  if (behind === undefined && query.continuation !== undefined) return undefined;
  const span = spanOf({ ...query, now: latest(query.now, state.now) });
  const count = Math.min(query.count, HISTORY_COUNT_MAX);
  const found: LiveOrder[] = [];
  let toPass = query.offset;
  for (const order of ordersBehind(state, span, behind)) {
    if (!isWanted(order, query)) continue;
    if (toPass > 0) toPass -= 1;
    else if (found.length < count) found.push(order);
    else
      return { orders: found.map((order) => viewOf(order)), continuation: tokenOf(found.at(-1)) };
  }
  return { orders: found.map((order) => viewOf(order)) };
}

function spanOf({ now, historical, includeOld }: OrderHistoryQuery): Span {
  const recent = later(now, -RECENT_MS);
  const old = includeOld ? instant(0) : later(now, -OLD_MS);
  return historical ? { from: old, until: later(recent, -1) } : { from: recent, until: now };
}

const isWanted = (order: LiveOrder, query: OrderHistoryQuery): boolean => {
  const { account, label, originalType } = order;
  return (
    account === query.account &&
    (query.includeUnfilled || order.filledLots > 0) &&
    isMeant(order.listing.instrument, query) &&
    (query.label === undefined || label === query.label) &&
    (query.types === undefined || query.types.includes(originalType))
  );
};

/** Where an answer ended. */
interface Place {
  readonly closedAt: Instant;
  readonly orderId: OrderId;
}

function* ordersBehind(
  state: ExchangeState,
  span: Span,
  behind: Place | undefined,
): IterableIterator<LiveOrder> {
  if (behind === undefined) {
    yield* state.orders.closedBetween(span);
    return;
  }
  const until = instant(Math.min(span.until, behind.closedAt));
  // Once the order itself is forgotten, so is all that closed before it in the same instant.
  let isBehind = until < behind.closedAt;
  for (const order of state.orders.closedBetween({ from: span.from, until })) {
    isBehind ||= order.updatedAt < behind.closedAt;
    if (isBehind) yield order;
    else isBehind = order.orderId === behind.orderId;
  }
}

const tokenOf = (last: LiveOrder | undefined): string | undefined =>
  last && `${last.updatedAt.toString(36)}.${last.orderId}`;

function placeOf(token: string): Place | undefined {
  const [, at, id] = /^([0-9a-z]{1,10})\.([\w-]{1,64})$/.exec(token) ?? [];
  if (at === undefined || id === undefined) return undefined;
  return { closedAt: instant(Number.parseInt(at, 36)), orderId: id as OrderId };
}
