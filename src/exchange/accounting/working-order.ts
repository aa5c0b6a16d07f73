// Moves orders into the book, out of it, or to a final state. Keeps the account's exposure and reservations
// equal to what its open orders could still do.
import { type Money, minus, ZERO_MONEY } from '../../values/amounts.ts';
import { later } from '../../values/instant.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { LiveOrder } from '../model/live-order.ts';
import type { CancelReason } from '../order.ts';
import { stopWaiting } from './dormant-order.ts';
import { claimCurrencyOf, claimOf } from './margin.ts';

/** Places the remaining lots at the end of the queue at the order's price. */
export function rest(state: ExchangeState, order: LiveOrder): void {
  order.splitLots();
  order.rank = state.nextRank();
  order.listing.book.rest(order, order.side, order.ticks);
  enlist(state, order);
}

/** Has the order wait before it may match, as an open order in no book. */
export function wait(state: ExchangeState, order: LiveOrder, forMs: number): void {
  order.rank = state.nextRank();
  const until = later(state.now, forMs);
  order.conditions = { ...order.conditions, bump: { until } };
  waitAgain(state, order);
  state.outbox.orderChanged(order);
}

/** Puts an order that has the end of its bump at the end of its queue. */
export function waitAgain(state: ExchangeState, order: LiveOrder): void {
  state.bumps.add(order);
  enlist(state, order);
}

/** Removes the order from the book or its queue, permanently or to be placed elsewhere; its state stays open. */
export function unrest(state: ExchangeState, order: LiveOrder): void {
  order.listing.book.remove(order, order.side);
  if (order.conditions?.bump !== undefined) {
    const { bump: _, ...rest } = order.conditions;
    order.conditions = Object.keys(rest).length > 0 ? rest : undefined;
  }
  delist(state, order);
}

/** Removes the order from the account's open orders. */
export function delist(state: ExchangeState, order: LiveOrder): void {
  const exposure = state.exposureOf(order);
  if (exposure.openOrders.delete(order) && order.reduceOnly) exposure.reduceOnlyCount -= 1;
  if (order.advanced !== undefined) unfollow(state, order);
  setClaims(state, order, 0);
}

/** Adds a resting order to the account's open orders. */
export function enlist(state: ExchangeState, order: LiveOrder): void {
  const exposure = state.exposureOf(order);
  if (!exposure.openOrders.has(order)) {
    exposure.openOrders.add(order);
    if (order.reduceOnly) exposure.reduceOnlyCount += 1;
  }
  if (order.advanced !== undefined) follow(state, order);
  setClaims(state, order, order.remainingLots);
}

function follow({ advanced }: ExchangeState, order: LiveOrder): void {
  const same = advanced.get(order.listing);
  if (same === undefined) advanced.set(order.listing, new Set([order]));
  else same.add(order);
}

function unfollow({ advanced }: ExchangeState, order: LiveOrder): void {
  const same = advanced.get(order.listing);
  if (same?.delete(order) && same.size === 0) advanced.delete(order.listing);
}

/** Applies a smaller total; the order keeps its place. */
export function shrink(state: ExchangeState, order: LiveOrder, totalLots: number): void {
  const cut = order.totalLots - totalLots;
  if (cut === 0) return;
  order.totalLots = totalLots;
  if (order.level !== undefined) order.listing.book.reduce(order, order.side, cut);
  setClaims(state, order, order.remainingLots);
}

export function cancel(
  state: ExchangeState,
  order: LiveOrder,
  reason: CancelReason | undefined,
): void {
  stopWaiting(state, order);
  unrest(state, order);
  order.state = 'cancelled';
  order.cancelReason = reason;
  close(state, order);
}

/** For an order in a final state that is out of the book. */
export function close(state: ExchangeState, order: LiveOrder): void {
  order.updatedAt = state.now;
  state.orders.close(order, state.now);
  state.outbox.orderChanged(order);
  if (order.conditions?.seat !== undefined) state.pending.linked(order);
}

/** An order of a combo counts as an open order of each leg. */
function claimLegs(account: Account, { listing, side }: LiveOrder, change: number): void {
  for (const leg of listing.legs) {
    const exposure = account.exposure(leg.listing);
    const lots = Math.abs(leg.lots) * change;
    if (leg.lots > 0 === (side === 'buy')) exposure.openBuyLots += lots;
    else exposure.openSellLots += lots;
  }
}

/** Sets the lots that count as open for this order, replacing the earlier count. */
export function setClaims(state: ExchangeState, order: LiveOrder, lots: number): void {
  const exposure = state.exposureOf(order);
  const change = lots - order.claimedLots;
  if (order.side === 'buy') exposure.openBuyLots += change;
  else exposure.openSellLots += change;
  order.claimedLots = lots;
  claimLegs(state.ownerOf(order), order, change);
  const currency = claimCurrencyOf(order.listing, order.side);
  if (currency === undefined) return;
  const { side, price } = order;
  const claim = lots === 0 ? undefined : claimOf(order.listing, { side, price, lots });
  reserve(state, order, claim?.amount ?? ZERO_MONEY);
}

/** Sets what the order reserves of the balance that it is paid from, replacing the earlier amount. */
export function reserve(state: ExchangeState, order: LiveOrder, amount: Money): void {
  const currency = claimCurrencyOf(order.listing, order.side);
  if (currency === undefined) return;
  state.ownerOf(order).reserve(currency, minus(amount, order.claimedMoney));
  order.claimedMoney = amount;
}
