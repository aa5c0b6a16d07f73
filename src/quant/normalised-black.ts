// Black's formula reduced to two numbers: the log-moneyness and the total deviation σ√T. Prices, greeks and implied
// volatilities all use it, so cancellation errors are avoided here. Only the out-of-the-money side is covered:
// log-moneyness is ≤ 0.
//
// After P. Jäckel, "Let's be rational" (2013): b(x, s) = e^{x/2}Φ(x/s + s/2) − e^{−x/2}Φ(x/s − s/2).
import { erfcx, erfcxShortfall } from './error-function.ts';
import { normalCdf } from './normal.ts';

const SQRT_HALF_PI = 1.2533141373155003;
const LOG_SQRT_TWO_PI = 0.9189385332046727;
/** Up to this half deviation a series replaces the difference of two nearly equal numbers. */
const SERIES_HALF_DEVIATION_MAX = 0.2;
/** Beyond this log-moneyness the two numbers are far apart, and the terms of the series are not. */
const SERIES_LOG_MONEYNESS_MIN = -8;
const SERIES_HIGHEST_ORDER = 15;

/** One point of the normalised formula. */
export interface BlackPoint {
  /** Option value over √(forward·strike). */
  readonly value: number;
  /** Derivative of the value with respect to the total deviation. */
  readonly vega: number;
  /** Natural logarithms of the two: meaningful even where they underflow. */
  readonly logValue: number;
  /** value / vega, which stays finite where both underflow. */
  readonly valuePerVega: number;
}

/** Φ(z)/φ(z), the reciprocal of the inverse Mills ratio. */
const massPerDensity = (z: number): number => SQRT_HALF_PI * erfcx(-z * Math.SQRT1_2);

/**
 * Y(h + t) − Y(h − t) for h ≤ 0 and small t as an odd Taylor series about h, where Y = Φ/φ obeys Y′ = 1 + hY and hence
 * Y⁽ⁿ⁺¹⁾ = nY⁽ⁿ⁻¹⁾ + hY⁽ⁿ⁾. All terms tⁿY⁽ⁿ⁾/n! are positive. The first one decides and keeps every digit; the recurrence
 * loses digits, but only in terms that are smaller by as many.
 */
function differenceBySeries(h: number, t: number): number {
  let before = massPerDensity(h);
  let term = t * erfcxShortfall(-h * Math.SQRT1_2);
  let sum = term;
  for (let order = 2; order <= SERIES_HIGHEST_ORDER; order += 1) {
    const next = (t * t * before + h * t * term) / order;
    before = term;
    term = next;
    if (order % 2 === 1) sum += term;
  }
  return 2 * sum;
}

/** Value over vega, for standardised log-moneyness h = x/s ≤ 0 and half deviation t = s/2 > 0. */
function valuePerVega(h: number, t: number): number {
  if (t < SERIES_HALF_DEVIATION_MAX && 2 * h * t > SERIES_LOG_MONEYNESS_MIN) {
    return differenceBySeries(h, t);
  }
  return massPerDensity(h + t) - massPerDensity(h - t);
}

/** The formula at log-moneyness x ≤ 0 and total deviation s > 0. */
export function normalisedBlack(x: number, s: number): BlackPoint {
  const h = x / s;
  const t = 0.5 * s;
  const logVega = -0.5 * (h * h + t * t) - LOG_SQRT_TWO_PI;
  const vega = Math.exp(logVega);
  // Past the inflection point with a wide deviation the plain formula loses no accuracy, and Φ/φ would eventually
  // overflow.
  if (h + t > 0 && t >= SERIES_HALF_DEVIATION_MAX) {
    const value = Math.exp(0.5 * x) * normalCdf(h + t) - Math.exp(-0.5 * x) * normalCdf(h - t);
    return { value, vega, logValue: Math.log(value), valuePerVega: value / vega };
  }
  const ratio = valuePerVega(h, t);
  return { value: vega * ratio, vega, logValue: logVega + Math.log(ratio), valuePerVega: ratio };
}

/** The largest value at this log-moneyness, reached only by an infinite deviation. */
export const normalisedMaximum = (x: number): number => Math.exp(0.5 * x);

/** Maximum minus value, as a sum of positive terms: exact even close to the maximum. */
export function normalisedShortfall(x: number, s: number): number {
  const h = x / s;
  const t = 0.5 * s;
  return Math.exp(0.5 * x) * normalCdf(-h - t) + Math.exp(-0.5 * x) * normalCdf(h - t);
}
