// How much of the processor the replay of stored events may take: a small share of the time, and more while portfolios
// that have ended wait for theirs too long.

const SHARE = 0.02;
const SHARE_WHEN_LATE = 0.1;
/** An ended portfolio that has waited for longer than this is late. */
export const LATE_MS = 600_000;
/** The longest time whose share may be taken at once, after rounds that were far apart. */
const SINCE_MS_MAX = 10_000;
/** One read of a slow ledger must not silence the auditor for minutes. */
const OWED_MS_MAX = 100;

export interface AuditBudget {
  /** Time since the previous round. */
  readonly sinceMs: number;
  /** What that round took beyond its allowance. */
  readonly owedMs: number;
  /** How long the longest waiting ended portfolio has waited. */
  readonly endedWaitMs: number;
}

/** What a round may take; nothing if it is not above zero. */
export const allowanceMs = ({ sinceMs, owedMs, endedWaitMs }: AuditBudget): number =>
  Math.min(sinceMs, SINCE_MS_MAX) * (endedWaitMs > LATE_MS ? SHARE_WHEN_LATE : SHARE) - owedMs;

/** What a round owes to the next one. A round always completes the piece it has begun. */
export const owedMs = (allowedMs: number, spentMs: number): number =>
  Math.min(Math.max(0, spentMs - allowedMs), OWED_MS_MAX);
