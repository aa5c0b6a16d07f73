// Time to expiry for the option formulas: years of 365 days, regardless of the calendar.

const MS_PER_DAY = 86_400_000;
export const DAYS_PER_YEAR = 365;
export const MS_PER_YEAR = MS_PER_DAY * DAYS_PER_YEAR;

/** Milliseconds as years of 365 days; negative once the instant has passed. */
export const yearFraction = (durationMs: number): number => durationMs / MS_PER_YEAR;
