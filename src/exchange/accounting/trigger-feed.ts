// Feeds prices to the trigger orders: index and mark price with each reference, the last price with each
// trade. Triggered orders are only collected here; they are activated when the step is complete.

import type { Price } from '../../values/amounts.ts';
import type { TriggerSource } from '../../values/order-terms.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { ticksAround, triggerUnit, type WatchedTicks } from '../model/triggers/trigger.ts';

export function feedTriggersWithTrade(state: ExchangeState, listing: Listing, ticks: number): void {
  if (state.triggers.size === 0) return;
  show(state, listing, 'last_price', { floor: ticks, ceil: ticks });
}

export function feedTriggersWithReference(state: ExchangeState, listing: Listing): void {
  const { reference } = listing;
  if (reference === undefined || !state.triggers.has(listing)) return;
  const around = (source: TriggerSource, price: Price): WatchedTicks =>
    ticksAround(price, triggerUnit(listing, source));
  const { index, mark } = reference;
  if (index !== undefined) show(state, listing, 'index_price', around('index_price', index));
  show(state, listing, 'mark_price', around('mark_price', mark));
}

/** A book that is not trading is skipped; its triggers are checked with the next price after it reopens. */
function show(
  state: ExchangeState,
  listing: Listing,
  source: TriggerSource,
  watched: WatchedTicks,
): void {
  const book = state.triggers.get(listing);
  if (book === undefined || listing.state !== 'open' || listing.isExpired(state.now)) return;
  const { met, moved } = book.see(source, watched);
  state.pending.met(met);
  for (const order of moved) state.outbox.trailed(order);
}
