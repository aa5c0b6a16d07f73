// The checks of a request, in the order of precedence of the venue's error codes: book, validity, amount,
// price, flags, band, reduce-only, funds, own orders. Each returns a refusal or nothing.

import { isPositive, type Price, type Quantity, text } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { isCombo, type Side } from '../../values/instrument.ts';
import { sizeHint, tickHint } from '../../values/nearest-tradable.ts';
import {
  type OrderType,
  type RoutedOrder,
  routedFault,
  type TimeInForce,
} from '../../values/order-terms.ts';
import { charactersOf } from '../../values/text/text-length.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';

const LABEL_LENGTH_MAX = 64;
/** Far above any market, and small enough for sums to stay exact. */
const COUNT_MAX = 1_000_000_000_000;

export function checkBook(listing: Listing, now: Instant): Refusal | undefined {
  if (listing.isExpired(now)) return refusal.bookClosed();
  if (listing.state === 'settlement') return refusal.settlementInProgress();
  if (listing.state === 'locked') return refusal.lockedByAdmin();
  return undefined;
}

/** Cancels are accepted while the book is locked. */
export function checkBookForCancel(listing: Listing): Refusal | undefined {
  return listing.state === 'settlement' ? refusal.settlementInProgress() : undefined;
}

export const checkValidity = (
  now: Instant,
  validUntil: Instant | undefined,
): Refusal | undefined =>
  validUntil !== undefined && now >= validUntil ? refusal.timedOut() : undefined;

export const checkLabel = (label: string): Refusal | undefined =>
  charactersOf(label, LABEL_LENGTH_MAX) > LABEL_LENGTH_MAX
    ? refusal.invalidParam('label', `must be at most ${LABEL_LENGTH_MAX} characters`)
    : undefined;

export function checkAmount(listing: Listing, quantity: Quantity): Refusal | undefined {
  const lots = listing.grid.lotsOf(quantity);
  if (lots === undefined) {
    const hint = sizeHint(listing.instrument, quantity);
    return refusal.invalidParam('amount', `must be a multiple of contract size; ${hint}`);
  }
  if (lots < listing.grid.minLots) return refusal.qtyTooLow(sizeHint(listing.instrument, quantity));
  return lots > COUNT_MAX ? refusal.notEnoughFunds() : undefined;
}

export function checkPrice(listing: Listing, price: Price): Refusal | undefined {
  const { grid } = listing;
  const lowest = text(grid.priceOf(grid.lowestTicks));
  if (!grid.isSigned && !isPositive(price)) return refusal.priceTooLow(lowest);
  const ticks = grid.ticksOf(price);
  if (ticks === undefined || !grid.isValid(ticks)) {
    return refusal.priceWrongTick(tickHint(listing.instrument, price));
  }
  if (ticks < grid.lowestTicks) return refusal.priceTooLow(lowest);
  const highest = grid.highestTicks;
  return ticks > highest ? refusal.priceTooHigh(text(grid.priceOf(highest))) : undefined;
}

/** Order types without a limit price. */
const MARKET_TYPES: ReadonlySet<OrderType> = new Set([
  'market',
  'market_limit',
  'stop_market',
  'take_market',
  'trailing_stop',
]);

/** What the exchange that matches a routed pair does not take. */
export function checkRouted({ instrument }: Listing, order: RoutedOrder): Refusal | undefined {
  const fault = instrument.isRouted === true ? routedFault(order) : undefined;
  return fault && refusal.notOnRouted(fault);
}

interface Flags {
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
}

export function checkFlags(
  listing: Listing,
  flags: Flags,
  marketOrdersOnOptions: boolean,
): Refusal | undefined {
  const { kind } = listing.instrument;
  const { type, timeInForce, postOnly } = flags;
  if (kind === 'spot' && flags.reduceOnly) {
    return refusal.invalidParam('reduce_only', 'not supported for spot');
  }
  if (kind === 'spot' && timeInForce === 'good_til_day') {
    return refusal.invalidParam('time_in_force', 'good_til_day is not supported for spot');
  }
  if (kind === 'spot' && flags.mmp) return refusal.invalidParam('mmp', 'not supported for spot');
  if (isCombo(listing.instrument) && flags.reduceOnly) {
    return refusal.unavailableForCombos('reduce_only', 'a combo holds no position to reduce');
  }
  const isMarket = MARKET_TYPES.has(type);
  const isOfOptions = kind === 'option' || kind === 'option_combo';
  if (isMarket && isOfOptions && !marketOrdersOnOptions) {
    return refusal.invalidParam('type', 'market orders are not supported for options');
  }
  if (isMarket && postOnly) return refusal.postOnlyNotAllowed();
  const isRoutedIoc =
    listing.instrument.isRouted === true && isMarket && timeInForce === 'immediate_or_cancel';
  if ((isMarket || postOnly) && timeInForce !== 'good_til_cancelled' && !isRoutedIoc) {
    const why = postOnly ? 'postOnly' : `a ${type} order`;
    const reason = `${timeInForce} does not go with ${why}; accepted: good_til_cancelled`;
    return refusal.unsupportedCombination('time_in_force', reason);
  }
  if (!flags.mmp || type === 'limit') return undefined;
  const reason = `does not go with a ${type} order; accepted: false, or type limit`;
  return refusal.unsupportedCombination('mmp', reason);
}

/** The band applies only to the aggressive side: a buy above it, a sell below it. */
export function checkBand(listing: Listing, side: Side, ticks: number): Refusal | undefined {
  const band = listing.bandTicks(side);
  if (band === undefined) return undefined;
  const limit = text(listing.grid.priceOf(band));
  if (side === 'buy') return ticks > band ? refusal.priceTooHigh(limit) : undefined;
  return ticks < band ? refusal.priceTooLow(limit) : undefined;
}

export const flagsOf = (command: PlaceCommand): Flags => ({
  type: command.type,
  timeInForce: command.timeInForce,
  postOnly: command.postOnly,
  reduceOnly: command.reduceOnly,
  mmp: command.mmp ?? false,
});
