// Self-trade prevention: an order never trades with another order of the same account, nor, if its account's mode is extended,
// with one of another account of the same main account. The mode of the incoming order's account decides whether that order is
// refused or cancelled, or the resting one is cancelled and matching continues.
//
// Source: the venue's self-trade prevention modes; since May 2026 it may answer an incoming order as cancelled that it refused before,
// with a reason that names which of the two it met.
import { opposite } from '../../values/instrument.ts';
import { assertProgress } from '../../values/progress.ts';
import { fillableQuantity, type Overlap, overlapOf } from '../accounting/fillable-quantity.ts';
import { fillMaker, type Incoming, type OnFill } from '../book/matching.ts';
import type { Resting } from '../book/price-level.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import type { LiveOrder } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';

/** Refuses an order that would trade with its owner's own, if the mode rejects the taker. */
export const checkOwn = (
  exposure: Exposure,
  incoming: Incoming,
  owner: Account,
): Refusal | undefined =>
  owner.selfTrade === 'reject_taker' && overlapWith(exposure, incoming, owner) !== undefined
    ? refusal.orderOverlap()
    : undefined;

/** Why an order that was accepted has to be cancelled, because of what it would trade with; `undefined` if it may trade. */
export const takerGivesWay = (
  exposure: Exposure,
  incoming: Incoming,
  owner: Account,
): Overlap | undefined =>
  owner.selfTrade === 'cancel_maker' ? undefined : overlapWith(exposure, incoming, owner);

export const overlapWith = (
  exposure: Exposure,
  incoming: Incoming,
  owner: Account,
): Overlap | undefined =>
  hasAgainst(exposure, incoming.side, owner)
    ? fillableQuantity(exposure.listing, incoming, owner).meets
    : undefined;

/** Whether resting orders may have to be cancelled for an incoming one of `side`. */
export const makersGiveWay = (
  exposure: Exposure,
  side: Incoming['side'],
  owner: Account,
): boolean => owner.selfTrade === 'cancel_maker' && hasAgainst(exposure, side, owner);

function hasAgainst(exposure: Exposure, side: Incoming['side'], owner: Account): boolean {
  if (exposure.openLots(opposite(side)) > 0) return true;
  const { name } = exposure.listing.instrument;
  for (const sibling of owner.siblings) {
    if ((sibling.known(name)?.openLots(opposite(side)) ?? 0) > 0) return true;
  }
  return false;
}

interface Meeting {
  /** Must remove the order from the book. */
  readonly giveWay: (own: Resting, why: Overlap) => void;
  readonly onFill: OnFill;
}

/** Trades as `match` does; each order that it must not trade with is cancelled when the matching reaches it. */
export function matchOthers(order: LiveOrder, owner: Account, { giveWay, onFill }: Meeting): void {
  const against = order.listing.book.against(order.side);
  let left = order.remainingLots;
  while (left > 0) {
    const level = against.best;
    if (level === undefined || !against.isWithin(level.ticks, order.ticks)) return;
    const maker = level.head as Resting;
    const before = left;
    const overlap = overlapOf(owner, maker.owner);
    if (overlap !== undefined) giveWay(maker, overlap);
    else left -= fillMaker(against, maker, left, onFill);
    const isGone = maker.level === undefined;
    assertProgress(left < before || isGone, "matching against other accounts' orders");
  }
}
