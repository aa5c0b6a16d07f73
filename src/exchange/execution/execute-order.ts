// Executes an order that is not in the book: it trades as far as possible, and the remainder rests or is
// cancelled, depending on its time in force.

import { assert } from '../../values/assert.ts';
import { bookFill, type Party } from '../accounting/booking.ts';
import { fillableQuantity, type Overlap } from '../accounting/fillable-quantity.ts';
import { recapReduceOnly } from '../accounting/reduce-only.ts';
import { cancel, close, rest, wait } from '../accounting/working-order.ts';
import { match, type OnFill } from '../book/matching.ts';
import type { Resting } from '../book/price-level.ts';
import { makersGiveWay, matchOthers, takerGivesWay } from '../checks/self-trade.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Bot } from '../model/bot.ts';
import { ROUTED_FILLS_AFTER_MS } from '../model/instruments/contract-rules.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { CancelReason, ExchangeTrade } from '../order.ts';

/**
 * Works the order, or has it wait first if it would match at once in a book where that takes time. It is cancelled if it would
 * trade with its owner's own, which a mode that refuses such orders has checked before.
 */
export function arrive(state: ExchangeState, order: LiveOrder): readonly ExchangeTrade[] {
  const { listing, side, ticks } = order;
  const incoming = { side, lots: order.remainingLots, limitTicks: ticks };
  const overlap = takerGivesWay(state.exposureOf(order), incoming, state.ownerOf(order));
  if (overlap !== undefined) {
    cancel(state, order, overlap);
    return [];
  }
  const waitMs = waitMsIn(state, listing);
  if (waitMs === 0 || order.postOnly || !listing.book.wouldTrade(side, ticks)) {
    return work(state, order);
  }
  wait(state, order, waitMs);
  if (order.reduceOnly) recapReduceOnly(state, state.exposureOf(order));
  return [];
}

function waitMsIn({ settings }: ExchangeState, { instrument, hasSpeedBump }: Listing): number {
  if (instrument.isRouted === true) return ROUTED_FILLS_AFTER_MS;
  return hasSpeedBump ? settings.speedBumpMs : 0;
}

/**
 * Returns the order's own trades of this step. With a reason the order was cancelled before: what does not match now is
 * cancelled for it.
 */
export function work(
  state: ExchangeState,
  order: LiveOrder,
  cancelled?: CancelReason,
): readonly ExchangeTrade[] {
  const { book } = order.listing;
  state.outbox.orderChanged(order);
  if (!book.wouldTrade(order.side, order.ticks)) {
    settleRest(state, order, cancelled);
    return [];
  }
  if (order.timeInForce === 'fill_or_kill') {
    const whole = { side: order.side, lots: order.remainingLots, limitTicks: order.ticks };
    if (fillableQuantity(order.listing, whole, state.ownerOf(order)).lots < order.remainingLots) {
      cancel(state, order, cancelled);
      return [];
    }
  }
  const trades = trade(state, order);
  if (order.remainingLots === 0) close(state, order);
  else settleRest(state, order, cancelled);
  return trades;
}

function trade(state: ExchangeState, order: LiveOrder): readonly ExchangeTrade[] {
  const { listing, side } = order;
  const trades: ExchangeTrade[] = [];
  const taker = { order };
  const incoming = { side, lots: order.remainingLots, limitTicks: order.ticks };
  const onFill: OnFill = (maker, lots, ticks, part) => {
    assert(maker.owner !== order.owner, 'an order never trades with another of its owner');
    const fill = { listing, maker: partyOf(maker), taker, takerSide: side, lots, ticks, part };
    const own = bookFill(state, fill);
    if (own !== undefined) trades.push(own);
  };
  const owner = state.ownerOf(order);
  // An account under liquidation has no orders left, and others are no obstacle to it.
  if (order.isLiquidation !== true && makersGiveWay(state.exposureOf(order), side, owner)) {
    const giveWay = (own: Resting, why: Overlap) => cancel(state, own as LiveOrder, why);
    matchOthers(order, owner, { giveWay, onFill });
  } else {
    match(listing.book, incoming, onFill);
  }
  return trades;
}

/** The owner of a resting entry: only users' orders and bots' quotes rest. */
export const partyOf = (maker: Resting): Party =>
  maker instanceof LiveOrder ? { order: maker } : { bot: maker.owner as Bot };

function settleRest(
  state: ExchangeState,
  order: LiveOrder,
  cancelled: CancelReason | undefined,
): void {
  if (cancelled !== undefined || isImmediate(order)) {
    cancel(state, order, cancelled);
    return;
  }
  rest(state, order);
  if (order.reduceOnly) recapReduceOnly(state, state.exposureOf(order));
}

/** The order never rests. */
export const isImmediate = ({ timeInForce }: LiveOrder): boolean =>
  timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill';
