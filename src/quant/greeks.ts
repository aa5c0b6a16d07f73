// Sensitivities of a European option on a forward, in the units in which the venue publishes them.
//
// The conventions were checked against 89 recorded Deribit tickers of July 2021: all agree to the rounding of the printed mark
// volatility. Theta is capped at the value in 6 of them, all out of the money, so that they do not tell a cap at the time value from one at the
// whole mark.
import {
  assertPriceable,
  blackPrice,
  EXPIRED,
  type Expired,
  logMoneyness,
  type OptionTerms,
} from './black-76.ts';
import { normalCdf, normalDensity } from './normal.ts';
import { DAYS_PER_YEAR, yearFraction } from './year-fraction.ts';

export interface Greeks {
  /** Of the USD value: N(d1) for a call, N(d1) − 1 for a put; not corrected for coin settlement. */
  readonly delta: number;
  /** Change of delta per USD. */
  readonly gamma: number;
  /** USD per volatility point (0.01). */
  readonly vega: number;
  /** USD per day, never positive: the decay of a day or of what is left of it, at most the option's whole value. */
  readonly theta: number;
  /** USD per percentage point of rate, with the spot price fixed so that the forward moves. */
  readonly rho: number;
}

/** The greeks at this volatility (a fraction); at zero volatility, those of the payoff. */
export function blackGreeks(terms: OptionTerms, volatility: number): Greeks | Expired {
  assertPriceable(terms, volatility);
  const { type, forward, strike, years } = terms;
  const value = blackPrice(terms, volatility);
  if (value === EXPIRED) return EXPIRED;
  const deviation = volatility * Math.sqrt(years);
  const x = logMoneyness(forward, strike);
  if (deviation === 0) return payoffGreeks(terms, x);
  const d1 = x / deviation + 0.5 * deviation;
  const d2 = x / deviation - 0.5 * deviation;
  const sign = type === 'call' ? 1 : -1;
  const density = normalDensity(d1);
  const vegaPerUnit = forward * density * Math.sqrt(years);
  const decayOfOneDay = (0.5 * vegaPerUnit * volatility) / years / DAYS_PER_YEAR;
  const daysLeft = Math.min(1, years * DAYS_PER_YEAR);
  return {
    delta: sign * normalCdf(sign * d1),
    gamma: density / (forward * deviation),
    vega: 0.01 * vegaPerUnit,
    theta: -Math.min(decayOfOneDay * daysLeft, value),
    rho: sign * 0.01 * strike * years * normalCdf(sign * d2),
  };
}

/** Without randomness the option is a forward position or worthless; at the strike, half of one. */
function payoffGreeks({ type, strike, years }: OptionTerms, x: number): Greeks {
  const sign = type === 'call' ? 1 : -1;
  const exercised = x === 0 ? 0.5 : Number(sign * x > 0);
  const rho = exercised * sign * 0.01 * strike * years;
  return { delta: exercised * sign, gamma: 0, vega: 0, theta: 0, rho };
}

const AVERAGING_WINDOW_YEARS = yearFraction(30 * 60_000);

/**
 * Delta as published near expiry. The delivery price is the average index of the last 30 minutes, so the part of the
 * window that has passed is no longer exposed: delta falls linearly to zero.
 */
export const deltaInAveragingWindow = (delta: number, years: number): number =>
  delta * Math.min(1, Math.max(0, years) / AVERAGING_WINDOW_YEARS);
