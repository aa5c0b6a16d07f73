// The expiries the venue lists at an instant: the next days, Fridays, month ends and quarter ends, all at
// 08:00 UTC; the end of a month is its last Friday.
import {
  DAY_MS,
  type Instant,
  later,
  nextDailyUtc,
  utcDay,
  utcInstant,
} from '../../../values/instant.ts';
import { EXPIRY_HOUR } from './naming.ts';

/** The longest series that an expiry belongs to. */
export type Tenor = 'day' | 'week' | 'month' | 'quarter';

export interface Expiry {
  readonly at: Instant;
  readonly tenor: Tenor;
}

export interface Series {
  /** How many expiries of the series are listed. */
  readonly count: number;
  /** The earliest listing of an expiry, as time before the expiry. */
  readonly listedForMs: number;
}

/** Shortest first. */
export const TENORS: readonly Tenor[] = ['day', 'week', 'month', 'quarter'];

export const SERIES: Readonly<Record<Tenor, Series>> = {
  day: { count: 3, listedForMs: 3 * DAY_MS },
  week: { count: 3, listedForMs: 21 * DAY_MS },
  month: { count: 3, listedForMs: 14 * 7 * DAY_MS },
  quarter: { count: 3, listedForMs: 42 * 7 * DAY_MS },
};
const FRIDAY = 5;
const WEEK_MS = 7 * DAY_MS;

function lastFriday(year: number, month: number): Instant {
  const lastDay = utcInstant({ year, month: month + 1, day: 0, hour: EXPIRY_HOUR });
  return later(lastDay, -((utcDay(lastDay).weekday - FRIDAY + 7) % 7) * DAY_MS);
}

/** The next `count` last Fridays of every `stride`-th month, strictly after `now`. */
function monthEnds(now: Instant, series: { count: number; stride: number }): readonly Instant[] {
  const { year, month } = utcDay(now);
  const found: Instant[] = [];
  for (let ahead = 0; found.length < series.count; ahead += 1) {
    if ((month + ahead) % series.stride !== 0) continue;
    const at = lastFriday(year, month + ahead);
    if (at > now) found.push(at);
  }
  return found;
}

function spaced(first: Instant, gapMs: number, count: number): readonly Instant[] {
  return Array.from({ length: count }, (_, number) => later(first, number * gapMs));
}

/** Every option expiry listed at `now`, nearest first. */
export function optionExpiries(now: Instant): readonly Expiry[] {
  const tomorrow = nextDailyUtc(now, EXPIRY_HOUR);
  const toFriday = (FRIDAY - utcDay(tomorrow).weekday + 7) % 7;
  const dates: Readonly<Record<Tenor, readonly Instant[]>> = {
    day: spaced(tomorrow, DAY_MS, SERIES.day.count),
    week: spaced(later(tomorrow, toFriday * DAY_MS), WEEK_MS, SERIES.week.count),
    month: monthEnds(now, { count: SERIES.month.count, stride: 1 }),
    quarter: monthEnds(now, { count: SERIES.quarter.count, stride: 3 }),
  };
  const tenors = new Map<Instant, Tenor>();
  for (const tenor of TENORS) {
    for (const at of dates[tenor]) tenors.set(at, longestTenor(at, tenor));
  }
  return [...tenors].map(([at, tenor]) => ({ at, tenor })).sort((a, b) => a.at - b.at);
}

/** A Friday that ends a month belongs to the monthly series from the day it is first listed. */
function longestTenor(at: Instant, listedAs: Tenor): Tenor {
  const { year, month, weekday } = utcDay(at);
  if (at === lastFriday(year, month)) return month % 3 === 0 ? 'quarter' : 'month';
  return weekday === FRIDAY ? 'week' : listedAs;
}

/** When an expiry was listed first, at the earliest. */
export const listedSince = (at: Instant): Instant =>
  later(at, -SERIES[longestTenor(at, 'day')].listedForMs);

/** The two dated futures: the next month end, and the quarter end after it. */
export function futureExpiries(now: Instant): readonly [Instant, Instant] {
  const [month = now] = monthEnds(now, { count: 1, stride: 1 });
  const [quarter = now] = monthEnds(month, { count: 1, stride: 3 });
  return [month, quarter];
}
