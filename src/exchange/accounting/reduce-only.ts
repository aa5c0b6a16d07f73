// Reduce-only orders may only reduce a position: together they never exceed it. The order that executes first
// keeps its size, those behind it are reduced, and an order reduced to zero is cancelled.
import type { Side } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Exposure } from '../model/exposure.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { otherReject, type Refusal } from '../model/refusal.ts';
import { cancel, shrink } from './working-order.ts';

/** The refusal for an order that would not reduce any position. */
export const nothingToReduce = (): Refusal =>
  otherReject(
    'reduce_direction',
    'reduce_only',
    'the account holds no position that the order would reduce; accepted: reduceOnly false, or an order against a position',
  );

/** How many lots an order of `side` can reduce the position by. */
export const reducibleLots = (lots: number, side: Side): number =>
  Math.max(0, side === 'sell' ? lots : -lots);

/** Call after every change of the position and when a reduce-only order starts to rest. */
export function recapReduceOnly(state: ExchangeState, exposure: Exposure): void {
  if (exposure.reduceOnlyCount === 0) return;
  recapSide(state, exposure, 'buy');
  recapSide(state, exposure, 'sell');
}

function recapSide(state: ExchangeState, exposure: Exposure, side: Side): void {
  let left = reducibleLots(exposure.lots, side);
  const orders = [...exposure.openOrders].filter((o) => o.reduceOnly && o.side === side);
  for (const order of orders.sort(byPriority)) {
    const allowed = Math.min(order.remainingLots, left);
    left -= allowed;
    if (allowed === order.remainingLots) continue;
    if (allowed === 0) {
      cancel(state, order, undefined);
    } else {
      shrink(state, order, order.filledLots + allowed);
      order.updatedAt = state.now;
      state.outbox.orderChanged(order);
    }
  }
}

/** Better price first, then earlier place in the queue. */
function byPriority(a: LiveOrder, b: LiveOrder): number {
  const byPrice = a.side === 'buy' ? b.ticks - a.ticks : a.ticks - b.ticks;
  return byPrice === 0 ? a.rank - b.rank : byPrice;
}
