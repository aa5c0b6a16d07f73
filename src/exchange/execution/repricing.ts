// Reprices the orders that the exchange prices, at most once per interval, when an instrument's reference is
// set. A new price loses the place in the queue and may trade.
import type { Instant } from '../../values/instant.ts';
import { cancel, unrest } from '../accounting/working-order.ts';
import { overlapWith } from '../checks/self-trade.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type Advanced, advancedTicks, isTooLate } from '../model/advanced-price.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { LiveOrder } from '../model/live-order.ts';
import * as refusal from '../model/refusal.ts';
import { checkOutcome } from './edit.ts';
import { arrive } from './execute-order.ts';

/** `before` is the time at which the reference was previously set. */
export function repriceAdvanced(
  state: ExchangeState,
  listing: Listing,
  before: Instant | undefined,
): void {
  const orders = state.advanced.get(listing);
  if (orders === undefined) return;
  const inTurn = [...orders].sort((a, b) => a.rank - b.rank);
  if (isTooLate(listing.instrument, state.now)) {
    for (const order of inTurn) cancel(state, order, undefined);
    return;
  }
  const { advancedIntervalMs } = state.settings;
  const intervalOf = (at: Instant): number => Math.floor(at / advancedIntervalMs);
  if (before !== undefined && intervalOf(before) === intervalOf(state.now)) return;
  if (listing.state !== 'open') return;
  for (const order of inTurn) {
    // An earlier order may have traded with it, or used up the position it was to reduce.
    const isWaiting = order.conditions?.bump !== undefined;
    if (order.state === 'open' && order.advanced !== undefined && !isWaiting) {
      reprice(state, order, order.advanced);
    }
  }
}

function reprice(state: ExchangeState, order: LiveOrder, advanced: Advanced): void {
  const { listing, side, reduceOnly, postOnly, rejectPostOnly, totalLots } = order;
  const ticks = advancedTicks(listing, side, advanced, state.now);
  if (ticks === undefined || ticks === order.ticks) return;
  const terms = { ticks, totalLots, reduceOnly, postOnly, rejectPostOnly };
  const refused = checkOutcome(state, order, terms);
  if (refused !== undefined) {
    const isOwn = refused.code === refusal.orderOverlap().code;
    const incoming = { side, lots: order.remainingLots, limitTicks: ticks };
    const overlap = isOwn
      ? overlapWith(state.exposureOf(order), incoming, state.ownerOf(order))
      : undefined;
    cancel(state, order, overlap ?? 'risk_mitigation');
    return;
  }
  unrest(state, order);
  order.setTerms({ ...terms, advanced: { ...advanced, autoReplaced: true } });
  order.replaced = true;
  order.updatedAt = state.now;
  arrive(state, order);
}
