// When a cron schedule is due, found by going through every minute of a stretch of time and reading the clocks of its
// zone: a second answer for the judge, which shares nothing with the one that strategies go by.

export interface CronTerms {
  readonly cron: string;
  readonly zone: string;
}

interface Minute {
  readonly at: number;
  /** What the clocks of the zone show then, as if it were UTC. */
  readonly wall: number;
}

const MINUTE_MS = 60_000;
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * The due instants in [from, to]. A fixed local time comes once a day: one that the clocks skip comes with the first
 * minute after the gap, one that they show twice with the first showing. With `*` hours every showing counts.
 */
export function dueMinutes({ cron, zone }: CronTerms, from: number, to: number): readonly number[] {
  const minutes = minutesOf(zone, from, to);
  const matches = matcherOf(cron);
  const due = new Set<number>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at, wall } of minutes) {
    if (followsHours(cron)) {
      if (matches(wall)) due.add(at);
      continue;
    }
    // All local minutes that are reached by now and were not before, those in a gap included.
    const first = latest === Number.NEGATIVE_INFINITY ? wall : latest + MINUTE_MS;
    for (let shown = first; shown <= wall; shown += MINUTE_MS) if (matches(shown)) due.add(at);
    latest = Math.max(latest, wall);
  }
  return [...due];
}

const followsHours = (cron: string): boolean => cron.split(' ')[1]?.startsWith('*') === true;

function minutesOf(zone: string, from: number, to: number): readonly Minute[] {
  const first = Math.ceil(from / MINUTE_MS) * MINUTE_MS;
  const minutes: Minute[] = [];
  for (let at = first; at <= to; at += MINUTE_MS) minutes.push({ at, wall: wallOf(zone, at) });
  return minutes;
}

function wallOf(zone: string, at: number): number {
  const clock = clocks.get(zone) ?? newClock(zone);
  // As "2026-10-25, 02:30", which differs from ISO 8601 in the separator alone.
  return Date.parse(`${clock.format(at).replace(', ', 'T')}Z`);
}

function newClock(zone: string): Intl.DateTimeFormat {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  clocks.set(zone, clock);
  return clock;
}

/** Whether a local minute has all five fields; of the two that name days one is enough where both are given. */
function matcherOf(cron: string): (wall: number) => boolean {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.split(' ');
  const isEither = day !== '*' && weekday !== '*';
  return (wall) => {
    const shown = new Date(wall);
    const isDay = has(day, shown.getUTCDate(), 31);
    const isWeekday = has(named(weekday), shown.getUTCDay(), 6);
    return (
      has(minute, shown.getUTCMinutes(), 59) &&
      has(hour, shown.getUTCHours(), 23) &&
      has(month, shown.getUTCMonth() + 1, 12) &&
      (isEither ? isDay || isWeekday : isDay && isWeekday)
    );
  };
}

const named = (field: string): string => {
  const day = DAYS.indexOf(field);
  return day < 0 ? field : String(day);
};

/** Lists, ranges and steps. */
function has(field: string, value: number, most: number): boolean {
  return field.split(',').some((part) => {
    const [range = '*', step = '1'] = part.split('/');
    const [low = '0', high = low] = range === '*' ? ['0', String(most)] : range.split('-');
    const isIn = value >= Number(low) && value <= Number(high);
    return isIn && (value - Number(low)) % Number(step) === 0;
  });
}
