// What a strategy owes at a moment: the due instant to fire, those let go, and when to look again.
// Pure; the cursor is the instant up to which everything has been decided.
import type { Instant } from '../../values/instant.ts';
import type { Strategy } from './strategy.ts';
import { nextDue } from './strategy-schedule.ts';

export interface Due {
  /** The one due instant to fire now. */
  readonly fire?: Instant | undefined;
  /** The latest due instant that came too late to fire, when there is one. */
  readonly missed?: Instant | undefined;
  /** When the next one comes. */
  readonly next?: Instant | undefined;
}

/** Looked at this soon, a due instant was not missed at all. */
const ON_TIME_MS = 5_000;
/** More due instants than this in one downtime are not counted one by one. */
const CATCH_UP_STEPS_MAX = 100_000;

/**
 * Of several due instants since `cursor` only the latest can fire, and only within the grace of the
 * strategy: a desk that comes back does not want yesterday's orders on top of today's.
 */
export function dueBetween(strategy: Strategy, cursor: Instant, now: Instant): Due {
  const { schedule, missedWithinMs } = strategy;
  if (schedule === undefined || !strategy.enabled) return {};
  let latest: Instant | undefined;
  let skipped: Instant | undefined;
  let next = nextDue(schedule, cursor);
  for (let step = 0; next !== undefined && next <= now && step < CATCH_UP_STEPS_MAX; step += 1) {
    skipped = latest;
    latest = next;
    next = nextDue(schedule, next);
  }
  if (latest === undefined) return { next };
  const inTime = now - latest <= Math.max(missedWithinMs, ON_TIME_MS);
  return inTime ? { fire: latest, missed: skipped, next } : { missed: latest, next };
}
