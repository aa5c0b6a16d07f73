import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, INSTANT_MAX, instant, utcDay, utcInstant } from '../../src/values/instant.ts';

describe('utcDay', () => {
  it('utcDay returns the day that contains an instant', () => {
    expect(utcDay(instant(Date.UTC(2026, 10, 20, 23, 59)))).toEqual({
      year: 2026,
      month: 11,
      day: 20,
      weekday: 5,
    });
  });

  it('utcDay and utcInstant are inverse to each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: INSTANT_MAX - 1 }), (at) => {
        const { year, month, day } = utcDay(instant(at));
        expect(utcInstant({ year, month, day, hour: 0 })).toBe(Math.floor(at / DAY_MS) * DAY_MS);
      }),
    );
  });

  it('utcInstant carries days and months beyond their range over', () => {
    expect(utcDay(utcInstant({ year: 2026, month: 14, day: 0, hour: 8 }))).toMatchObject({
      year: 2027,
      month: 1,
      day: 31,
    });
  });
});
