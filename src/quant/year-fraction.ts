// Time to expiry as the option formulas want it: years of 365 days, whatever the calendar says.

const MS_PER_DAY = 86_400_000;
export const DAYS_PER_YEAR = 365;
export const MS_PER_YEAR = MS_PER_DAY * DAYS_PER_YEAR;

/** Milliseconds as years of 365 days; negative once the moment has passed. */
export const yearFraction = (durationMs: number): number => durationMs / MS_PER_YEAR;
