// Measures the deviation of fills from the line of the plan. The line rises and fills are steps, so between two fills, and
// between two bends of the line, the distance is largest at one end; its mean is a sum of trapezoids.
import type { Stretch } from './planned-line.ts';

export interface FillPoint {
  readonly at: number;
  /** Share of the total, in [0, 1]. */
  readonly share: number;
}

export interface Deviation {
  /** The largest |filled − plan| / total, with its sign: negative is behind the plan. */
  readonly greatest: number;
  readonly at: number;
  /** Mean of |filled − plan| / total over the schedule's duration, as far as fills are known. */
  readonly mean: number;
}

/** Tolerance for rounding errors, so that the first of equal values counts. */
const NOISE = 1e-12;

/** The line of a plan that was never amended. */
export const straightLine = (from: number, to: number): readonly Stretch[] => [
  { since: from, from: { at: from, reached: 0 }, to: { at: to, reached: 1 } },
];

/**
 * `fills` must be in time order; fills after the end are compared with the full plan. The line is in shares of the total
 * and has at least one stretch; `until` is the instant until when fills are known, if that is before its end.
 */
export function deviation(
  fills: readonly FillPoint[],
  line: readonly Stretch[],
  until = Number.POSITIVE_INFINITY,
): Deviation {
  const start = line[0]?.since ?? 0;
  const end = Math.min(line.at(-1)?.to.at ?? start, until);
  const bends = bendsOf(line);
  let [filled, since, area, passed] = [0, start, 0, 0];
  let greatest = { value: 0, at: start };
  const sample = (at: number, stretch: Stretch | undefined): void => {
    const value = filled - reachedAt(stretch, at);
    if (Math.abs(value) > Math.abs(greatest.value) + NOISE) greatest = { value, at };
  };
  const straight = (to: number): void => {
    const stretch = inForce(line, since);
    if (to > since) {
      const [a, b] = [filled - reachedAt(stretch, since), filled - reachedAt(stretch, to)];
      area += areaBetween(a, b, to - since);
      since = to;
    }
    sample(to, stretch);
  };
  const pass = (at: number): void => {
    for (; (bends[passed] ?? end) < Math.min(at, end); passed += 1) {
      straight(Math.max(since, bends[passed] ?? end));
      sample(since, inForce(line, since));
    }
    straight(Math.min(at, end));
    sample(at, inForce(line, at));
  };
  for (const { at, share } of fills) {
    const from = Math.max(at, start);
    pass(from);
    filled += share;
    sample(from, inForce(line, from));
  }
  pass(end);
  const mean = area / Math.max(1, end - start);
  return { greatest: greatest.value, at: greatest.at, mean };
}

/** Where the line changes its slope or jumps, in order of time. */
const bendsOf = (line: readonly Stretch[]): readonly number[] =>
  line.flatMap(({ since, from, to }) => [since, from.at, to.at]).sort((a, b) => a - b);

const inForce = (line: readonly Stretch[], at: number): Stretch | undefined =>
  line.findLast(({ since }) => since <= at) ?? line[0];

function reachedAt(stretch: Stretch | undefined, at: number): number {
  if (stretch === undefined) return 0;
  const { from, to } = stretch;
  const part = Math.min(1, Math.max(0, (at - from.at) / Math.max(1, to.at - from.at)));
  return from.reached + part * (to.reached - from.reached);
}

/** The area under the absolute value of a straight line from `a` to `b` over `length`. */
function areaBetween(a: number, b: number, length: number): number {
  if (a * b >= 0) return ((Math.abs(a) + Math.abs(b)) / 2) * length;
  const crossing = Math.abs(a) / (Math.abs(a) + Math.abs(b));
  return ((Math.abs(a) * crossing + Math.abs(b) * (1 - crossing)) / 2) * length;
}
