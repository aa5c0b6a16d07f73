import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChannelRules, dueNotices } from '../../../src/core/notify/due-notices.ts';
import { HAPPENING_KINDS, type Happening } from '../../../src/core/notify/happening.ts';
import { HOUR_MS, instant, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { happened } from '../../conformance/notify/notices.ts';

const RULES: ChannelRules = {
  happenings: HAPPENING_KINDS,
  urgent: ['breach'],
  digestMs: 30_000,
  perMinuteMax: 2,
  quietHours: [{ window: { fromMs: 22 * HOUR_MS, toMs: 7 * HOUR_MS }, zone: 'Europe/Zurich' }],
};
/** 15:00 in Zurich. */
const DAY = instant(Date.UTC(2026, 10, 24, 14));
/** 23:30 in Zurich. */
const NIGHT = instant(Date.UTC(2026, 10, 24, 22, 30));

const waiting = (...happenings: Happening[]) =>
  happenings.map((happening, index) => ({ number: index + 1, happening }));
const keys = (due: ReturnType<typeof dueNotices>): string[] =>
  due.map(({ happening }) => happening.key);

test('what is not urgent waits for company, and then all of it is sent together', () => {
  const two = waiting(happened('a', { at: DAY }), happened('b', { at: later(DAY, 20_000) }));
  const at = (ms: number) => dueNotices(two, { rules: RULES, now: later(DAY, ms), sentAt: [] });
  expect(keys(at(29_999))).toEqual([]);
  expect(keys(at(30_000))).toEqual(['a', 'b']);
});

test('what is urgent is sent at once, and the rest with it', () => {
  const two = waiting(happened('a', { at: DAY }), happened('b', { at: DAY, kind: 'breach' }));
  expect(keys(dueNotices(two, { rules: RULES, now: DAY, sentAt: [] }))).toEqual(['a', 'b']);
});

test('in quiet hours, by the clocks of the zone, only what is urgent is sent', () => {
  const two = waiting(happened('a', { at: DAY }), happened('b', { at: NIGHT, kind: 'breach' }));
  const at = (now: typeof DAY) => keys(dueNotices(two, { rules: RULES, now, sentAt: [] }));
  expect(at(NIGHT)).toEqual(['b']);
  expect(at(instant(Date.UTC(2026, 10, 25, 5, 59)))).toEqual(['b']);
  expect(at(instant(Date.UTC(2026, 10, 25, 6)))).toEqual(['a', 'b']);
  // In summer 07:00 in Zurich is 05:00 UTC.
  expect(at(instant(Date.UTC(2027, 6, 1, 5)))).toEqual(['a', 'b']);
  expect(at(instant(Date.UTC(2027, 6, 1, 4, 59)))).toEqual(['b']);
});

test('a channel that has said enough within a minute waits, whatever is urgent', () => {
  const one = waiting(happened('a', { at: DAY, kind: 'breach' }));
  const after = (ms: number) =>
    dueNotices(one, { rules: RULES, now: later(DAY, ms), sentAt: [DAY, later(DAY, 10_000)] });
  expect(keys(after(MINUTE_MS - 1))).toEqual([]);
  expect(keys(after(MINUTE_MS))).toEqual(['a']);
});

test('nothing that waits is left behind for ever, and its order is kept', () => {
  const kinds = fc.constantFrom(...HAPPENING_KINDS);
  fc.assert(
    fc.property(fc.array(fc.record({ kind: kinds, ms: fc.nat(100_000) })), (given) => {
      let left = waiting(
        ...given.map(({ kind, ms }, index) =>
          happened(String(index), { kind, at: later(DAY, ms) }),
        ),
      );
      const told: string[] = [];
      for (let now = DAY; now < later(DAY, 24 * HOUR_MS); now = later(now, HOUR_MS)) {
        const due = dueNotices(left, { rules: RULES, now, sentAt: [] });
        told.push(...keys(due));
        left = left.filter((one) => !due.includes(one));
      }
      expect(left).toEqual([]);
      expect(told.toSorted()).toEqual(given.map((_, index) => String(index)).toSorted());
      const inDay = dueNotices(waiting(...given.map((_, i) => happened(`${i}`, { at: DAY }))), {
        rules: RULES,
        now: later(DAY, MINUTE_MS),
        sentAt: [],
      });
      expect(keys(inDay)).toEqual(given.map((_, index) => String(index)));
    }),
  );
});
