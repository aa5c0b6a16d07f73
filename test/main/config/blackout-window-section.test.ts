import { describe, expect, test } from 'vitest';
import { isBlackout, nextBlackoutEdge } from '../../../src/core/terms/blackout-windows.ts';
import {
  parseWindow,
  quietWindows,
} from '../../../src/main/config/sections/blackout-window-section.ts';
import { must } from '../../../src/values/assert.ts';
import { instant, later } from '../../../src/values/instant.ts';

const MIDNIGHT = instant(Date.UTC(2026, 10, 20));
const at = (hours: number, minutes = 0, seconds = 0) =>
  later(MIDNIGHT, ((hours * 60 + minutes) * 60 + seconds) * 1_000);
const windows = (...texts: string[]) => texts.map((text) => must(parseWindow(text), text));

describe('daily windows', () => {
  test('a daily window contains its start but not its end, on every day', () => {
    const settlement = windows('07:59:30-08:01');
    expect(isBlackout(settlement, at(7, 59, 29))).toBe(false);
    expect(isBlackout(settlement, at(7, 59, 30))).toBe(true);
    expect(isBlackout(settlement, at(8, 0, 59))).toBe(true);
    expect(isBlackout(settlement, at(8, 1))).toBe(false);
    expect(isBlackout(settlement, at(24 + 8))).toBe(true);
    expect(nextBlackoutEdge(settlement, at(7))).toBe(at(7, 59, 30));
    expect(nextBlackoutEdge(settlement, at(7, 59, 30))).toBe(at(8, 1));
    expect(nextBlackoutEdge(settlement, at(8, 1))).toBe(at(24 + 7, 59, 30));
  });

  test('a daily window may span midnight', () => {
    const night = windows('23:30-00:15');
    expect(
      [at(23, 29), at(23, 30), at(24), at(24, 14), at(24, 15)].map((t) => isBlackout(night, t)),
    ).toEqual([false, true, true, true, false]);
    expect(nextBlackoutEdge(night, at(23, 45))).toBe(at(24, 15));
  });

  test('a daily window with an offset is the same window in UTC, also across midnight', () => {
    expect(parseWindow('08:59:30-09:01:00+01:00')).toEqual(parseWindow('07:59:30-08:01'));
    expect(parseWindow('07:59:30-08:01:00Z')).toEqual(parseWindow('07:59:30-08:01'));
    expect(parseWindow('19:30-20:15-05:00')).toEqual(parseWindow('00:30-01:15'));
    expect(parseWindow('00:30-01:15+02:00')).toEqual(parseWindow('22:30-23:15'));
    expect(parseWindow('00:30-01:15+15:00')).toBeUndefined();
  });

  test('without windows nothing is blacked out and no edge follows', () => {
    expect(isBlackout(undefined, at(8))).toBe(false);
    expect(nextBlackoutEdge(undefined, at(8))).toBeUndefined();
    expect(nextBlackoutEdge([], at(8))).toBeUndefined();
  });

  test.each(['', '8:00-9:00', '08:00-08:00', '24:00-01:00', '08:00', '08:00:60-09:00'])(
    'the window "%s" is refused',
    (text) => {
      expect(parseWindow(text)).toBeUndefined();
      expect(quietWindows.safeParse([text]).success).toBe(false);
    },
  );
});
