// The moving volatility surface of a coin: it rises when the index falls and when the market is volatile,
// short expiries more than long ones, and the skew of the smile moves with it. At every instant all expiries
// share one skew and one curvature within the conditions of the smile, so no arbitrage ever appears.
import type { SmileParameters } from '../../../quant/smile.ts';
import { HOUR_MS, type Instant } from '../../../values/instant.ts';
import { hash32 } from '../../../values/rng.ts';
import type { ByTerm, Coin } from '../coins.ts';
import { SURFACE, TRAITS } from '../market-parameters.ts';
import type { IndexProcess } from './index-process.ts';
import { drift } from './noise.ts';

export interface Surface {
  /** The same object within a step. */
  smile(now: Instant): SmileParameters;
}

/** Largest move of the index that counts; larger falls approach it asymptotically. */
const MOVE_MAX = 0.25;
/** Bounds of the logarithm of short-dated volatility relative to its usual level. */
const LOG_MIN = -0.8;
const LOG_MAX = 1.2;
const LEAN_BOUND = 0.6;
/** As a fraction of the largest curvature that admits no butterfly arbitrage. */
const CURVATURE_SHARE_MAX = 0.99;

/** The index is compared with its average over this many hours, which fades by `FADING_HOURS`. */
const MEMORY_HOURS = 240;
const FADING_HOURS = 60;
/** Samples of the index that are cached for the next average. */
const KEPT_HOURS = 256;

export function surface(coin: Coin, seed: string, index: IndexProcess): Surface {
  const { smile: usual, fear } = TRAITS[coin];
  const wander = (name: string, hours: number) =>
    drift(hash32(`${seed}/${name}/${coin}`), hours * HOUR_MS);
  const hours = wander('volatility', 6);
  const weeks = wander('volatility/weeks', 120);
  const short = wander('volatility/short', 9);
  const lean = wander('volatility/lean', 30);
  const curvature = wander('volatility/curvature', 50);
  const movedBy = leverage(coin, index);

  const at = (now: Instant): SmileParameters => {
    const moved = MOVE_MAX * Math.tanh(movedBy(now) / MOVE_MAX);
    const restless = Math.log(index.pace(now));
    const shared = SURFACE.hours * hours(now) + SURFACE.weeks * weeks(now);
    const factor = (term: keyof ByTerm, own: number): number =>
      Math.exp(
        bounded(own + SURFACE.restless[term] * restless - fear[term] * moved, LOG_MIN, LOG_MAX),
      );
    const correlation = bounded(
      usual.correlation + SURFACE.lean * lean(now) + SURFACE.leanPerMove * moved,
      -LEAN_BOUND,
      LEAN_BOUND,
    );
    const curvatureMax = (CURVATURE_SHARE_MAX * 2) / (1 + Math.abs(correlation));
    const middle = usual.middleVolatility ?? usual.longVolatility;
    return {
      ...usual,
      shortVolatility: usual.shortVolatility * factor('short', shared + SURFACE.short * short(now)),
      middleVolatility: middle * factor('middle', shared),
      longVolatility: usual.longVolatility * factor('long', shared / 2),
      correlation,
      curvature: Math.min(
        curvatureMax,
        usual.curvature * Math.exp(SURFACE.curvature * curvature(now)),
      ),
    };
  };

  let latest: { readonly step: number; readonly smile: SmileParameters } | undefined;
  return {
    smile(now) {
      const step = index.stepAt(now);
      if (latest?.step !== step) latest = { step, smile: at((step * index.stepMs) as Instant) };
      return latest.smile;
    },
  };
}

const bounded = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, value));

/** The logarithm of the index relative to its average of the last days. */
function leverage(coin: Coin, index: IndexProcess): (atMs: number) => number {
  const weights = Array.from({ length: MEMORY_HOURS }, (_, age) => Math.exp(-age / FADING_HOURS));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const hours = new Float64Array(KEPT_HOURS).fill(Number.NaN);
  const kept = new Float64Array(KEPT_HOURS);
  const logAt = (hour: number): number => {
    const at = ((hour % KEPT_HOURS) + KEPT_HOURS) % KEPT_HOURS;
    if (hours[at] !== hour) {
      hours[at] = hour;
      kept[at] = Math.log(index.price(coin, (hour * HOUR_MS) as Instant));
    }
    return kept[at] ?? 0;
  };
  /** By hours up to and including `hour`, oldest first: the cheapest order to read a path in. */
  const averageAt = (hour: number): number => {
    let sum = 0;
    for (let age = MEMORY_HOURS - 1; age >= 0; age -= 1) {
      sum += (weights[age] ?? 0) * logAt(hour - age);
    }
    return sum / total;
  };
  let known = Number.NaN;
  let [before, after] = [0, 0];
  return (atMs) => {
    const hour = Math.floor(atMs / HOUR_MS);
    if (hour !== known) {
      before = hour === known + 1 ? after : averageAt(hour - 1);
      after = averageAt(hour);
      known = hour;
    }
    const within = atMs / HOUR_MS - hour;
    return Math.log(index.price(coin, atMs as Instant)) - before * (1 - within) - after * within;
  };
}
