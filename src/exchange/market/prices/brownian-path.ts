// A random walk that can be read at any step directly, by Lévy's construction: the value between two known
// ones is their variance-weighted mean plus a normal of known deviation, down to the requested step.
import { assert } from '../../../values/assert.ts';
import { assertProgress } from '../../../values/progress.ts';
import { type NoiseSeed, normalAt } from './noise.ts';

export interface BrownianPath {
  /**
   * Value after `step` steps of variance 1 on average. Depends on the seeds and the step only. Takes about
   * two draws if steps are read in order, one per level after a jump.
   */
  at(step: number): number;
}

/** The fraction (0 to 1) of the variance of a span of `length` steps that falls into its first half. */
export type HalfShare = (middle: number, length: number) => number;

interface Span {
  readonly left: number;
  readonly right: number;
  readonly variance: number;
  readonly leftValue: number;
  readonly rightValue: number;
}

const EVEN: HalfShare = () => 0.5;

/** A walk over 2^`levels` steps, zero at step 0; the variance is uniform unless `shareOf` distributes it. */
export function brownianPath(
  seed: NoiseSeed,
  levels: number,
  shareOf: HalfShare = EVEN,
): BrownianPath {
  assert(levels > 0 && levels <= 52, `levels must be 1 to 52, was ${levels}`);
  const steps = 2 ** levels;
  const end = normalAt(seed, steps) * Math.sqrt(steps);
  /** From the whole walk down to the last step read. */
  const spans: Span[] = [{ left: 0, right: steps, variance: steps, leftValue: 0, rightValue: end }];

  return {
    at(step) {
      assert(Number.isInteger(step) && step >= 0 && step <= steps, `no step ${step}`);
      let span = narrowestAround(spans, step);
      while (step !== span.left && step !== span.right) {
        const half = halfAround(span, step, { seed, shareOf });
        assertProgress(half.right - half.left < span.right - span.left, 'halving a walk');
        span = half;
        spans.push(span);
      }
      return step === span.left ? span.leftValue : span.rightValue;
    },
  };
}

function narrowestAround(spans: Span[], step: number): Span {
  for (;;) {
    const span = spans.at(-1);
    assert(span !== undefined, 'the whole walk contains every step');
    if (step >= span.left && step <= span.right) return span;
    spans.pop();
  }
}

function halfAround(
  span: Span,
  step: number,
  { seed, shareOf }: { readonly seed: NoiseSeed; readonly shareOf: HalfShare },
): Span {
  const { left, right, variance, leftValue, rightValue } = span;
  const middle = left + (right - left) / 2;
  const share = shareOf(middle, right - left);
  const deviation = Math.sqrt(variance * share * (1 - share));
  const value = leftValue + share * (rightValue - leftValue) + deviation * normalAt(seed, middle);
  return step < middle
    ? { left, right: middle, variance: variance * share, leftValue, rightValue: value }
    : { left: middle, right, variance: variance * (1 - share), leftValue: value, rightValue };
}
