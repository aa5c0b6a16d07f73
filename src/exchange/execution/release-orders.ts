// Releases the orders whose speed bump is over: each meets the book as it is now.
import { must } from '../../values/assert.ts';
import { cancel, unrest } from '../accounting/working-order.ts';
import { takerGivesWay } from '../checks/self-trade.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { LiveOrder } from '../model/live-order.ts';
import type { ExchangeTrade } from '../order.ts';
import { afterMatch } from './after-match.ts';
import { work } from './execute-order.ts';
import { settledOrder } from './settled-answer.ts';

/** To be called with each command, before it is performed. */
export function releaseOrders(state: ExchangeState): void {
  for (;;) {
    const order = state.bumps.take(state.now);
    if (order === undefined) return;
    const trades = release(state, order);
    const mark = state.outbox.mark();
    afterMatch(state);
    state.bumps.released(settledOrder(state, { order, trades }, mark));
  }
}

function release(state: ExchangeState, order: LiveOrder): readonly ExchangeTrade[] {
  const { cancelReason } = must(order.conditions?.bump, 'a waiting order has a bump');
  unrest(state, order);
  order.updatedAt = state.now;
  const { listing, side, remainingLots: lots, ticks: limitTicks } = order;
  if (listing.state === 'locked') {
    cancel(state, order, cancelReason);
    return [];
  }
  const account = state.ownerOf(order);
  const incoming = { side, lots, limitTicks };
  const overlap = takerGivesWay(account.exposure(listing), incoming, account);
  if (overlap === undefined) return work(state, order, cancelReason);
  cancel(state, order, overlap);
  return [];
}
