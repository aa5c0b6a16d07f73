// The expiries the venue lists at an instant: the next days, Fridays, month ends and quarter ends, and the dated futures.
//
// Source: 319 recorded chains of Deribit, 30 December 2025 to 21 March 2026. On the eve of an expiry there is one more of its
// series. Dated futures roll at the expiry itself: the next two Fridays, two month ends and four quarters.

import {
  FRIDAY,
  LISTED_DAYS,
  LISTED_MONTHS,
  LISTED_QUARTERS,
  lastFriday,
  MONTHS_OF_QUARTER,
  type Tenor,
  tenorOf,
  WEEK_LISTED_FOR_MS,
} from '../../../values/expiry/expiry-calendar.ts';
import { DAY_MS, type Instant, later, nextDailyUtc, utcDay } from '../../../values/instant.ts';
import { EXPIRY_HOUR } from '../../../values/instrument-names.ts';

export interface Expiry {
  readonly at: Instant;
  readonly tenor: Tenor;
}

const WEEK_MS = 7 * DAY_MS;
/** No more Fridays are ever listed at once. */
const FRIDAYS_MAX = 4;
/** How many dated futures there are of each series; one may belong to several. */
const FUTURE_WEEKS = 2;
const FUTURE_MONTHS = 2;
const FUTURE_QUARTERS = 4;

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

const spaced = (first: Instant, gapMs: number, count: number): readonly Instant[] =>
  Array.from({ length: count }, (_, number) => later(first, number * gapMs));

function fridays(now: Instant, count: number): readonly Instant[] {
  const tomorrow = nextDailyUtc(now, EXPIRY_HOUR);
  const toFriday = (FRIDAY - utcDay(tomorrow).weekday + 7) % 7;
  return spaced(later(tomorrow, toFriday * DAY_MS), WEEK_MS, count);
}

/** Every option expiry listed at `now`, nearest first. */
export function optionExpiries(now: Instant): readonly Expiry[] {
  const tomorrow = nextDailyUtc(now, EXPIRY_HOUR);
  const weeksUntil = later(tomorrow, WEEK_LISTED_FOR_MS - DAY_MS);
  const expiries = [
    ...spaced(tomorrow, DAY_MS, LISTED_DAYS),
    ...fridays(now, FRIDAYS_MAX).filter((at) => at <= weeksUntil),
    ...monthEnds(tomorrow, { count: LISTED_MONTHS, stride: 1 }),
    ...monthEnds(tomorrow, { count: LISTED_QUARTERS, stride: MONTHS_OF_QUARTER }),
  ];
  return inOrder(expiries).map((at) => ({ at, tenor: tenorOf(at) }));
}

/** Every dated future listed at `now`, nearest first. */
export const futureExpiries = (now: Instant): readonly Instant[] =>
  inOrder([
    ...fridays(now, FUTURE_WEEKS),
    ...monthEnds(now, { count: FUTURE_MONTHS, stride: 1 }),
    ...monthEnds(now, { count: FUTURE_QUARTERS, stride: MONTHS_OF_QUARTER }),
  ]);

const inOrder = (expiries: readonly Instant[]): readonly Instant[] =>
  [...new Set(expiries)].sort((a, b) => a - b);
