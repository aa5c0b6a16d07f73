// Additional checks of a trigger order when it is placed or edited.

import { isPositive, type Price, text } from '../../values/amounts.ts';
import type { TriggerSource } from '../../values/order-terms.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import {
  isMet,
  risesFor,
  type Trigger,
  type TriggerType,
  ticksAround,
  trailingFrom,
  triggerUnit,
  type WatchedTicks,
} from '../model/triggers/trigger.ts';

/** The reason for refusing a trigger that is already met. */
export const ALREADY_MET =
  'has been reached already; accepted: a price the market has yet to reach';
export const OFFSET_TOO_WIDE =
  'leaves no trigger price above zero; accepted: less than the price it trails';

/** Far above any market, and small enough for sums to stay exact. */
const TICKS_MAX = 1_000_000_000_000;

/** The current watched price; `undefined` until the market source has published it. */
export function watchedNow(listing: Listing, source: TriggerSource): Price | undefined {
  if (source === 'last_price') return listing.last && listing.grid.priceOf(listing.last.ticks);
  return source === 'index_price' ? listing.reference?.index : listing.reference?.mark;
}

export function watchedTicks(listing: Listing, source: TriggerSource): WatchedTicks | undefined {
  const watched = watchedNow(listing, source);
  return watched && ticksAround(watched, triggerUnit(listing, source));
}

/** Reads the trigger of a request, without comparing it with the watched price: see `armed`. */
export function readTrigger(
  listing: Listing,
  type: TriggerType,
  terms: Pick<PlaceCommand, 'side' | 'trigger' | 'triggerPrice' | 'triggerOffset'>,
): Trigger | Refusal {
  const { side, trigger: source, triggerPrice, triggerOffset } = terms;
  if (source === undefined) return refusal.invalidParam('trigger', `required for a ${type} order`);
  const base = { source, unit: triggerUnit(listing, source), rises: risesFor(type, side) };
  if (type === 'trailing_stop') {
    if (triggerOffset === undefined) {
      return refusal.invalidParam('trigger_offset', 'required for a trailing_stop order');
    }
    const offsetTicks = triggerTicks(listing, source, triggerOffset);
    return typeof offsetTicks === 'number' ? { ...base, offsetTicks } : offsetTicks;
  }
  if (triggerPrice === undefined) {
    return refusal.invalidParam('trigger_price', `required for a ${type} order`);
  }
  const ticks = triggerTicks(listing, source, triggerPrice);
  return typeof ticks === 'number' ? { ...base, ticks } : ticks;
}

/** A price or an offset in ticks of the watched price. */
export function triggerTicks(listing: Listing, source: TriggerSource, at: Price): number | Refusal {
  const unit = triggerUnit(listing, source);
  if (!isPositive(at)) return refusal.triggerPriceTooLow(text(unit));
  const { floor, ceil } = ticksAround(at, unit);
  const isOnGrid = unit !== listing.grid.tick || listing.grid.isValid(floor);
  if (floor !== ceil || !isOnGrid)
    return refusal.triggerPriceWrongTick(`accepted: multiples of ${text(unit)} on the tick grid`);
  return floor > TICKS_MAX ? refusal.triggerPriceTooHigh(text(at)) : floor;
}

/**
 * The trigger compared with the price it watches: a trailing stop starts from there. Refused if there is no
 * price to trail, or if the trigger price of a sell would be below zero.
 */
export function armed(listing: Listing, trigger: Trigger): Trigger | Refusal {
  if (trigger.offsetTicks === undefined) return trigger;
  const reference = watchedNow(listing, trigger.source);
  if (reference === undefined) {
    return refusal.otherReject(
      'trigger_reference_unavailable',
      'trigger',
      `${trigger.source} is not known yet; accepted: another trigger, or the same in a moment`,
    );
  }
  const { floor, ceil } = ticksAround(reference, trigger.unit);
  const started = trailingFrom({ ...trigger, reference }, trigger.rises ? ceil : floor);
  return (started.ticks ?? 0) > 0
    ? started
    : refusal.invalidTriggerPrice('trigger_offset', OFFSET_TOO_WIDE);
}

export function isMetNow(listing: Listing, trigger: Trigger): boolean {
  const watched = watchedTicks(listing, trigger.source);
  return watched !== undefined && isMet(trigger, watched);
}
