// Converts option prices between the instrument's currency, USD and volatility. Uses Black-76 on the forward behind
// the venue's mark price; inverse options are worth USD / forward in coin.
import { blackPrice, EXPIRED, type OptionTerms } from '../../quant/black-76.ts';
import { impliedVolatility } from '../../quant/implied-volatility.ts';
import { yearFraction } from '../../quant/year-fraction.ts';
import { modelPrice, type Price, toNumber } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';

/** The option terms required by the formulas at one instant; `undefined` without a forward or past expiry. */
export function optionTerms(
  instrument: Instrument,
  quote: Quote,
  now: Instant,
): OptionTerms | undefined {
  const forward = quote.underlying ?? quote.index;
  if (instrument.option === undefined || instrument.expiresAt === undefined) return undefined;
  if (forward === undefined || instrument.expiresAt <= now) return undefined;
  return {
    type: instrument.option.type,
    forward: toNumber(forward),
    strike: toNumber(instrument.option.strike),
    years: yearFraction(instrument.expiresAt - now),
  };
}

const isInverse = (instrument: Instrument): boolean => instrument.marginKind === 'inverse';

/** A price in the instrument's currency, converted to USD. */
export const usdOf = (instrument: Instrument, terms: OptionTerms, price: Price): number =>
  isInverse(instrument) ? toNumber(price) * terms.forward : toNumber(price);

/**
 * Significant digits of a computed price. The formulas return a converted price to within 1e-14 of itself; without
 * rounding, a price on the grid that is converted and back could lose a whole tick to its last digit.
 */
const DIGITS = 12;

/** USD converted to a price in the instrument's currency, off the tick grid. */
export function fromUsd(instrument: Instrument, terms: OptionTerms, usd: number): Price {
  const exact = isInverse(instrument) ? usd / terms.forward : usd;
  return modelPrice(Number(exact.toPrecision(DIGITS)));
}

/** The volatility (fraction) implied by the price; `undefined` at or beyond the no-arbitrage bounds. */
export function volatilityOf(
  instrument: Instrument,
  terms: OptionTerms,
  price: Price,
): number | undefined {
  const implied = impliedVolatility(terms, usdOf(instrument, terms, price));
  return implied.kind === 'found' ? implied.volatility : undefined;
}

/** The price at a volatility (fraction ≥ 0) in the instrument's currency, off the tick grid; `undefined` past expiry. */
export function atVolatility(
  instrument: Instrument,
  terms: OptionTerms,
  volatility: number,
): Price | undefined {
  const usd = blackPrice(terms, volatility);
  return usd === EXPIRED ? undefined : fromUsd(instrument, terms, usd);
}
