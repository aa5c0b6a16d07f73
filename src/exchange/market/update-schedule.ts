// Schedules the updates of a market's books: each once per round, a few at a time, so that a whole market
// does not block the process; and offset by half a step from whole seconds, when other work is due.
import { type Instant, instant } from '../../values/instant.ts';

export interface UpdateSchedule<T> {
  /** The round that `now` falls into. */
  at(now: Instant): number;
  /** Epoch milliseconds. */
  startOf(round: number): number;
  /**
   * The items to update now, at most {@link PIECE}; empty if all have been updated in this round. `all` is
   * called when a round starts. A round that starts late or is slow is finished before the next starts.
   */
  next(now: Instant, all: () => Iterable<T>): readonly T[];
  /** `now` while some items are left in this round, otherwise the start of the next one. */
  nextAt(now: Instant): Instant;
}

/** At 20 to 60 µs per book, a piece takes well below half a millisecond. */
export const PIECE = 6;

export function updateSchedule<T>(stepMs: number): UpdateSchedule<T> {
  const phaseMs = Math.floor(stepMs / 2);
  let begun = Number.NaN;
  let waiting: readonly T[] = [];
  let moved = 0;
  const at = (now: Instant): number => Math.floor((now - phaseMs) / stepMs);
  const startOf = (round: number): number => round * stepMs + phaseMs;

  return {
    at,
    startOf,
    next(now, all) {
      if (moved >= waiting.length) {
        const round = at(now);
        if (round === begun) return [];
        begun = round;
        waiting = [...all()];
        moved = 0;
      }
      const piece = waiting.slice(moved, moved + PIECE);
      moved += PIECE;
      return piece;
    },
    nextAt: (now) => (moved < waiting.length ? now : instant(startOf(at(now) + 1))),
  };
}
