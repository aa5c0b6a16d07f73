// Milliseconds as a log line shows them: no more digits than a person reads.

const PER_MS = 1_000;

/** To the microsecond. */
export const shownMs = (ms: number): number => Math.round(ms * PER_MS) / PER_MS;
