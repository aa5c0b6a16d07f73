// Rounds milliseconds for log lines to a readable number of digits.

const PER_MS = 1_000;

/** Rounds to the microsecond. */
export const shownMs = (ms: number): number => Math.round(ms * PER_MS) / PER_MS;
