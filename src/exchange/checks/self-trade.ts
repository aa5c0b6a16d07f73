// Self-trade prevention: an order never trades with another order of the same account. The account's mode
// decides whether the incoming order is refused or cancelled, or the resting one is cancelled and matching continues.
//
// Source: the venue's self-trade prevention modes; since May 2026 it may answer an incoming order as cancelled that it refused before.
import { opposite } from '../../values/instrument.ts';
import { assertProgress } from '../../values/progress.ts';
import { fillableQuantity } from '../accounting/fillable-quantity.ts';
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
  owner.selfTrade === 'reject_taker' && wouldMeetOwn(exposure, incoming, owner)
    ? refusal.orderOverlap()
    : undefined;

/** Whether an order that was accepted has to be cancelled, because it would trade with its owner's own. */
export const takerGivesWay = (exposure: Exposure, incoming: Incoming, owner: Account): boolean =>
  owner.selfTrade !== 'cancel_maker' && wouldMeetOwn(exposure, incoming, owner);

const wouldMeetOwn = (exposure: Exposure, incoming: Incoming, owner: Account): boolean =>
  hasAgainst(exposure, incoming.side) &&
  fillableQuantity(exposure.listing, incoming, owner).meetsOwn;

/** Whether resting orders may have to be cancelled for an incoming one of `side`. */
export const makersGiveWay = (
  exposure: Exposure,
  side: Incoming['side'],
  owner: Account,
): boolean => owner.selfTrade === 'cancel_maker' && hasAgainst(exposure, side);

const hasAgainst = (exposure: Exposure, side: Incoming['side']): boolean =>
  exposure.openLots(opposite(side)) > 0;

interface Meeting {
  /** Must remove the order from the book. */
  readonly giveWay: (own: Resting) => void;
  readonly onFill: OnFill;
}

/** Trades as `match` does; each order of the same owner is cancelled when the matching reaches it. */
export function matchOthers(order: LiveOrder, { giveWay, onFill }: Meeting): void {
  const against = order.listing.book.against(order.side);
  let left = order.remainingLots;
  while (left > 0) {
    const level = against.best;
    if (level === undefined || !against.isWithin(level.ticks, order.ticks)) return;
    const maker = level.head as Resting;
    const before = left;
    if (maker.owner === order.owner) giveWay(maker);
    else left -= fillMaker(against, maker, left, onFill);
    const isGone = maker.level === undefined;
    assertProgress(left < before || isGone, "matching against other accounts' orders");
  }
}
