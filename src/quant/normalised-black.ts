// Black's formula reduced to two numbers: the log-moneyness and the total deviation σ√T. Prices, greeks and implied
// volatilities all use it, so cancellation errors are avoided here. Only the out-of-the-money side is covered:
// log-moneyness is ≤ 0.
//
// After P. Jäckel, "Let's be rational" (2013): b(x, s) = e^{x/2}Φ(x/s + s/2) − e^{−x/2}Φ(x/s − s/2).
import { erfcx } from './error-function.ts';
import { normalCdf } from './normal.ts';

const SQRT_HALF_PI = 1.2533141373155003;
const LOG_SQRT_TWO_PI = 0.9189385332046727;
/** Up to this half deviation, near the money, the series replaces a difference of nearly equal numbers. */
const SERIES_HALF_DEVIATION_MAX = 0.2;
const SERIES_STANDARDISED_MIN = -3;
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
 * Y(h + t) − Y(h − t) for small t as an odd Taylor series about h, where Y = Φ/φ obeys
 * Y′ = 1 + hY and hence Y⁽ⁿ⁺¹⁾ = nY⁽ⁿ⁻¹⁾ + hY⁽ⁿ⁾.
 */
function differenceBySeries(h: number, t: number): number {
  let before = massPerDensity(h);
  let derivative = 1 + h * before;
  let power = t;
  let sum = derivative * power;
  for (let order = 1; order < SERIES_HIGHEST_ORDER; order += 1) {
    const next = order * before + h * derivative;
    before = derivative;
    derivative = next;
    power *= t / (order + 1);
    if (order % 2 === 0) sum += derivative * power;
  }
  return 2 * sum;
}

/** Value over vega, for standardised log-moneyness h = x/s ≤ 0 and half deviation t = s/2 > 0. */
function valuePerVega(h: number, t: number): number {
  if (t < SERIES_HALF_DEVIATION_MAX && h > SERIES_STANDARDISED_MIN) return differenceBySeries(h, t);
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
