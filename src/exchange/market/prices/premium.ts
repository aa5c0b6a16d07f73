// The premium of an instrument over its index, as a fraction: an oscillation over hours plus a slow and a
// fast mean-reverting drift, and its 30-second moving average, which the mark price follows.

import { SECOND_MS } from '../../../values/instant.ts';
import { PREMIUM_PERIODS } from '../market-parameters.ts';
import { drift, type NoiseSeed } from './noise.ts';

export interface PremiumTraits {
  /** The mean. Default 0. */
  readonly bias?: number | undefined;
  /** Default 0. */
  readonly tide?: number | undefined;
  readonly slow: number;
  readonly quick: number;
}

/** Samples of the average, one per second; earlier ones would weigh less than a thousandth. */
const SAMPLES = 210;

const WEIGHTS = Float64Array.from({ length: SAMPLES }, (_, age) =>
  Math.exp((-age * SECOND_MS) / PREMIUM_PERIODS.averageMs),
);
const TOTAL_WEIGHT = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

export interface Premium {
  /** At an instant (epoch milliseconds). */
  at(atMs: number): number;
  /** Exponential average of the last minutes, each sample clamped to ±`bound`. */
  average(atMs: number, bound: number): number;
}

export function premium(seed: NoiseSeed, traits: PremiumTraits): Premium {
  const { bias = 0, tide = 0, slow, quick } = traits;
  const [hours, minutes, seconds] = [
    drift(seed ^ 0x6a09e667, PREMIUM_PERIODS.tideMs),
    drift(seed, PREMIUM_PERIODS.slowMs),
    drift(seed ^ 0x3c6ef372, PREMIUM_PERIODS.quickMs),
  ];
  const at = (atMs: number): number =>
    bias +
    (tide === 0 ? 0 : tide * hours(atMs)) +
    (slow === 0 ? 0 : slow * minutes(atMs)) +
    quick * seconds(atMs);

  const samples = new Float64Array(SAMPLES);
  let newest = Number.NaN;
  const readUpTo = (second: number): void => {
    const known = newest <= second && newest > second - SAMPLES ? newest : second - SAMPLES;
    for (let next = known + 1; next <= second; next += 1) {
      samples[next % SAMPLES] = at(next * SECOND_MS);
    }
    newest = second;
  };

  let averaged = { second: Number.NaN, bound: Number.NaN, value: 0 };
  return {
    at,
    average(atMs, bound) {
      const second = Math.floor(atMs / SECOND_MS);
      if (averaged.second !== second || averaged.bound !== bound) {
        readUpTo(second);
        averaged = { second, bound, value: weighted(samples, second, bound) };
      }
      return averaged.value;
    },
  };
}

function weighted(samples: Float64Array, second: number, bound: number): number {
  let total = 0;
  for (let age = 0; age < SAMPLES; age += 1) {
    const sample = samples[(second - age) % SAMPLES] ?? 0;
    total += (WEIGHTS[age] ?? 0) * Math.max(-bound, Math.min(bound, sample));
  }
  return total / TOTAL_WEIGHT;
}
