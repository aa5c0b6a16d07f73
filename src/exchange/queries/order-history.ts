// Closed orders, newest first. As at the venue, the last half hour is recent and everything before is
// historical: a query sees one or the other.
//
// Source: the venue's description of its history methods (2025): recent orders 30 minutes, `historical` older
// ones only; orders older than two days and orders without a fill only on request.

import type { AccountId, OrderId } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import type { OrderType } from '../../values/order-terms.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Span } from '../model/age-queue.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import type { ExchangeOrder } from '../order.ts';
import { isMeant, type MarketFilter } from './market-filter.ts';

export interface OrderHistoryQuery extends MarketFilter {
  readonly account: AccountId;
  readonly now: Instant;
  /** The original order types. */
  readonly types?: readonly OrderType[] | undefined;
  readonly label?: string | undefined;
  /** At most {@link HISTORY_COUNT_MAX} are returned at once. */
  readonly count: number;
  /** How many to skip. */
  readonly offset: number;
  /** From an earlier answer: continues after its last order, even if others have closed since. */
  readonly continuation?: string | undefined;
  /** False: orders closed in the last half hour; true: orders closed before. */
  readonly historical: boolean;
  /** Include orders closed more than two days ago. */
  readonly includeOld: boolean;
  /** Include orders without a fill. */
  readonly includeUnfilled: boolean;
}

export interface OrderHistoryPage {
  readonly orders: readonly ExchangeOrder[];
  /** On every page but the last. */
  readonly continuation?: string | undefined;
}

export const HISTORY_COUNT_MAX = 1_000;
const RECENT_MS = 30 * MINUTE_MS;
const OLD_MS = 2 * DAY_MS;

/** `undefined` if the continuation was not issued by this exchange. */
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

/** The end of an answer. */
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
  // If the order itself has been dropped, so have all that closed before it in the same instant.
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
