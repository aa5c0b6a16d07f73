// The distribution of variance over time, at all scales from seconds to weeks: each span of time passes its variance to
// its halves in shares, so that calm and volatile periods cluster. The shares are random; within a minute they follow
// the bursts in which prices change, so that a second with many changes has large moves too.
//
// Source: the multiplicative cascade of B. Mandelbrot, A. Fisher and L. Calvet, "A multifractal model of
// asset returns" (1997), with shares that sum to one, so that the mean variance is as configured.
import { HOUR_MS, MINUTE_MS } from '../../../values/instant.ts';
import { VARIANCE_CASCADE } from '../market-parameters.ts';
import type { HalfShare } from './brownian-path.ts';
import { type NoiseSeed, normalAt } from './noise.ts';

export interface VarianceCascade {
  readonly shareOf: HalfShare;
  /** Variance per step around a step, smoothed over hours; 1 on average. */
  pace(step: number): number;
  /** The same, smoothed over two minutes. */
  quickPace(step: number): number;
}

/** Cells of about this length have a pace each. */
const PACE_MS = 9 * HOUR_MS;
const QUICK_PACE_MS = 2 * MINUTE_MS;
const stepsIn = (durationMs: number, stepMs: number): number =>
  2 ** Math.round(Math.log2(durationMs / stepMs));

export function varianceCascade(
  seed: NoiseSeed,
  stepMs: number,
  burstAt: (atMs: number) => number,
): VarianceCascade {
  const longest = stepsIn(VARIANCE_CASCADE.longestMs, stepMs);
  const shortest = stepsIn(VARIANCE_CASCADE.shortestMs, stepMs);
  const stepsOf = (durationMs: number): number => Math.min(longest, stepsIn(durationMs, stepMs));
  const cell = stepsOf(PACE_MS);
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

  return {
    shareOf,
    pace: paceOfCells({ shareOf, longest, cell }),
    quickPace: paceOfCells({ shareOf, longest, cell: stepsOf(QUICK_PACE_MS) }),
  };
}

/** The variance per step in cells of one length, blended between the middles of two of them. */
function paceOfCells(of: {
  readonly shareOf: HalfShare;
  /** In steps, as `cell`. */
  readonly longest: number;
  readonly cell: number;
}): (step: number) => number {
  const { shareOf, longest, cell } = of;
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
  return (step) => {
    const position = step / cell - 0.5;
    const number = Math.floor(position);
    if (number !== known) {
      left = number === known + 1 ? right : paceIn(number);
      right = paceIn(number + 1);
      known = number;
    }
    const within = position - number;
    return Math.exp(left * (1 - within) + right * within);
  };
}
