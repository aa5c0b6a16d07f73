// When a strategy is due: the next due instant after a given one. Pure. A fixed local time occurs once a day
// whatever the clocks do: a time skipped by them fires at the first instant after the gap; a time shown twice
// fires the first time. A schedule with `*` hours fires whenever clocks show a matching minute, as often as they do.

import { CronExpressionParser } from 'cron-parser';
import { parseWrittenTime } from '../../gateway/wire/written-time.ts';
import { DAY_MS, type Instant, later, parseIso } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import {
  firstInstantFrom,
  instantsShowing,
  type WallTime,
  wallTimeAt,
} from '../../values/wall-time.ts';

export type Schedule =
  /** Once at every start of the daemon. */
  | { readonly kind: 'start' }
  /** Once, at a local time. */
  | { readonly kind: 'once'; readonly wall: WallTime; readonly zone: string }
  /** Every local time that matches five cron fields. */
  | CronSchedule;

interface CronSchedule {
  readonly kind: 'cron';
  readonly cron: string;
  readonly zone: string;
  /** Local dates, such as `2026-12-25`, on which it is not due. */
  readonly holidays?: ReadonlySet<string> | undefined;
}

const CRON_FIELD_COUNT = 5;
/** More than clocks are ever set back at once. */
const LOOK_AHEAD_MS = DAY_MS;
const CRON_WORDS =
  /^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)$/i;

/** The first due instant after `after`; `undefined` if there is none (and for `start`). */
export function nextDue(schedule: Schedule, after: Instant): Instant | undefined {
  switch (schedule.kind) {
    case 'start':
      return undefined;
    case 'once': {
      const due = firstInstantFrom(schedule.wall, schedule.zone);
      return due > after ? due : undefined;
    }
    case 'cron':
      return nextCron(schedule, after);
  }
}

function nextCron({ cron, zone, holidays }: CronSchedule, after: Instant): Instant | undefined {
  const followsHours = fieldsOf(cron)[1]?.startsWith('*') ?? false;
  const shown = wallTimeAt(after, zone);
  // Shortly before clocks are set back, wall times earlier than the present one are still to come.
  const soon = wallTimeAt(later(after, LOOK_AHEAD_MS), zone) - LOOK_AHEAD_MS;
  let best: Instant | undefined;
  for (const wall of wallTimes(cron, Math.min(shown, soon) - 1)) {
    if (holidays?.has(dateOf(wall))) continue;
    const due = dueInstants(wall, zone, followsHours).find((at) => at > after);
    if (due !== undefined && (best === undefined || due < best)) best = due;
    if (best !== undefined && firstInstantFrom(wall, zone) >= best) break;
  }
  return best;
}

/** The local calendar date. */
const dateOf = (wall: WallTime): string => new Date(wall).toISOString().slice(0, 10);

function dueInstants(wall: WallTime, zone: string, followsHours: boolean): readonly Instant[] {
  if (followsHours) return instantsShowing(wall, zone);
  return [firstInstantFrom(wall, zone)];
}

/** Wall times after `from` that match. They are computed in UTC, which has no clock changes. */
function* wallTimes(cron: string, from: number): Generator<WallTime> {
  const expression = CronExpressionParser.parse(cron, { currentDate: new Date(from), tz: 'UTC' });
  while (expression.hasNext()) yield expression.next().getTime() as WallTime;
}

/** Blanks around them mean nothing. */
const fieldsOf = (cron: string): readonly string[] => cron.trim().split(/\s+/);

/** Describes what is wrong with five cron fields, or returns `undefined`. */
export function cronFault(cron: string): string | undefined {
  const accepted = 'accepted: minute hour day-of-month month day-of-week, such as "0 16 * * 1-5"';
  const fields = fieldsOf(cron);
  if (fields.length !== CRON_FIELD_COUNT) return `has ${fields.length} fields; ${accepted}`;
  const odd = cron.split(/[\d*,/\-\s]+/).find((word) => word !== '' && !CRON_WORDS.test(word));
  if (odd !== undefined) return `has "${odd}", which is not read; ${accepted}`;
  try {
    const expression = CronExpressionParser.parse(cron, { currentDate: new Date(0), tz: 'UTC' });
    return expression.hasNext() ? undefined : `never comes; ${accepted}`;
  } catch (error) {
    // Unexamined: the library's word about the text, which is the operator's, whatever its type.
    return `cannot be read (${(error as Error).message}); ${accepted}`;
  }
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

const ONCE_ACCEPTED =
  'accepted: start, a local time such as "2026-12-01T09:00" with a zone, or a time with an offset such as "2026-12-01T09:00+01:00"';

export type OnceReading =
  | { readonly kind: 'read'; readonly schedule: Extract<Schedule, { kind: 'once' }> }
  | { readonly kind: 'faulty'; readonly field: 'at' | 'zone'; readonly message: string };

/** Reads a time that is local to `zone`, or that names its instant itself: by an offset, its own zone or as Unix milliseconds. */
export function onceSchedule(at: string, zone: string | undefined): OnceReading {
  const wall = parseLocalTime(at);
  if (wall !== undefined) {
    if (zone !== undefined) return { kind: 'read', schedule: { kind: 'once', wall, zone } };
    return { kind: 'faulty', field: 'zone', message: `is missing; ${ONCE_ACCEPTED}` };
  }
  const time = parseWrittenTime(at);
  if (time.kind === 'faulty') {
    const message = `is ${JSON.stringify(cutText(at, 60))}; ${ONCE_ACCEPTED}`;
    return { kind: 'faulty', field: 'at', message };
  }
  if (zone !== undefined) {
    const message = 'is given, and the time names its instant itself; accepted: one of them';
    return { kind: 'faulty', field: 'zone', message };
  }
  return {
    kind: 'read',
    schedule: { kind: 'once', wall: wallTimeAt(time.at, 'UTC'), zone: 'UTC' },
  };
}

/** Parses `2026-12-01T09:00` or `2026-12-01T09:00:30` as a wall time; `undefined` for anything else. */
export function parseLocalTime(text: string): WallTime | undefined {
  const read = LOCAL_TIME.test(text) ? parseIso(text, 'utc') : undefined;
  return read as WallTime | undefined;
}
