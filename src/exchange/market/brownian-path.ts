// A random walk that can be read at any step at once, by Lévy's construction: the value in the middle
// of two known ones is their mean plus a normal of known deviation, down to the step asked for.
import { assert } from '../../values/assert.ts';
import { type NoiseSeed, normalAt } from './noise.ts';

export interface BrownianPath {
  /**
   * Value after `step` steps of variance 1. Depends on seed and step only. About two draws when steps
   * are read in order, one per level after a jump.
   */
  at(step: number): number;
}

interface Span {
  readonly left: number;
  readonly right: number;
  readonly leftValue: number;
  readonly rightValue: number;
}

/** A walk over 2^`levels` steps, zero at step 0. */
export function brownianPath(seed: NoiseSeed, levels: number): BrownianPath {
  assert(levels > 0 && levels <= 52, `levels must be 1 to 52, was ${levels}`);
  const steps = 2 ** levels;
  const end = normalAt(seed, steps) * Math.sqrt(steps);
  /** From the whole walk down to the last step read. */
  const spans: Span[] = [{ left: 0, right: steps, leftValue: 0, rightValue: end }];

  return {
    at(step) {
      assert(Number.isInteger(step) && step >= 0 && step <= steps, `no step ${step}`);
      let span = narrowestAround(spans, step);
      while (step !== span.left && step !== span.right) {
        span = halfAround(span, step, seed);
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

function halfAround(span: Span, step: number, seed: NoiseSeed): Span {
  const { left, right, leftValue, rightValue } = span;
  const middle = left + (right - left) / 2;
  const deviation = Math.sqrt((right - left) / 4);
  const value = (leftValue + rightValue) / 2 + deviation * normalAt(seed, middle);
  return step < middle
    ? { left, right: middle, leftValue, rightValue: value }
    : { left: middle, right, leftValue: value, rightValue };
}
