// Orders that wait for a trigger price or for their primary. They reserve nothing and are in no book.

import type { ExchangeState } from '../exchange-state.ts';
import type { LiveOrder } from '../model/live-order.ts';
import { TriggerBook } from '../model/triggers/trigger-book.ts';

/**
 * True for a dormant linked order that waits for its primary; the order that replaces it names it as its
 * origin.
 */
export function waitsForPrimary({ state, conditions }: LiveOrder): boolean {
  return (
    state === 'untriggered' &&
    conditions?.seat?.role === 'secondary' &&
    conditions.triggerOrderId === undefined
  );
}

export function startWaiting(state: ExchangeState, order: LiveOrder): void {
  state.exposureOf(order).dormantOrders.add(order);
  const trigger = order.conditions?.trigger;
  if (trigger === undefined || waitsForPrimary(order)) return;
  let book = state.triggers.get(order.listing);
  if (book === undefined) {
    book = new TriggerBook();
    state.triggers.set(order.listing, book);
  }
  book.add(order, trigger);
}

/** No effect on an order that is not waiting. */
export function stopWaiting(state: ExchangeState, order: LiveOrder): void {
  if (!state.exposureOf(order).dormantOrders.delete(order)) return;
  const trigger = order.conditions?.trigger;
  const book = state.triggers.get(order.listing);
  if (trigger === undefined || book === undefined || waitsForPrimary(order)) return;
  book.remove(order, trigger);
  if (book.isEmpty) state.triggers.delete(order.listing);
}
