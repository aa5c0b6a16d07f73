// An implied volatility as the venue publishes it with a quote: in percent, clipped to its range.
//
// Source: recorded Deribit order books of May 2020: 0 at or below intrinsic value, 500 at most.
import type { ImpliedVolatility } from './implied-volatility.ts';

const PERCENT_MAX = 500;

/**
 * In percent (50 is 50 %), not rounded: 0 if the price is at or below intrinsic, at most 500; `undefined` once the option
 * has expired.
 */
export function quotedVolatilityPercent(implied: ImpliedVolatility): number | undefined {
  if (implied.kind === 'expired') return undefined;
  if (implied.kind === 'below_intrinsic') return 0;
  if (implied.kind === 'above_maximum') return PERCENT_MAX;
  return Math.min(PERCENT_MAX, 100 * implied.volatility);
}
