// Compares the cost of two variants by measurements taken in pairs close together,
// so that other load on the machine affects both.
import { rng } from '../src/values/rng.ts';
import { percentile } from './percentile.ts';

export interface Pair {
  readonly one: number;
  readonly other: number;
}

export interface PairedRatio {
  /** Median of first ÷ second. */
  readonly ratio: number;
  /** The interval of that median in 95 of 100 bootstrap samples of as many pairs. */
  readonly from: number;
  readonly to: number;
}

const DRAWS = 2_000;
const OUTSIDE = 0.025;

/**
 * Bounds by the percentile bootstrap (Efron 1979) over pairs; the same pairs give the same bounds. Throws a
 * RangeError for a pair whose ratio is not a number.
 */
export function pairedRatio(pairs: readonly Pair[]): PairedRatio {
  const ratios = pairs.map(({ one, other }) => one / other);
  if (!ratios.every(Number.isFinite)) throw new RangeError('a pair without a ratio');
  const { below } = rng('pairs');
  const medians = Array.from({ length: DRAWS }, () =>
    median(ratios.map(() => ratios[below(ratios.length)] ?? Number.NaN)),
  );
  return {
    ratio: median(ratios),
    from: percentile(medians, OUTSIDE),
    to: percentile(medians, 1 - OUTSIDE),
  };
}

const median = (values: readonly number[]): number => percentile(values, 0.5);
