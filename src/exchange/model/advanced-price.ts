// Option orders priced by the exchange: the owner names a value in dollars or a volatility, and the exchange
// works out the limit price: dollars divided by the index, or Black-76 on the forward, rounded to the nearest
// tick and never worse for the owner than the price band.
//
// Source: the venue's articles on USD and IV orders and its published formulas for inverse and linear
// options.

import {
  fraction,
  isMore,
  isPositive,
  modelPrice,
  type Price,
  price,
  text,
} from '../../values/amounts.ts';
import { type Instant, later, MINUTE_MS } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { AdvancedKind, OrderType } from '../../values/order-terms.ts';
import type { Listing } from './instruments/listing.ts';
import { modelValue } from './instruments/option-model.ts';
import type { Refusal } from './refusal.ts';
import * as refusal from './refusal.ts';

/** The requested value, and whether the current price was set by the exchange. */
export interface Advanced {
  readonly kind: AdvancedKind;
  /** Dollars per coin, or volatility in percent. */
  readonly value: Price;
  readonly autoReplaced: boolean;
}

/** The exchange stops pricing an option's orders this long before its expiry. */
const LAST_MINUTES = 15;
const VALUE_MAX: Readonly<Record<AdvancedKind, Price>> = {
  usd: price('1000000000'),
  implv: price('1000'),
};

/** Within the last minutes before expiry such orders are cancelled and new ones refused. */
export function isTooLate({ expiresAt }: Instrument, now: Instant): boolean {
  return expiresAt !== undefined && now >= later(expiresAt, -LAST_MINUTES * MINUTE_MS);
}

interface AdvancedTerms {
  readonly kind: AdvancedKind;
  readonly value: Price | undefined;
  readonly type: OrderType;
  readonly postOnly: boolean;
}

export function checkAdvanced(
  { instrument }: Listing,
  { kind, value, type, postOnly }: AdvancedTerms,
  now: Instant,
): Refusal | undefined {
  if (instrument.kind !== 'option') return refusal.noAdvancedForFutures();
  if (kind === 'usd' && instrument.marginKind === 'linear') {
    return refusal.invalidArgsForInstrument(
      'advanced',
      'usd is not available for options that are priced in USD; accepted: implv, or leave it out',
    );
  }
  if (postOnly) return refusal.noAdvancedPostOnly();
  if (type !== 'limit') {
    const reason = `does not go with a ${type} order; accepted: type limit`;
    return refusal.unsupportedCombination('advanced', reason);
  }
  if (isTooLate(instrument, now)) return refusal.outdatedInstrument();
  const highest = VALUE_MAX[kind];
  return value !== undefined && (!isPositive(value) || isMore(value, highest))
    ? refusal.invalidParam('price', `must be above 0 and at most ${text(highest)} with ${kind}`)
    : undefined;
}

/** `undefined` until the market has published the inputs of the price. */
export function advancedTicks(
  listing: Listing,
  side: Side,
  { kind, value }: Pick<Advanced, 'kind' | 'value'>,
  now: Instant,
): number | undefined {
  const worth = kind === 'usd' ? overIndex(listing, value) : atVolatility(listing, value, now);
  if (worth === undefined) return undefined;
  const ticks = listing.grid.nearest(listing.grid.exactTicks(modelPrice(worth)));
  const band = listing.bandTicks(side);
  if (band === undefined) return ticks;
  return side === 'buy' ? Math.min(ticks, band) : Math.max(ticks, band);
}

const overIndex = ({ reference }: Listing, dollars: Price): number | undefined =>
  reference?.index && fraction(dollars, reference.index);

const PERCENT = price('100');

const atVolatility = (listing: Listing, percent: Price, now: Instant): number | undefined =>
  modelValue(listing, fraction(percent, PERCENT), now);
