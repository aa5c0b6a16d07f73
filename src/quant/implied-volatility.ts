// The volatility that reproduces an option price. The out-of-the-money time value is normalised, and Halley steps
// inside a shrinking bracket find the total deviation, so the search always ends.
//
// Objectives and starting points after P. Jäckel, "Let's be rational" (2013).
import { assert } from '../values/assert.ts';
import {
  assertPriceable,
  highestValue,
  intrinsicValue,
  logMoneyness,
  type OptionTerms,
} from './black-76.ts';
import { normalCdf, normalDensity, normalQuantile } from './normal.ts';
import { normalisedBlack, normalisedMaximum, normalisedShortfall } from './normalised-black.ts';

export type ImpliedVolatility =
  | { readonly kind: 'found'; readonly volatility: number }
  /** The price does not exceed the intrinsic value: no volatility is low enough. */
  | { readonly kind: 'below_intrinsic' }
  /** The price is at or above the forward (call) or strike (put): no volatility is high enough. */
  | { readonly kind: 'above_maximum' }
  /** At or after expiry a price implies nothing. */
  | { readonly kind: 'expired' };

/** Measured: two to six iterations in most cases, thirteen at most; the rest is room for bisection. */
const ITERATIONS_MAX = 100;
/** Steps shrink cubically: after one this small the next would be below rounding. */
const LAST_RELATIVE_STEP = 1e-7;
/** A relative step this small is numerical noise. */
const ROUNDING = 4 * Number.EPSILON;

/** Solves blackPrice(terms, volatility) = `price` (USD) for the volatility, a fraction. */
export function impliedVolatility(terms: OptionTerms, price: number): ImpliedVolatility {
  assertPriceable(terms, 0);
  assert(!Number.isNaN(price), 'price must be a number, was NaN');
  if (terms.years <= 0) return { kind: 'expired' };
  const excess = price - intrinsicValue(terms);
  if (excess <= 0) return { kind: 'below_intrinsic' };
  if (price >= highestValue(terms)) return { kind: 'above_maximum' };
  const { forward, strike, years } = terms;
  const x = -Math.abs(logMoneyness(forward, strike));
  const value = excess / Math.sqrt(forward) / Math.sqrt(strike);
  if (value === 0) return { kind: 'below_intrinsic' };
  if (value >= normalisedMaximum(x)) return { kind: 'above_maximum' };
  const deviation = solveDeviation(x, value);
  return { kind: 'found', volatility: deviation / Math.sqrt(years) };
}

/** Measures the distance to the target so that it is nearly linear in the deviation. */
type Objective = (s: number) => Correction;

interface Correction {
  /** Newton step towards the target; its sign tells on which side the target lies. */
  readonly newton: number;
  /** Second over first derivative of the objective. */
  readonly curvature: number;
}

interface Search {
  readonly start: number;
  readonly objective: Objective;
}

function solveDeviation(x: number, target: number): number {
  const { start, objective } = searchFor(x, target);
  let low = 0;
  let high = Infinity;
  let s = start;
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration += 1) {
    const { newton, curvature } = objective(s);
    if (Math.abs(newton) <= ROUNDING * s) return s;
    if (newton > 0) low = s;
    else high = s;
    const proposed = s + newton / Math.max(0.5, 1 + 0.5 * newton * curvature);
    const next = proposed > low && proposed < high ? proposed : middle(low, high);
    const step = Math.abs(next - s);
    s = next;
    if (step <= LAST_RELATIVE_STEP * s) return s;
  }
  return s;
}

const middle = (low: number, high: number): number =>
  high === Infinity ? 2 * low : 0.5 * (low + high);

/** The formula's limit at log-moneyness 0 as the deviation vanishes. */
const AT_THE_MONEY_LIMIT = { value: 0, vega: normalDensity(0), logValue: -Infinity };

/** The value has its inflection point at deviation √(2|x|); each side has its own start and objective. */
function searchFor(x: number, target: number): Search {
  const bend = Math.sqrt(-2 * x);
  const atBend = bend > 0 ? normalisedBlack(x, bend) : AT_THE_MONEY_LIMIT;
  if (target < atBend.value) {
    const logTarget = Math.log(target);
    return {
      start: bend * Math.sqrt(atBend.logValue / logTarget),
      objective: (s) => inverseLogCorrection(x, s, logTarget),
    };
  }
  const maximum = normalisedMaximum(x);
  const shortfall = maximum - target;
  const rank = (shortfall / (maximum - atBend.value)) * normalCdf(-0.5 * bend);
  return {
    // From the inflection point the tangent never overshoots; use it if the rank has no digits left.
    start: Math.max(-2 * normalQuantile(rank), bend + (target - atBend.value) / atBend.vega),
    objective:
      target < 0.5 * maximum
        ? (s) => valueCorrection(x, s, target)
        : (s) => logShortfallCorrection(x, s, shortfall),
  };
}

/** Second over first derivative of the normalised value: x²/s³ − s/4. */
function valueCurvature(x: number, s: number): number {
  const standardised = x / s;
  return (standardised * standardised) / s - 0.25 * s;
}

/** Objective 1/ln(value): nearly quadratic in s where the value dies like exp(−x²/2s²). */
function inverseLogCorrection(x: number, s: number, logTarget: number): Correction {
  const { logValue, valuePerVega } = normalisedBlack(x, s);
  return {
    newton: ((logValue * (logTarget - logValue)) / logTarget) * valuePerVega,
    curvature: valueCurvature(x, s) - (1 + 2 / logValue) / valuePerVega,
  };
}

/** Objective: the value itself. */
function valueCorrection(x: number, s: number, target: number): Correction {
  const { value, vega } = normalisedBlack(x, s);
  return { newton: (target - value) / vega, curvature: valueCurvature(x, s) };
}

/** Objective ln(maximum − value): still well-conditioned where the value flattens out. */
function logShortfallCorrection(x: number, s: number, targetShortfall: number): Correction {
  const shortfall = normalisedShortfall(x, s);
  const { vega } = normalisedBlack(x, s);
  return {
    newton: (Math.log(shortfall / targetShortfall) * shortfall) / vega,
    curvature: valueCurvature(x, s) + vega / shortfall,
  };
}
