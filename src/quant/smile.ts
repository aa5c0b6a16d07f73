// The paper market's volatility surface: one smile per expiry, without static arbitrage.
//
// Source: J. Gatheral and A. Jacquier, "Arbitrage-free SVI volatility surfaces" (2014), surface
// SSVI with the power-law shape φ(θ) = η / (θ^γ (1 + θ)^{1−γ}); their conditions are in smileFlaws.
import { assert } from '../values/assert.ts';
import { logMoneyness } from './black-76.ts';

export interface SmileParameters {
  /** At-the-money volatility (fraction) towards zero time to expiry. */
  readonly shortVolatility: number;
  /** At-the-money volatility that replaces the short one within weeks. Default: the long one. */
  readonly middleVolatility?: number | undefined;
  /** At-the-money volatility (fraction) towards infinite time to expiry. */
  readonly longVolatility: number;
  /** Mean-reversion rate of the short volatility towards the middle one, per year. */
  readonly reversionPerYear: number;
  /** Mean-reversion rate of the middle volatility towards the long one, per year. Default 6. */
  readonly slowReversionPerYear?: number | undefined;
  /** −1 to 1: the skew of the smile; negative makes low strikes more expensive. */
  readonly correlation: number;
  /** η, the strength of the curvature. */
  readonly curvature: number;
  /** γ, 0 to ½: how curvature fades with expiry; ½ gives every expiry the same shape in deviations. */
  readonly fading: number;
}

/**
 * Measured on Deribit option chains of 2026 Q1: 319 snapshots, mark volatilities, strikes within three at-the-money
 * deviations. Given the level of each expiry, the median error is 0.7 volatility points and 90 % are within 3.2. The
 * level itself moves; these are its medians over the quarter.
 */
export const BTC_SMILE: SmileParameters = {
  shortVolatility: 0.45,
  middleVolatility: 0.485,
  longVolatility: 0.49,
  reversionPerYear: 150,
  correlation: -0.25,
  curvature: 0.85,
  fading: 0.5,
};

/** Measured as {@link BTC_SMILE}: median error 0.7 volatility points, 90 % within 3.1. */
export const ETH_SMILE: SmileParameters = {
  shortVolatility: 0.57,
  middleVolatility: 0.66,
  longVolatility: 0.675,
  reversionPerYear: 150,
  correlation: -0.18,
  curvature: 0.8,
  fading: 0.5,
};

/** A point on the surface. */
export interface SmilePoint {
  /** USD per coin, positive: the forward of that expiry. */
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
}

/** Volatility (fraction) of the surface at a point; at expiry, the short at-the-money volatility. */
export function smileVolatility(point: SmilePoint, smile: SmileParameters): number {
  const { forward, strike, years } = point;
  assert(forward > 0 && strike > 0, `forward ${forward} and strike ${strike} must be positive`);
  if (years <= 0) return smile.shortVolatility;
  const variance = totalVariance(logMoneyness(strike, forward), years, smile);
  return Math.sqrt(variance / years);
}

/** σ²T at log-strike k = ln(strike/forward). */
function totalVariance(k: number, years: number, smile: SmileParameters): number {
  const { correlation, curvature, fading } = smile;
  const level = levelVariance(years, smile);
  const shape = curvature / (level ** fading * (1 + level) ** (1 - fading));
  const z = shape * k;
  const root = Math.sqrt((z + correlation) ** 2 + 1 - correlation * correlation);
  return 0.5 * level * (1 + correlation * z + root);
}

const SLOW_REVERSION_PER_YEAR = 6;

/**
 * At-the-money σ²T: the integral of a variance that moves from short through middle to long. At each instant it is an
 * average of the three with non-negative weights, so the integral only grows with time.
 */
function levelVariance(years: number, smile: SmileParameters): number {
  const { shortVolatility, longVolatility, reversionPerYear } = smile;
  const { middleVolatility = longVolatility } = smile;
  const { slowReversionPerYear = SLOW_REVERSION_PER_YEAR } = smile;
  const [short, middle, long] = [shortVolatility ** 2, middleVolatility ** 2, longVolatility ** 2];
  const fast = faded(years, reversionPerYear);
  const slow = faded(years, slowReversionPerYear);
  const both = faded(years, reversionPerYear + slowReversionPerYear);
  return long * years + (short - long) * fast + (middle - long) * (slow - both);
}

/** Integral of e^(−rate·t) from 0 to `years`. */
const faded = (years: number, rate: number): number => -Math.expm1(-rate * years) / rate;

/** The same smile with every at-the-money volatility multiplied by `factor` (positive). */
export function scaledSmile(smile: SmileParameters, factor: number): SmileParameters {
  assert(factor > 0 && factor < Infinity, `factor must be positive and finite, was ${factor}`);
  return {
    ...smile,
    shortVolatility: smile.shortVolatility * factor,
    middleVolatility: (smile.middleVolatility ?? smile.longVolatility) * factor,
    longVolatility: smile.longVolatility * factor,
  };
}

const POSITIVE = [
  'shortVolatility',
  'middleVolatility',
  'longVolatility',
  'reversionPerYear',
  'slowReversionPerYear',
] as const;

/** The parameter violations that would admit arbitrage, one sentence each; empty if there are none. */
export function smileFlaws(smile: SmileParameters): readonly string[] {
  const { correlation, curvature, fading } = smile;
  const flaws: string[] = [];
  for (const name of POSITIVE) {
    const value = smile[name];
    if (value === undefined) continue;
    if (!(value > 0 && value < Infinity)) flaws.push(`${name} must be positive, was ${value}`);
  }
  if (!(Math.abs(correlation) < 1))
    flaws.push(`correlation must lie between -1 and 1, was ${correlation}`);
  if (!(fading > 0 && fading <= 0.5)) flaws.push(`fading must be in (0, 0.5], was ${fading}`);
  if (!(curvature > 0)) flaws.push(`curvature must be positive, was ${curvature}`);
  if (curvature * (1 + Math.abs(correlation)) > 2)
    flaws.push(
      `curvature × (1 + |correlation|) must be at most 2, was ${curvature} and ${correlation}`,
    );
  return flaws;
}
