// Undiscounted Black-76: the USD value of a European option on a forward.
//
// Source: F. Black, "The pricing of commodity contracts" (1976), with zero rate; venues that settle
// in coin quote this USD value divided by the underlying price.
import { assert } from '../values/assert.ts';
import type { OptionType } from '../values/instrument.ts';
import { normalisedBlack } from './normalised-black.ts';

/** The terms of a European option on a forward, without its volatility. */
export interface OptionTerms {
  readonly type: OptionType;
  /** USD per coin, positive. */
  readonly forward: number;
  /** USD per coin, positive. */
  readonly strike: number;
  /** Years of 365 days to expiry; zero or negative means expired. */
  readonly years: number;
}

/** The answer about an option at or after its expiry: what it is worth is decided by its delivery, not by a formula. */
export const EXPIRED = 'expired';
export type Expired = typeof EXPIRED;

/** ln(forward/strike), exact to the last digit near the money. */
export function logMoneyness(forward: number, strike: number): number {
  const ratio = forward / strike;
  if (ratio > 0.5 && ratio < 2) return Math.log1p((forward - strike) / strike);
  return Math.log(ratio);
}

/** USD value of exercising at the forward. */
export function intrinsicValue({ type, forward, strike }: OptionTerms): number {
  return Math.max(0, type === 'call' ? forward - strike : strike - forward);
}

/** Upper bound of the price in USD: the forward for a call, the strike for a put. */
export const highestValue = ({ type, forward, strike }: OptionTerms): number =>
  type === 'call' ? forward : strike;

/** The option's USD value beyond its intrinsic value; the same for call and put. */
export function timeValue(terms: OptionTerms, volatility: number): number | Expired {
  assertPriceable(terms, volatility);
  const { forward, strike, years } = terms;
  if (years <= 0) return EXPIRED;
  if (volatility === 0) return 0;
  const deviation = volatility * Math.sqrt(years);
  const { value } = normalisedBlack(-Math.abs(logMoneyness(forward, strike)), deviation);
  return Math.min(Math.min(forward, strike), Math.sqrt(forward) * Math.sqrt(strike) * value);
}

/**
 * USD value; `volatility` is a fraction per √year (0.5 is 50 %). Relative error at most 1e-13 above 1e-12 of the forward
 * and 1e-11 down to 1e-300, given these doubles.
 */
export function blackPrice(terms: OptionTerms, volatility: number): number | Expired {
  const value = timeValue(terms, volatility);
  return value === EXPIRED ? EXPIRED : intrinsicValue(terms) + value;
}

/** Throws `InvariantBroken` unless the formula is defined for these numbers. */
export function assertPriceable({ forward, strike, years }: OptionTerms, volatility: number): void {
  assert(forward > 0 && forward < Infinity, `forward must be positive and finite, was ${forward}`);
  assert(strike > 0 && strike < Infinity, `strike must be positive and finite, was ${strike}`);
  assert(!Number.isNaN(years) && years < Infinity, `years must be finite, was ${years}`);
  assert(
    volatility >= 0 && volatility < Infinity,
    `volatility must be finite and not negative, was ${volatility}`,
  );
}
