import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cronFault,
  nextDue,
  parseLocalTime,
  type Schedule,
} from '../../../src/main/strategy/strategy-schedule.ts';
import { must } from '../../../src/values/assert.ts';
import { DAY_MS, type Instant, instant, isoText } from '../../../src/values/instant.ts';
import { wallTimeAt } from '../../../src/values/wall-time.ts';

const at = (iso: string): Instant => instant(Date.parse(iso));
const london = (cron: string): Schedule => ({ kind: 'cron', cron, zone: 'Europe/London' });

function dues(schedule: Schedule, after: string, count: number): readonly string[] {
  const found: string[] = [];
  let from = at(after);
  while (found.length < count) {
    const due = nextDue(schedule, from);
    if (due === undefined) break;
    found.push(isoText(due).replace('.000Z', 'Z'));
    from = due;
  }
  return found;
}

describe('a fixed local time around the changes of the London clocks', () => {
  test.each([
    {
      what: 'a fixed time keeps its wall-clock time when summer begins',
      cron: '0 16 * * 1-5',
      after: '2026-03-27T12:00:00Z',
      expected: ['2026-03-27T16:00:00Z', '2026-03-30T15:00:00Z', '2026-03-31T15:00:00Z'],
    },
    {
      what: 'a fixed time skipped by the clocks fires at the first instant after the gap',
      cron: '30 1 * * *',
      after: '2026-03-28T00:00:00Z',
      expected: ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    },
    {
      what: 'a fixed time shown twice by the clocks fires once, the first time',
      cron: '30 1 * * *',
      after: '2026-10-24T12:00:00Z',
      expected: ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    },
    {
      what: 'a fixed time keeps its wall-clock time when winter begins',
      cron: '0 16 * * *',
      after: '2026-10-24T12:00:00Z',
      expected: ['2026-10-24T15:00:00Z', '2026-10-25T16:00:00Z'],
    },
    {
      what: 'several fixed times inside one gap fire once',
      cron: '0,20,40 1 29 3 *',
      after: '2026-03-29T00:00:00Z',
      expected: ['2026-03-29T01:00:00Z', '2027-03-29T00:00:00Z'],
    },
  ])('$what', ({ cron, after, expected }) => {
    expect(dues(london(cron), after, expected.length)).toEqual(expected);
  });

  test.each([' */20 * * * *', '*/20   *\t* * *  ', '\n*/20 * * * *'])(
    'blanks around the fields of a schedule mean nothing in the repeated hour: %j',
    (cron) => {
      // The clocks show 01:00 to 02:00 twice: once in summer time, from 00:00 UTC, and once after.
      expect(dues(london(cron), '2026-10-25T00:30:00Z', 5)).toEqual([
        '2026-10-25T00:40:00Z',
        '2026-10-25T01:00:00Z',
        '2026-10-25T01:20:00Z',
        '2026-10-25T01:40:00Z',
        '2026-10-25T02:00:00Z',
      ]);
    },
  );

  test('an every-n-minutes schedule follows elapsed time through the repeated hour', () => {
    expect(dues(london('*/30 * * * *'), '2026-10-25T00:15:00Z', 4)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T02:00:00Z',
    ]);
  });

  test('an every-n-minutes schedule steps over the skipped hour', () => {
    expect(dues(london('*/30 * * * *'), '2026-03-29T00:15:00Z', 3)).toEqual([
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-29T01:30:00Z',
    ]);
  });

  test('in the repeated hour a second occurrence is found after the first has passed', () => {
    expect(dues(london('0,10,50 * * * *'), '2026-10-25T00:15:00Z', 3)).toEqual([
      '2026-10-25T00:50:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T01:10:00Z',
    ]);
  });
});

describe('the changes by half an hour of Lord Howe', () => {
  const lordHowe = (cron: string): Schedule => ({
    kind: 'cron',
    cron,
    zone: 'Australia/Lord_Howe',
  });

  test.each([
    {
      what: 'a fixed time in the half hour shown twice fires the first time',
      cron: '45 1 * * *',
      after: '2026-04-04T10:00:00Z',
      expected: ['2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
    },
    {
      what: 'a fixed time at the end of the half hour shown twice fires when clocks show it',
      cron: '0 2 * * *',
      after: '2026-04-04T10:00:00Z',
      expected: ['2026-04-04T15:30:00Z', '2026-04-05T15:30:00Z'],
    },
    {
      what: 'a fixed time in the skipped half hour fires at its end',
      cron: '15 2 * * *',
      after: '2026-10-03T10:00:00Z',
      expected: ['2026-10-03T15:30:00Z', '2026-10-04T15:15:00Z'],
    },
    {
      what: 'a schedule for each hour fires 90 minutes apart where the full hour is not shown twice',
      cron: '0 * * * *',
      after: '2026-04-04T13:30:00Z',
      expected: ['2026-04-04T14:00:00Z', '2026-04-04T15:30:00Z', '2026-04-04T16:30:00Z'],
    },
    {
      what: 'a schedule for each hour fires 30 minutes apart where its minute is shown twice',
      cron: '45 * * * *',
      after: '2026-04-04T14:00:00Z',
      expected: ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z', '2026-04-04T16:15:00Z'],
    },
    {
      what: 'a schedule for each hour does not make up for a full hour that is skipped',
      cron: '0 * * * *',
      after: '2026-10-03T14:00:00Z',
      expected: ['2026-10-03T14:30:00Z', '2026-10-03T16:00:00Z'],
    },
  ])('$what', ({ cron, after, expected }) => {
    expect(dues(lordHowe(cron), after, expected.length)).toEqual(expected);
  });
});

describe('a single local time', () => {
  const once = (local: string, zone = 'Europe/London'): Schedule => ({
    kind: 'once',
    wall: must(parseLocalTime(local), local),
    zone,
  });

  test.each([
    ['2026-12-01T09:00', 'Europe/London', '2026-12-01T09:00:00Z'],
    ['2026-07-01T09:00', 'Europe/London', '2026-07-01T08:00:00Z'],
    ['2026-03-29T01:30', 'Europe/London', '2026-03-29T01:00:00Z'],
    ['2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00Z'],
    ['2026-07-01T09:00:30', 'Asia/Kolkata', '2026-07-01T03:30:30Z'],
  ])('the local time %s in %s is %s', (local, zone, expected) => {
    expect(dues(once(local, zone), '2026-01-01T00:00:00Z', 2)).toEqual([expected]);
  });

  test('a single local time is never due again once it has passed', () => {
    expect(nextDue(once('2026-12-01T09:00'), at('2026-12-01T09:00:00Z'))).toBeUndefined();
  });

  test.each(['2026-12-01', '2026-12-01T09:00Z', '2026-13-01T09:00', '2026-02-30T09:00', 'noon'])(
    '%s is not a local time',
    (text) => {
      expect(parseLocalTime(text)).toBeUndefined();
    },
  );
});

test('a start schedule has no due instants of its own', () => {
  expect(nextDue({ kind: 'start' }, at('2026-01-01T00:00:00Z'))).toBeUndefined();
});

describe('cron fields', () => {
  test.each(['0 16 * * 1-5', '*/5 * * * *', '0 9 1 JAN,jul MON', '59 23 31 12 0'])(
    'the cron fields %s are accepted',
    (cron) => {
      expect(cronFault(cron)).toBeUndefined();
    },
  );

  test.each([
    ['* * * *', '4 fields'],
    ['0 0 16 * * 1', '6 fields'],
    ['0 16 * * 1-8', 'range'],
    ['61 16 * * 1', 'range'],
    ['0 0 31 2 *', 'cannot be read'],
    ['H 0 * * *', '"H"'],
    ['0 0 ? * *', '"?"'],
    ['@daily', '1 fields'],
  ])('the cron fields %s are refused: %s', (cron, why) => {
    expect(cronFault(cron)).toContain(why);
    expect(cronFault(cron)).toContain('accepted: minute hour');
  });
});

describe('properties for any zone and instant', () => {
  const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'];
  const anyInstant = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    .map((ms) => instant(ms));
  const fixedTime = fc.record({
    minute: fc.integer({ min: 0, max: 59 }),
    hour: fc.integer({ min: 0, max: 23 }),
  });

  test('a daily time is due within two days, strictly later, and at its local time unless skipped', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fixedTime,
        fc.constantFrom(...zones),
        (after, { minute, hour }, zone) => {
          const due = must(
            nextDue({ kind: 'cron', cron: `${minute} ${hour} * * *`, zone }, after),
            'due',
          );
          expect(due).toBeGreaterThan(after);
          expect(due - after).toBeLessThanOrEqual(2 * DAY_MS);
          const shown = wallTimeAt(due, zone) % DAY_MS;
          const behind = shown - (hour * 60 + minute) * 60_000;
          expect(behind).toBeGreaterThanOrEqual(0);
          expect(behind).toBeLessThanOrEqual(3_600_000);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('the same due instant is found from any earlier instant', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.constantFrom('30 1 * * *', '*/20 * * * *', '0 16 * * 1-5', '15,45 */2 * * *'),
        fc.constantFrom(...zones),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (after, cron, zone, share) => {
          const schedule: Schedule = { kind: 'cron', cron, zone };
          const due = must(nextDue(schedule, after), 'due');
          const between = instant(Math.floor(after + (due - after - 1) * share));
          expect(nextDue(schedule, between)).toBe(due);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('holidays', () => {
  const schedule = (cron: string, zone: string, ...days: string[]): Schedule => ({
    kind: 'cron',
    cron,
    zone,
    holidays: new Set(days),
  });

  test('a holiday is skipped, and the next working day is due', () => {
    const working = schedule('0 16 * * 1-5', 'Europe/London', '2026-12-25', '2026-12-28');
    expect(dues(working, '2026-12-24T12:00:00Z', 3)).toEqual([
      '2026-12-24T16:00:00Z',
      '2026-12-29T16:00:00Z',
      '2026-12-30T16:00:00Z',
    ]);
  });

  test("holidays are days of the schedule's zone, not of UTC", () => {
    const tokyo = schedule('0 8 * * *', 'Asia/Tokyo', '2027-01-01');
    expect(dues(tokyo, '2026-12-30T12:00:00Z', 3)).toEqual([
      '2026-12-30T23:00:00Z',
      '2027-01-01T23:00:00Z',
      '2027-01-02T23:00:00Z',
    ]);
  });

  test('a holiday on the day of a clock change hides exactly that day', () => {
    const gap = schedule('30 1 * * *', 'Europe/London', '2026-03-29');
    expect(dues(gap, '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T01:30:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    const twice = schedule('30 * * * *', 'Europe/London', '2026-10-25');
    expect(dues(twice, '2026-10-24T22:00:00Z', 2)).toEqual([
      '2026-10-24T22:30:00Z',
      '2026-10-26T00:30:00Z',
    ]);
  });

  test('a day that is a holiday every year is due only after the last listed year', () => {
    const never = Array.from({ length: 60 }, (_, n) => `${2026 + n}-12-25`);
    const due = nextDue(schedule('0 9 25 12 *', 'Etc/UTC', ...never), at('2026-01-01T00:00:00Z'));
    expect(due).toBe(at('2086-12-25T09:00:00Z'));
  });

  test('holidays remove exactly their own days from the due instants', () => {
    const hourly = schedule('0 */3 * * *', 'America/New_York', '2026-11-01', '2026-11-03');
    const plain = schedule('0 */3 * * *', 'America/New_York');
    const all = dues(plain, '2026-10-30T00:00:00Z', 60);
    const date = (due: string) =>
      new Date(wallTimeAt(at(due), 'America/New_York')).toISOString().slice(0, 10);
    const working = all.filter((due) => !['2026-11-01', '2026-11-03'].includes(date(due)));
    expect(dues(hourly, '2026-10-30T00:00:00Z', working.length)).toEqual(working);
    expect(working.length).toBeLessThan(all.length);
  });
});
