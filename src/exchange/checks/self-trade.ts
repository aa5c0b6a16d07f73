// An order never trades with another of its owner. Which of the two gives way is the account's choice:
// the incoming one is refused, or what rests is cancelled and the incoming one goes on.
//
// Source: the venue's self-trade prevention modes.
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

/** Refused where the order would meet its owner's own and has to give way. */
export function checkOwn(
  exposure: Exposure,
  incoming: Incoming,
  owner: Account,
): Refusal | undefined {
  if (owner.selfTrade === 'cancel_maker' || !hasAgainst(exposure, incoming.side)) return undefined;
  return fillableQuantity(exposure.listing, incoming, owner).meetsOwn
    ? refusal.orderOverlap()
    : undefined;
}

/** Whether orders that rest may have to give way to an incoming one of `side`. */
export const makersGiveWay = (
  exposure: Exposure,
  side: Incoming['side'],
  owner: Account,
): boolean => owner.selfTrade === 'cancel_maker' && hasAgainst(exposure, side);

const hasAgainst = (exposure: Exposure, side: Incoming['side']): boolean =>
  exposure.openLots(opposite(side)) > 0;

interface Meeting {
  /** Must take the order out of the book. */
  readonly giveWay: (own: Resting) => void;
  readonly onFill: OnFill;
}

/** Trades as `match` does; each order of the same owner gives way when its turn comes. */
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
    assertProgress(left < before || isGone, 'matching against the orders of others');
  }
}
