// Measures the deviation of fills from the straight line between start and end. The line rises and fills are steps,
// so between two fills the distance is largest at one of them; its mean is a sum of trapezoids.

export interface FillPoint {
  readonly at: number;
  /** Share of the total, in [0, 1]. */
  readonly share: number;
}

export interface Line {
  readonly from: number;
  readonly to: number;
  /** Until when fills are known, if that is before the end of the line. */
  readonly until?: number;
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

/** `fills` must be in time order; fills after the end are compared with the full plan. */
export function deviation(fills: readonly FillPoint[], line: Line): Deviation {
  const planAt = (at: number): number =>
    Math.min(1, Math.max(0, (at - line.from) / Math.max(1, line.to - line.from)));
  const end = Math.min(line.to, line.until ?? line.to);
  let filled = 0;
  let since = line.from;
  let greatest = { value: 0, at: line.from };
  let area = 0;
  const sample = (at: number): void => {
    const value = filled - planAt(at);
    if (Math.abs(value) > Math.abs(greatest.value) + NOISE) greatest = { value, at };
  };
  const pass = (at: number): void => {
    const to = Math.min(at, end);
    if (to > since) {
      area += areaBetween(filled - planAt(since), filled - planAt(to), to - since);
      since = to;
    }
    sample(at);
  };
  for (const { at, share } of fills) {
    pass(Math.max(at, line.from));
    filled += share;
    sample(Math.max(at, line.from));
  }
  pass(end);
  const mean = area / Math.max(1, end - line.from);
  return { greatest: greatest.value, at: greatest.at, mean };
}

/** The area under the absolute value of a straight line from `a` to `b` over `length`. */
function areaBetween(a: number, b: number, length: number): number {
  if (a * b >= 0) return ((Math.abs(a) + Math.abs(b)) / 2) * length;
  const crossing = Math.abs(a) / (Math.abs(a) + Math.abs(b));
  return ((Math.abs(a) * crossing + Math.abs(b) * (1 - crossing)) / 2) * length;
}
