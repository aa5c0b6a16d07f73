// Takes in what a venue says, from whichever source and in whatever order: an answer, a notice, a
// query. Quantities come from trades only, each counted once; an order's own count is a cross-check.
import { equals, isPositive, minus, text } from '../../values/amounts.ts';
import { childLabelOf } from '../../values/ids.ts';
import { type ChildOrder, isWorking } from '../order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../order/venue-report.ts';
import { type Draft, emit } from './draft.ts';
import { childOf } from './evolve-child.ts';
import { legSpec, legState } from './positions.ts';
import { decidableAt } from './settle-child.ts';

export interface Report {
  readonly orders: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
  readonly editNumber?: number | undefined;
}

/** Records the report; orders and trades that are not this portfolio's are passed over. */
export function recordReport(draft: Draft, report: Report): void {
  for (const order of report.orders) recordOpening(draft, order);
  for (const trade of report.trades) recordTrade(draft, trade);
  for (const order of report.orders) {
    recordEdit(draft, order, report.editNumber);
    recordClosing(draft, order);
  }
}

function known(draft: Draft, label: string): ChildOrder | undefined {
  const key = childLabelOf(label);
  return draft.state.children.get(key) ?? draft.state.ended.get(key);
}

/** The venue has the order: it is live, if it was not known to be. */
function recordOpening(draft: Draft, order: VenueOrder): void {
  const child = known(draft, order.label);
  if (child === undefined) return;
  if (child.state === 'unsent' || (child.state === 'rejected' && order.state !== 'rejected')) {
    const what = `order ${order.orderId} appeared for a child held for ${child.state}`;
    emit(draft, { kind: 'assumption_broken', label: order.label, what });
  } else if (child.state !== 'sending' && child.state !== 'unknown') return;
  if (order.state === 'rejected') {
    const message = order.cancelReason ?? 'rejected by the venue';
    emit(draft, { kind: 'child_rejected', label: order.label, code: 0, message, retry: false });
    return;
  }
  const price = order.price === undefined ? {} : { price: text(order.price) };
  emit(draft, { kind: 'child_live', label: order.label, orderId: order.orderId, ...price });
}

function recordTrade(draft: Draft, trade: VenueTrade): void {
  const child = known(draft, trade.label);
  if (child === undefined || child.trades.includes(trade.tradeId)) return;
  if (!isPositive(trade.quantity)) return;
  if (child.state === 'sending' || child.state === 'unknown' || child.state === 'unsent') {
    emit(draft, { kind: 'child_live', label: trade.label, orderId: trade.orderId });
    if (child.state === 'unsent') {
      const what = `trade ${trade.tradeId} of a child held for unsent`;
      emit(draft, { kind: 'assumption_broken', label: trade.label, what });
    }
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
  flagOverfill(draft, child);
}

/** More filled than asked for cannot be undone, only stopped and told. */
function flagOverfill(draft: Draft, child: ChildOrder): void {
  const excess = minus(
    legState(draft.state, child.leg).filled,
    legSpec(draft.state, child.leg).quantity,
  );
  if (!isPositive(excess) || draft.state.broken) return;
  const what = `leg ${child.leg} is filled ${text(excess)} beyond its total`;
  emit(draft, { kind: 'assumption_broken', label: child.label, what });
}

/** An edit is done when its own answer says so, or when no late edit can be accepted any more. */
function recordEdit(draft: Draft, order: VenueOrder, editNumber: number | undefined): void {
  const child = known(draft, order.label);
  if (child?.edit === undefined || order.price === undefined || !isWorking(child)) return;
  const answered = child.edit.number === editNumber || equals(order.price, child.edit.price);
  if (!answered && draft.now < decidableAt(child.edit.validUntil, draft.context.settings)) return;
  const { number } = child.edit;
  emit(draft, { kind: 'edit_done', label: order.label, number, price: text(order.price) });
}

function recordClosing(draft: Draft, order: VenueOrder): void {
  const child = known(draft, order.label);
  if (child === undefined || (order.state !== 'filled' && order.state !== 'cancelled')) return;
  if (!isWorking(childOf(draft.state, order.label))) return;
  emit(draft, {
    kind: 'child_closed',
    label: order.label,
    orderId: order.orderId,
    state: order.state,
    filled: text(order.filledQuantity),
    reason: order.cancelReason ?? '',
  });
}
