// Recalculates the schedule of a leg in whole lots and milliseconds, directly from its
// definition: slice k is due at start + k·interval, and its size is the difference of two points of the
// rounded straight line. The engine is checked against this. Random schedules and schedules with another
// aim have bounds instead of a point.

export interface CourseTerms {
  readonly startAt: number;
  readonly durationMs: number;
  readonly frequencyMs: number;
  readonly phase: number;
  readonly aim: 'end' | 'middle' | undefined;
  /** Shares by which sizes and instants may deviate; 0 where nothing is drawn. */
  readonly randomSize: number;
  readonly randomTime: number;
  /** What is to be traded, and the smallest order. */
  readonly lots: number;
  readonly least: number;
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

export interface Course {
  readonly slices: number;
  /** When slice `index` is due, earliest and latest. */
  due(index: number): Span;
  /** When its time is up. */
  ends(index: number): Span;
  /** What is to be filled after it; nothing before the first, all after the last. */
  target(index: number): Span;
}

/** The schedule of `terms`, whose lots are at least the smallest order. */
export function courseOf(terms: CourseTerms): Course {
  const { startAt, durationMs, frequencyMs, phase, aim, lots } = terms;
  const { slices, intervalMs } = grid(terms);
  const begins = (index: number): number => Math.min(index * intervalMs, durationMs);
  /** After the start; fewer and longer slices are due in the middle one of the slots they stand for. */
  const even = (index: number): number => {
    const lengthMs = begins(index + 1) - begins(index);
    const slotMs = Math.min(lengthMs, frequencyMs);
    return begins(index) + (lengthMs - slotMs) / 2 + phase * slotMs;
  };
  /** Aimed at the middle of the time until the next slice, where all slices can be traded so. */
  const aimed = (index: number): number =>
    aim === 'middle' ? (even(index) + even(index + 1)) / 2 : begins(index + 1);
  /** How far the drawn end of a slice may be from the even one. */
  const drawnMs = (terms.randomSize * intervalMs) / 2;
  const line = (atMs: number): number =>
    Math.min(lots, Math.floor((lots * Math.round(Math.max(0, atMs))) / durationMs + 0.5));
  const due = (index: number): Span => {
    const afterMs = even(index);
    const restMs = terms.randomTime * (begins(index + 1) - afterMs);
    return {
      low: Math.floor(startAt + afterMs),
      high: Math.floor(startAt + afterMs + restMs),
    };
  };
  const end: Span = { low: startAt + durationMs, high: startAt + durationMs };
  return {
    slices,
    due,
    ends: (index) => (index >= slices - 1 ? end : due(index + 1)),
    target: (index) => {
      if (index < 0) return { low: 0, high: 0 };
      if (index >= slices - 1) return { low: lots, high: lots };
      const [ends, aims] = [begins(index + 1), aimed(index)];
      return {
        low: line(Math.min(ends, aims) - drawnMs),
        high: line(Math.max(ends, aims) + drawnMs),
      };
    },
  };
}

/** As many slices as intervals, or fewer and even ones where lots and minimum do not allow so many. */
function grid({ durationMs, frequencyMs, lots, least }: CourseTerms): {
  readonly slices: number;
  readonly intervalMs: number;
} {
  const wanted = Math.ceil(durationMs / frequencyMs);
  const shortest = Math.min(durationMs - (wanted - 1) * frequencyMs, frequencyMs);
  if (Math.floor((lots * shortest) / durationMs) >= least) {
    return { slices: wanted, intervalMs: frequencyMs };
  }
  const whole = Math.max(1, Math.floor(durationMs / frequencyMs));
  const slices = Math.min(whole, Math.floor(lots / least));
  return { slices, intervalMs: durationMs / slices };
}
