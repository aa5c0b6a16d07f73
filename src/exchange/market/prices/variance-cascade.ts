// The distribution of variance over time, at all scales from seconds to weeks: each span of time passes its variance to
// its halves in shares, so that calm and volatile periods cluster. The shares are random; within a minute they follow
// the bursts in which prices change, so that a second with many changes has large moves too.
//
// Source: the multiplicative cascade of B. Mandelbrot, A. Fisher and L. Calvet, "A multifractal model of
// asset returns" (1997), with shares that sum to one, so that the mean variance is as configured.
import { MINUTE_MS } from '../../../values/instant.ts';
import { VARIANCE_CASCADE } from '../market-parameters.ts';
import type { HalfShare } from './brownian-path.ts';
import { type NoiseSeed, normalAt } from './noise.ts';

export interface VarianceCascade {
  readonly shareOf: HalfShare;
  /** Variance per step around a step, smoothed over hours; 1 on average. */
  pace(step: number): number;
}

/** Pace is computed for cells of about this length. */
const PACE_MS = 9 * 60 * MINUTE_MS;
const stepsIn = (durationMs: number, stepMs: number): number =>
  2 ** Math.round(Math.log2(durationMs / stepMs));

export function varianceCascade(
  seed: NoiseSeed,
  stepMs: number,
  burstAt: (atMs: number) => number,
): VarianceCascade {
  const longest = stepsIn(VARIANCE_CASCADE.longestMs, stepMs);
  const shortest = stepsIn(VARIANCE_CASCADE.shortestMs, stepMs);
  const cell = Math.min(longest, stepsIn(PACE_MS, stepMs));
  const quick = stepsIn(VARIANCE_CASCADE.quickMs, stepMs);
  /** Logarithm of the variance of the first half of a span relative to that of the second. */
  const leanAt = (middle: number, length: number): number => {
    if (length > quick) {
      const spread = length > cell ? VARIANCE_CASCADE.spread : VARIANCE_CASCADE.fineSpread;
      return spread * normalAt(seed, middle);
    }
    const [first, second] = [middle - length / 4, middle + length / 4];
    return VARIANCE_CASCADE.burstPower * (burstAt(second * stepMs) - burstAt(first * stepMs));
  };
  const shareOf: HalfShare = (middle, length) =>
    length > longest || length < shortest ? 0.5 : 1 / (1 + Math.exp(leanAt(middle, length)));

  /** Logarithm of the variance per step in one cell. */
  const paceIn = (number: number): number => {
    const start = number * cell;
    let pace = 0;
    for (let length = longest; length > cell; length /= 2) {
      const middle = Math.floor(start / length) * length + length / 2;
      const share = shareOf(middle, length);
      pace += Math.log(2 * (start < middle ? share : 1 - share));
    }
    return pace;
  };

  let known = Number.NaN;
  let [left, right] = [0, 0];
  return {
    shareOf,
    pace(step) {
      const position = step / cell - 0.5;
      const number = Math.floor(position);
      if (number !== known) [left, right] = [paceIn(number), paceIn(number + 1)];
      known = number;
      const within = position - number;
      return Math.exp(left * (1 - within) + right * within);
    },
  };
}
