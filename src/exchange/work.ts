// Works an order that is out of the book: it trades what it can, and what is left rests or is
// cancelled as its time in force says.

import { bookFill, type Party } from './booking.ts';
import type { Bot } from './bot.ts';
import { LiveOrder } from './live-order.ts';
import { fillableLots, match } from './matching.ts';
import type { ExchangeTrade } from './order.ts';
import type { Resting } from './price-level.ts';
import { recapReduceOnly } from './reduce-only.ts';
import type { ExchangeState } from './state.ts';
import { cancel, close, rest } from './working-order.ts';

/** Answers the order's own trades of this step. */
export function work(state: ExchangeState, order: LiveOrder): readonly ExchangeTrade[] {
  const { book } = order.listing;
  state.outbox.orderChanged(order);
  if (!book.wouldTrade(order.side, order.ticks)) {
    settleRest(state, order);
    return [];
  }
  if (order.identity.timeInForce === 'fill_or_kill') {
    const whole = { side: order.side, lots: order.remainingLots, limitTicks: order.ticks };
    if (fillableLots(book, whole) < order.remainingLots) {
      cancel(state, order, undefined);
      return [];
    }
  }
  const trades = trade(state, order);
  if (order.remainingLots === 0) close(state, order);
  else settleRest(state, order);
  return trades;
}

function trade(state: ExchangeState, order: LiveOrder): readonly ExchangeTrade[] {
  const { listing, side } = order;
  const trades: ExchangeTrade[] = [];
  const taker = { order };
  const incoming = { side, lots: order.remainingLots, limitTicks: order.ticks };
  match(listing.book, incoming, (maker, lots, ticks, part) => {
    const fill = { listing, maker: partyOf(maker), taker, takerSide: side, lots, ticks, part };
    const own = bookFill(state, fill);
    if (own !== undefined) trades.push(own);
  });
  return trades;
}

/** Who stands behind an entry of the book: only users' orders and bots' quotes rest. */
export const partyOf = (maker: Resting): Party =>
  maker instanceof LiveOrder ? { order: maker } : { bot: maker.owner as Bot };

function settleRest(state: ExchangeState, order: LiveOrder): void {
  const { timeInForce } = order.identity;
  if (timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill') {
    cancel(state, order, undefined);
    return;
  }
  rest(state, order);
  if (order.reduceOnly) recapReduceOnly(state, state.exposureOf(order));
}
