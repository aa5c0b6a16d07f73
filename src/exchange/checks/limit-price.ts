// The price in ticks up to which an order trades and at which its remainder rests: its own limit; the band
// for a market order; the best opposite level for a market_limit order; the computed price for an option
// order priced by the exchange.
import type { Side } from '../../values/instrument.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { advancedTicks } from '../model/advanced-price.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { checkBand } from './order-checks.ts';

export function limitTicks(
  state: ExchangeState,
  listing: Listing,
  command: PlaceCommand,
): number | Refusal {
  const { side, type, advanced, price } = command;
  if (advanced !== undefined && price !== undefined) {
    const ticks = advancedTicks(listing, side, { kind: advanced, value: price }, state.now);
    return ticks ?? refusal.priceNotAllowed(NO_MODEL_PRICE);
  }
  if (type === 'market') {
    return listing.bandTicks(side) ?? noBand(type);
  }
  if (type === 'market_limit') {
    const best = listing.book.against(side).best;
    return best === undefined
      ? refusal.priceNotAllowed('the other side of the book is empty; accepted: a limit order')
      : (checkBand(listing, side, best.ticks) ?? best.ticks);
  }
  const ticks = (price && listing.grid.ticksOf(price)) ?? 0;
  return bandedTicks(state, listing, { side, ticks });
}

/** Why an order in dollars or volatility has no price yet. */
export const NO_MODEL_PRICE =
  'the market has not said what the price depends on; accepted: the same request in a moment';

const noBand = (type: string): Refusal =>
  refusal.otherReject(
    'price_band_unavailable',
    'type',
    `a ${type} order needs the price band, which is not known yet; accepted: a limit order, or the same in a moment`,
  );

/** `ticks` if inside the band; beyond it refused, or clamped to the band where the rules say so. */
export function bandedTicks(
  { settings }: ExchangeState,
  listing: Listing,
  { side, ticks }: { readonly side: Side; readonly ticks: number },
): number | Refusal {
  const outside = checkBand(listing, side, ticks);
  if (outside === undefined) return ticks;
  const { kind, marginKind } = listing.instrument;
  const isMoved = settings.clampInverseOptions && kind === 'option' && marginKind === 'inverse';
  return isMoved ? (listing.bandTicks(side) ?? ticks) : outside;
}
