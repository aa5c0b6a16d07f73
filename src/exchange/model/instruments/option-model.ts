// Option prices by Black-76 on the forward of their expiry: from volatility to price and back. Prices are in
// the quote unit: coin for inverse options, at the forward, and dollars for linear ones.
import { blackPrice, EXPIRED, type OptionTerms } from '../../../quant/black-76.ts';
import { impliedVolatility } from '../../../quant/implied-volatility.ts';
import { yearFraction } from '../../../quant/year-fraction.ts';
import { type Price, toNumber } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Listing } from './listing.ts';

/** Volatilities are shown to a hundredth of a percent. */
const SHOWN_PER_UNIT = 10_000;

/** `undefined` if the instrument is not an option or its forward is not known yet. */
function termsAt({ instrument, reference }: Listing, now: Instant): OptionTerms | undefined {
  const { option, expiresAt } = instrument;
  const underlying = reference?.underlying;
  if (option === undefined || expiresAt === undefined || underlying === undefined) return undefined;
  return {
    type: option.type,
    forward: toNumber(underlying),
    strike: toNumber(option.strike),
    years: yearFraction(expiresAt - now),
  };
}

/** The option's value at `volatility` (a fraction), not rounded to the tick; `undefined` once it has expired. */
export function modelValue(listing: Listing, volatility: number, now: Instant): number | undefined {
  const terms = termsAt(listing, now);
  if (terms === undefined) return undefined;
  const usd = blackPrice(terms, volatility);
  return usd === EXPIRED ? undefined : usd / unitOf(listing, terms);
}

/**
 * The implied volatility of a trade price, as a fraction; the mark volatility if no volatility gives that
 * price.
 */
export function tradeVolatility(listing: Listing, at: Price, now: Instant): number | undefined {
  const terms = termsAt(listing, now);
  const markIv = listing.reference?.markIv;
  if (terms === undefined) return markIv;
  const implied = impliedVolatility(terms, toNumber(at) * unitOf(listing, terms));
  if (implied.kind !== 'found') return markIv;
  return Math.round(implied.volatility * SHOWN_PER_UNIT) / SHOWN_PER_UNIT;
}

/** Dollars per unit of the price. */
const unitOf = ({ instrument }: Listing, { forward }: OptionTerms): number =>
  instrument.marginKind === 'inverse' ? forward : 1;
