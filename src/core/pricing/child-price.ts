// The current price of a child order: takes a pricing rule and a quote, and returns a price on the tick grid or the
// reason why there is none. Rounds to the less aggressive side; a limit is never made worse.
import {
  distance,
  isLess,
  isMore,
  larger,
  type Price,
  type Ratio,
  ratio,
  scaled,
  shifted,
  smaller,
  toNumber,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import {
  type Instrument,
  isCombo,
  isPriceOf,
  onTick,
  passiveTick,
  type Side,
  tickAt,
} from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { SkipReason } from '../terms/reasons.ts';
import type { LegPricing, LegSpec } from '../terms/spec.ts';
import { atVolatility, fromUsd, optionTerms, usdOf, volatilityOf } from './option-price.ts';
import { allowanceOf } from './price-allowance.ts';
import { isFresh, referencePrice } from './reference.ts';

export interface PricingRequest {
  readonly leg: Pick<LegSpec, 'side' | 'pricing' | 'postOnly'>;
  readonly instrument: Instrument;
  readonly quote: Quote | undefined;
  readonly now: Instant;
  readonly quoteAgeMaxMs: number;
  /** How far through the opposite price a marketable child may reach. */
  readonly collar: Ratio;
}

export type ChildPrice =
  /** `isBound`: a bound set by the portfolio itself made the price less aggressive than intended. */
  | { readonly kind: 'price'; readonly price: Price; readonly isBound?: boolean }
  | { readonly kind: 'none'; readonly reason: SkipReason };

const none = (reason: SkipReason): ChildPrice => ({ kind: 'none', reason });

/** The price a child of this leg should have at `now`. */
export function childPrice(request: PricingRequest): ChildPrice {
  const { leg, instrument, quote, now } = request;
  if (leg.pricing.type === 'limit' && leg.pricing.unit === 'currency') {
    return place(request, leg.pricing.price);
  }
  if (quote === undefined) return none('no_reference');
  if (!isFresh(quote, now, request.quoteAgeMaxMs)) return none('stale_reference');
  if (leg.pricing.type === 'market') return marketable(request, quote);
  const target = targetPrice(leg.pricing, instrument, quote, now);
  return target === undefined ? none('no_reference') : place(request, target);
}

/** The rule's price in the instrument's currency, off the tick grid. */
function targetPrice(
  pricing: Exclude<LegPricing, { type: 'market' }>,
  instrument: Instrument,
  quote: Quote,
  now: Instant,
): Price | undefined {
  if (pricing.type === 'dynamic' && pricing.unit === 'currency') {
    const reference = referencePrice(quote, pricing.reference);
    return reference && shifted(reference, pricing.offset);
  }
  const terms = optionTerms(instrument, quote, now);
  if (terms === undefined) return undefined;
  if (pricing.type === 'limit') {
    const asked = toNumber(pricing.price);
    return pricing.unit === 'iv'
      ? atVolatility(instrument, terms, asked)
      : fromUsd(instrument, terms, asked);
  }
  const reference = referencePrice(quote, pricing.reference);
  if (reference === undefined) return undefined;
  const offset = toNumber(pricing.offset);
  if (pricing.unit === 'usd')
    return fromUsd(instrument, terms, usdOf(instrument, terms, reference) + offset);
  const marked = pricing.reference === 'mark' || pricing.reference === 'model';
  const volatility =
    (marked ? quote.markIv : undefined) ?? volatilityOf(instrument, terms, reference);
  if (volatility === undefined || volatility + offset < 0) return undefined;
  return atVolatility(instrument, terms, volatility + offset);
}

/** Rounds a resting price to the grid and, for post-only, keeps it off the opposite side. */
function place(request: PricingRequest, target: Price): ChildPrice {
  const { leg, instrument, quote } = request;
  const price = passiveTick(instrument, leg.side, target);
  const kept = leg.postOnly ? offTheOpposite(instrument, leg.side, price, quote) : price;
  if (!isPriceOf(instrument, kept)) return none('outside_band');
  return withinBand(kept, leg.side, quote);
}

/** One tick short of the opposite best, if the price would otherwise take. */
function offTheOpposite(
  instrument: Instrument,
  side: Side,
  price: Price,
  quote: Quote | undefined,
): Price {
  const opposite = side === 'buy' ? quote?.ask?.price : quote?.bid?.price;
  return opposite === undefined ? price : shortOf(instrument, side, { price, opposite });
}

/** The price, or one tick short of the opposite price if it would meet an order there. */
export function shortOf(
  instrument: Instrument,
  side: Side,
  { price, opposite }: { readonly price: Price; readonly opposite: Price },
): Price {
  const tick = tickAt(instrument, opposite);
  if (side === 'buy') {
    const highest = onTick(instrument, distance(tick, opposite), 'down');
    return smaller(price, highest);
  }
  return larger(price, onTick(instrument, shifted(opposite, tick), 'up'));
}

/** The venue refuses a buy above its band and a sell below it; with such a price the child waits instead. */
function withinBand(price: Price, side: Side, quote: Quote | undefined): ChildPrice {
  const { minPrice, maxPrice } = quote ?? {};
  if (side === 'buy' && maxPrice !== undefined && isMore(price, maxPrice))
    return none('outside_band');
  if (side === 'sell' && minPrice !== undefined && isLess(price, minPrice))
    return none('outside_band');
  return { kind: 'price', price };
}

/** Through the opposite best by at most the collar, never outside the band. */
function marketable(request: PricingRequest, quote: Quote): ChildPrice {
  const { leg, instrument } = request;
  const buying = leg.side === 'buy';
  const touch = buying ? quote.ask?.price : quote.bid?.price;
  if (touch === undefined) return none('no_reference');
  const reach = passiveTick(instrument, leg.side, collared(request, touch, quote));
  const through = buying ? larger(reach, touch) : smaller(reach, touch);
  const banded = clampToBand(through, leg.side, quote);
  if (!isPriceOf(instrument, banded)) return none('outside_band');
  return withinBand(passiveTick(instrument, leg.side, banded), leg.side, quote);
}

/** The touch, moved through the opposite side by the collar. */
function collared({ leg, instrument, collar }: PricingRequest, touch: Price, quote: Quote): Price {
  const buying = leg.side === 'buy';
  if (isCombo(instrument)) {
    const index = quote.index;
    const by = allowanceOf({ instrument, from: touch, share: collar, index });
    return buying ? shifted(touch, by) : distance(by, touch);
  }
  return scaled(touch, (buying ? ratio('1').plus(collar) : ratio('1').minus(collar)) as Ratio);
}

function clampToBand(price: Price, side: Side, quote: Quote): Price {
  const bound = side === 'buy' ? quote.maxPrice : quote.minPrice;
  if (bound === undefined) return price;
  return side === 'buy' ? smaller(price, bound) : larger(price, bound);
}

/** How often a resting child of this pricing is checked; `undefined` = its price is fixed. */
export function repriceEveryMs(pricing: LegPricing): number | undefined {
  if (pricing.type === 'dynamic') return pricing.everyMs;
  return pricing.type === 'limit' && pricing.unit !== 'currency' ? 1_000 : undefined;
}
