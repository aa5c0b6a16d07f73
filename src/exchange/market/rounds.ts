// When the books of a market move: each once in a round, a few at a time, so that nobody in the process
// waits for a whole market; and half a step beside whole seconds, which is when others have work to do.
import { type Instant, instant } from '../../values/instant.ts';

export interface Rounds<T> {
  /** The round that `now` lies in. */
  at(now: Instant): number;
  /** Epoch milliseconds. */
  startOf(round: number): number;
  /**
   * Those who are to move now, at most {@link PIECE}; nobody when all have moved in this round. `all` is
   * asked for when a round begins. A round begun late or slowly is finished before the next begins.
   */
  next(now: Instant, all: () => Iterable<T>): readonly T[];
  /** `now` while some have yet to move, else the start of the next round. */
  nextAt(now: Instant): Instant;
}

/** With 20 to 60 µs a book, a piece is well below half a millisecond. */
export const PIECE = 6;

export function rounds<T>(stepMs: number): Rounds<T> {
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
