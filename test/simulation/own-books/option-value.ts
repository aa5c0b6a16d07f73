// The value of an option on a forward, by the textbook formula and a series for the normal distribution: an
// independent calculation for the referee, which shares no code with the one that prices orders.

export interface OptionCase {
  readonly isCall: boolean;
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
}

const YEAR_MS = 365 * 86_400_000;
const SERIES_MAX = 200;
/** Further from the middle nothing is left of the distribution, and the series would not end. */
const FAR = 8;

export const yearsFrom = (ms: number): number => ms / YEAR_MS;

/** Share of a normal distribution below `x`. */
function below(x: number): number {
  if (Math.abs(x) > FAR) return x > 0 ? 1 : 0;
  let term = x;
  let sum = x;
  for (let odd = 3; odd < SERIES_MAX; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  const share = 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  return Math.min(1, Math.max(0, share));
}

/** In USD. */
export function optionUsd(of: OptionCase, volatility: number): number {
  const { isCall, forward, strike, years } = of;
  const intrinsic = Math.max(0, isCall ? forward - strike : strike - forward);
  const width = volatility * Math.sqrt(years);
  if (width <= 0) return intrinsic;
  const d = Math.log(forward / strike) / width + width / 2;
  const call = forward * below(d) - strike * below(d - width);
  return Math.max(intrinsic, isCall ? call : call - forward + strike);
}

const HALVINGS = 60;
const VOLATILITY_MAX = 5;

/** The volatility at which it is worth so much; by halving. */
export function volatilityAt(of: OptionCase, usd: number): number {
  let [low, high] = [0, VOLATILITY_MAX];
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (low + high) / 2;
    if (optionUsd(of, middle) < usd) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
