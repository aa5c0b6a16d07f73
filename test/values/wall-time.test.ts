import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvariantBroken } from '../../src/values/assert.ts';
import { HOUR_MS, instant, isoText } from '../../src/values/instant.ts';
import {
  firstInstantFrom,
  instantsShowing,
  type WallTime,
  wallTimeAt,
} from '../../src/values/wall-time.ts';

const wall = (local: string): WallTime => Date.parse(`${local}Z`) as WallTime;

describe('the instants of a wall time', () => {
  test.each([
    ['2026-07-01T09:00', 'Europe/London', ['2026-07-01T08:00:00.000Z']],
    ['2026-03-29T01:30', 'Europe/London', []],
    ['2026-10-25T01:30', 'Europe/London', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
    ['2026-10-25T02:00', 'Europe/London', ['2026-10-25T02:00:00.000Z']],
    [
      '2026-04-05T01:40',
      'Australia/Lord_Howe',
      ['2026-04-04T14:40:00.000Z', '2026-04-04T15:10:00.000Z'],
    ],
    ['2011-12-30T12:00', 'Pacific/Apia', []],
  ])('the instants of %s in %s are found', (local, zone, expected) => {
    expect(instantsShowing(wall(local), zone).map(isoText)).toEqual(expected);
  });

  test.each([
    ['2026-03-29T01:00', 'Europe/London', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T01:59', 'Europe/London', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-10-04T02:10', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('the skipped wall time %s in %s resolves to the end of the gap', (local, zone, expected) => {
    expect(isoText(firstInstantFrom(wall(local), zone))).toBe(expected);
  });
});

test('every instant is among the instants of its own wall time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2035, 0, 1) }),
      fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'),
      (ms, zone) => {
        const at = instant(ms);
        const shown = wallTimeAt(at, zone);
        expect(instantsShowing(shown, zone)).toContain(at);
        expect(firstInstantFrom(shown, zone)).toBeLessThanOrEqual(at);
        expect(at - firstInstantFrom(shown, zone)).toBeLessThanOrEqual(HOUR_MS);
      },
    ),
  );
});

test('an invalid zone name is a broken invariant', () => {
  expect(() => wallTimeAt(instant(0), 'London')).toThrow(InvariantBroken);
});
