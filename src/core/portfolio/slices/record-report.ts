// Processes the venue's reports (answer, notice or query) from any source and in any order. Quantities come from
// trades only, each counted once; an order's own count is a cross-check.
import { equals, isMore, isPositive, larger, text } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { type ChildOrder, type ChildState, isWorking } from '../../order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../../order/venue-report.ts';
import { type Draft, emit, knownChild } from '../aggregate/draft.ts';
import { isTerminal } from '../aggregate/portfolio-state.ts';
import { committedOf, legSpec } from '../aggregate/positions.ts';
import { decidableAt } from './reconcile-child.ts';

export interface Report {
  readonly orders: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
  readonly editNumber?: number | undefined;
  readonly askedAt?: Instant | undefined;
}

/** Records the report; orders and trades of others are ignored. */
export function recordReport(draft: Draft, report: Report): void {
  for (const order of report.orders) recordOpening(draft, order);
  for (const trade of report.trades) recordTrade(draft, trade);
  for (const order of report.orders) {
    recordEdit(draft, order, report);
    recordClosing(draft, order);
  }
  for (const { label } of report.orders) flagContradiction(draft, label);
  for (const { label } of report.trades) flagContradiction(draft, label);
}

/** Considered never to have been at the venue. */
const isDead = (state: ChildState): boolean => state === 'unsent' || state === 'rejected';

/** The venue has the order: it is live, if that was unknown or queries had not found it. */
function recordOpening(draft: Draft, order: VenueOrder): void {
  const child = knownChild(draft, order.label);
  if (child === undefined) return;
  if (isDead(child.state)) {
    if (order.state === 'rejected') return;
    const what = `order ${order.orderId} appeared for a child held for ${child.state}`;
    emit(draft, { kind: 'assumption_broken', label: order.label, what });
  } else if (!isWorking(child)) return;
  else if (child.state === 'live' && child.absentSince === undefined) return;
  if (order.state === 'rejected' && child.state !== 'live') {
    const message = order.cancelReason ?? 'rejected by the venue';
    emit(draft, { kind: 'child_rejected', label: order.label, code: 0, message, retry: false });
    return;
  }
  const price = order.price === undefined ? {} : { price: text(order.price) };
  emit(draft, { kind: 'child_live', label: order.label, orderId: order.orderId, ...price });
}

function recordTrade(draft: Draft, trade: VenueTrade): void {
  const child = knownChild(draft, trade.label);
  if (child === undefined || child.trades.includes(trade.tradeId)) return;
  if (!isPositive(trade.quantity)) return;
  if (isDead(child.state)) {
    const what = `trade ${trade.tradeId} of a child held for ${child.state}`;
    emit(draft, { kind: 'assumption_broken', label: trade.label, what });
  }
  if (isDead(child.state) || child.state === 'sending' || child.state === 'unknown') {
    emit(draft, { kind: 'child_live', label: trade.label, orderId: trade.orderId });
  }
  emit(draft, {
    kind: 'fill_booked',
    label: trade.label,
    tradeId: trade.tradeId,
    orderId: trade.orderId,
    quantity: text(trade.quantity),
    price: text(trade.price),
    fee: text(trade.fee),
    feeCurrency: trade.feeCurrency,
    liquidity: trade.liquidity,
    tradedAt: trade.at,
  });
}

/** When the venue contradicts itself, the only remedy is to stop and report it. */
function flagContradiction(draft: Draft, label: string): void {
  if (draft.events.length === 0 || draft.state.broken) return;
  const child = knownChild(draft, label);
  const what = child && contradiction(draft, child);
  if (what !== undefined) emit(draft, { kind: 'assumption_broken', label, what });
}

function contradiction(draft: Draft, child: ChildOrder): string | undefined {
  const { leg } = child;
  const { quantity } = legSpec(draft.state, leg);
  const committed = committedOf(draft.state, leg);
  if (isMore(child.filled, child.quantity)) {
    return `${text(child.filled)} filled of a child of ${text(child.quantity)}`;
  }
  if (isMore(committed, quantity)) {
    return `leg ${leg} has ${text(committed)} filled or at the venue of ${text(quantity)}`;
  }
  return isTerminal(draft.state.status) ? 'news of a child after the end' : undefined;
}

/**
 * An edit is done when its own answer confirms it, or when the price is the requested one. Otherwise only a query settles it that
 * started when no late edit could be accepted any more: what was published, or requested earlier, may show the order as it was
 * before the edit, however late it arrives.
 */
function recordEdit(draft: Draft, order: VenueOrder, { editNumber, askedAt }: Report): void {
  const child = knownChild(draft, order.label);
  if (child?.edit === undefined || order.price === undefined || !isWorking(child)) return;
  const { number, price, validUntil } = child.edit;
  const isAnswered = number === editNumber || equals(order.price, price);
  const isFinal =
    askedAt !== undefined && askedAt >= decidableAt(validUntil, draft.inputs.settings);
  if (!isAnswered && !isFinal) return;
  emit(draft, { kind: 'edit_done', label: order.label, number, price: text(order.price) });
}

const CLOSED: Partial<Record<VenueOrder['state'], 'filled' | 'cancelled'>> = {
  filled: 'filled',
  cancelled: 'cancelled',
  // Closed without a fill: the order it created has an id of its own.
  triggered: 'cancelled',
  // After it was live, it is closed, whatever the venue calls it.
  rejected: 'cancelled',
};

function recordClosing(draft: Draft, order: VenueOrder): void {
  const child = knownChild(draft, order.label);
  const state = CLOSED[order.state];
  if (child === undefined || state === undefined) return;
  if (!isWorking(child) && !countsMore(child, order)) return;
  emit(draft, {
    kind: 'child_closed',
    label: order.label,
    orderId: order.orderId,
    state,
    filled: text(order.filledQuantity),
    reason: order.state === 'triggered' ? 'triggered' : (order.cancelReason ?? ''),
  });
}

/** The venue now counts more filled on a closed order: the fills must be fetched. */
function countsMore(child: ChildOrder, order: VenueOrder): boolean {
  if (child.venueFilled === undefined) return false;
  return isMore(order.filledQuantity, larger(child.venueFilled, child.filled));
}
