// The expiries the venue lists at an instant: the next days, Fridays, month ends and quarter ends. Each has options and, since
// August 2026, a dated future for them to settle into.
//
// Source: 319 recorded chains of Deribit, 30 December 2025 to 21 March 2026. On the eve of an expiry there is one more of its
// series. Futures: 85 chains of August 2026, in which only the newest daily expiry has none in its first hours. The announcement
// says that both are listed at once, and so they are here.

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

function fridays(now: Instant): readonly Instant[] {
  const tomorrow = nextDailyUtc(now, EXPIRY_HOUR);
  const toFriday = (FRIDAY - utcDay(tomorrow).weekday + 7) % 7;
  return spaced(later(tomorrow, toFriday * DAY_MS), WEEK_MS, FRIDAYS_MAX);
}

/** Every expiry listed at `now`, nearest first. */
export function listedExpiries(now: Instant): readonly Expiry[] {
  const tomorrow = nextDailyUtc(now, EXPIRY_HOUR);
  const weeksUntil = later(tomorrow, WEEK_LISTED_FOR_MS - DAY_MS);
  const expiries = [
    ...spaced(tomorrow, DAY_MS, LISTED_DAYS),
    ...fridays(now).filter((at) => at <= weeksUntil),
    ...monthEnds(tomorrow, { count: LISTED_MONTHS, stride: 1 }),
    ...monthEnds(tomorrow, { count: LISTED_QUARTERS, stride: MONTHS_OF_QUARTER }),
  ];
  return inOrder(expiries).map((at) => ({ at, tenor: tenorOf(at) }));
}

const inOrder = (expiries: readonly Instant[]): readonly Instant[] =>
  [...new Set(expiries)].sort((a, b) => a - b);
