// Decides what a strategy owes at a moment: the due instant to fire, those that were missed, and when to
// check next. Pure; the cursor is the instant up to which everything has been decided.
import { type Instant, later } from '../../values/instant.ts';
import type { Strategy } from './strategy.ts';
import { nextDue } from './strategy-schedule.ts';

export interface Due {
  /** The one due instant to fire now. */
  readonly fire?: Instant | undefined;
  /** The first due instant that was missed, if any. */
  readonly missed?: Instant | undefined;
  /** The next due instant. */
  readonly next?: Instant | undefined;
}

/** A due instant found within this delay counts as on time. */
const ON_TIME_MS = 5_000;

/**
 * Of several due instants since `cursor` only the latest can fire, and only within the strategy's grace: a
 * trader returning after downtime does not want yesterday's orders on top of today's.
 */
export function dueBetween(strategy: Strategy, cursor: Instant, now: Instant): Due {
  const { schedule, missedWithinMs } = strategy;
  if (schedule === undefined || !strategy.enabled) return {};
  const first = nextDue(schedule, cursor);
  if (first === undefined || first > now) return { next: first };
  // Everything before this is too old and is not enumerated.
  const tooOld = later(now, -Math.max(missedWithinMs, ON_TIME_MS) - 1);
  let fire: Instant | undefined;
  let next = first > tooOld ? first : nextDue(schedule, tooOld);
  while (next !== undefined && next <= now) {
    fire = next;
    next = nextDue(schedule, next);
  }
  return { fire, missed: first === fire ? undefined : first, next };
}
