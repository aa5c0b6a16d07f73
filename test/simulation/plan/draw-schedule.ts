// Draws a cron schedule of a strategy around an instant at which the clocks of its zone change.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import type { SchedulePlan } from './plan.ts';

const MINUTE_MS = 60_000;

/** Zones and instants at which their clocks change, if they do: forward, back, by half an hour, at midnight. */
const CHANGES: readonly (readonly [zone: string, at: string])[] = [
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['Asia/Kolkata', '2026-06-30T18:30:00Z'],
];

/** So many minutes of the schedule go by in a second of the run. */
const MINUTES_PER_SECOND = 10;

export function drawSchedule(draw: Rng, stormMs: number): SchedulePlan {
  const [zone, changesAt] = pick(draw, CHANGES);
  const changeAt = Date.parse(changesAt);
  const speed = MINUTES_PER_SECOND * 60;
  const aheadMs = draw.below(stormMs) * speed;
  return {
    zone,
    beginsAt: changeAt - aheadMs,
    speed,
    graceSec: 60 * pick(draw, [0, 5, 20, 60]),
    crons: Array.from({ length: 1 + draw.below(2) }, () => drawCron(draw, { zone, changeAt })),
  };
}

interface Change {
  readonly zone: string;
  readonly changeAt: number;
}

/** Near the local time at which the clocks change, and not so often that a run has nothing else to do. */
function drawCron(draw: Rng, { zone, changeAt }: Change): string {
  const before = localOf(zone, changeAt - MINUTE_MS);
  const hours = [-1, 0, 0, 1, 1, 2].map((by) => (before.hour + by + 24) % 24);
  const isEachHour = chance(draw, 0.3);
  const hour = isEachHour ? pick(draw, ['*', '*/2']) : String(pick(draw, hours));
  const minute = isEachHour
    ? pick(draw, ['0', '30', '45'])
    : pick(draw, ['0', '30', '59', '15,45', '*/20', '5-50/15']);
  const days = pick(draw, [
    '* * *',
    '* * *',
    `${before.day} ${before.month} *`,
    '* * SUN',
    '1 * 0',
  ]);
  return `${minute} ${hour} ${days}`;
}

interface Local {
  readonly day: number;
  readonly month: number;
  readonly hour: number;
}

const locals = new Map<string, Local>();

function localOf(zone: string, at: number): Local {
  const known = locals.get(`${zone} ${at}`);
  if (known !== undefined) return known;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    day: 'numeric',
    month: 'numeric',
    hour: 'numeric',
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = { day: part('day'), month: part('month'), hour: part('hour') };
  locals.set(`${zone} ${at}`, local);
  return local;
}
