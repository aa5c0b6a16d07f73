// The calendar of expiries: all at 08:00 UTC, weekly ones on Fridays; the end of a month is its last Friday. An expiry
// belongs to the longest series that it ends, and is listed for as long as that series is.
//
// Source: 319 recorded chains of Deribit, 30 December 2025 to 21 March 2026. Four days are always listed. Fridays are listed
// 22 days before they expire; month ends and quarter ends on the day before the one expires after which they are among the
// next three and four.
import { DAY_MS, type Instant, later, utcDay, utcInstant } from '../instant.ts';
import { EXPIRY_HOUR } from '../instrument-names.ts';

export const FRIDAY = 5;
export const MONTHS_OF_QUARTER = 3;

/** How many are listed of each series of options, besides one that expires within a day. */
export const LISTED_DAYS = 4;
export const LISTED_MONTHS = 3;
export const LISTED_QUARTERS = 4;
export const WEEK_LISTED_FOR_MS = 22 * DAY_MS;

/** The longest series that an expiry belongs to. */
export type Tenor = 'day' | 'week' | 'month' | 'quarter';

/** Shortest first. */
export const TENORS: readonly Tenor[] = ['day', 'week', 'month', 'quarter'];

/** 08:00 UTC on the last Friday of a month; months outside 1 to 12 are those of the years before and after. */
export function lastFriday(year: number, month: number): Instant {
  const lastDay = utcInstant({ year, month: month + 1, day: 0, hour: EXPIRY_HOUR });
  return later(lastDay, -((utcDay(lastDay).weekday - FRIDAY + 7) % 7) * DAY_MS);
}

/** A Friday that ends a month belongs to the monthly series from the day it is first listed. */
export function tenorOf(at: Instant): Tenor {
  const { year, month, weekday } = utcDay(at);
  if (weekday !== FRIDAY) return 'day';
  if (utcDay(lastFriday(year, month)).day !== utcDay(at).day) return 'week';
  return month % MONTHS_OF_QUARTER === 0 ? 'quarter' : 'month';
}

/** When an expiry enters the list as one of this tenor; a quarter end is also one of the next months, Fridays and days. */
export function listedAs(at: Instant, tenor: Tenor): Instant {
  const { year, month } = utcDay(at);
  switch (tenor) {
    case 'day':
      return later(at, -LISTED_DAYS * DAY_MS);
    case 'week':
      return later(at, -WEEK_LISTED_FOR_MS);
    case 'month':
      return later(lastFriday(year, month - LISTED_MONTHS), -DAY_MS);
    case 'quarter':
      return later(lastFriday(year, month - LISTED_QUARTERS * MONTHS_OF_QUARTER), -DAY_MS);
  }
}

/** When options of an expiry were listed first. */
export const listedSince = (at: Instant): Instant => listedAs(at, tenorOf(at));
