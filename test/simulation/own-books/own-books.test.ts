// The referee's own arithmetic against values calculated manually, and against an independent
// formula.
import { describe, expect, test } from 'vitest';
import { blackPrice } from '../../../src/quant/black-76.ts';
import { blackGreeks } from '../../../src/quant/greeks.ts';
import { courseOf } from './course.ts';
import { optionUsd, volatilityAt } from './option-value.ts';
import { dueMinutes } from './own-cron.ts';
import { ownGreeks } from './own-greeks.ts';
import { clockSlice, hedgeLots, orderablePart } from './sizes.ts';

const PLAIN = { startAt: 0, frequencyMs: 1_000, phase: 0, aim: undefined } as const;

describe('the own account of the simulation referee', () => {
  test('plans ten lots over four seconds as 3, 2, 3 and 2', () => {
    const terms = { ...PLAIN, durationMs: 4_000, randomSize: 0, randomTime: 0, lots: 10, least: 1 };
    const course = courseOf(terms);
    const targets = [-1, 0, 1, 2, 3].map((slice) => course.target(slice).low);
    expect([course.slices, targets]).toEqual([4, [0, 3, 5, 8, 10]]);
  });

  test('catches up by a share of the shortfall, within the cap', () => {
    const of = { total: 40, least: 1, planned: 10, left: 3, maxCatchUp: 3, isFront: false };
    expect(clockSlice({ ...of, committed: 10, before: 10 })).toBe(10);
    expect(clockSlice({ ...of, committed: 0, before: 10 })).toBe(14);
    expect(clockSlice({ ...of, committed: 0, before: 10, isFront: true })).toBe(20);
    expect(clockSlice({ ...of, committed: 0, before: 10, maxCatchUp: 1 })).toBe(10);
  });

  test('lets a hedge follow the least filled leg', () => {
    const others = [
      { filled: 5, total: 10 },
      { filled: 3, total: 10 },
    ];
    expect(hedgeLots(7, others)).toBe(2);
  });

  test('orders no part that would leave less than the minimum order', () => {
    expect([orderablePart(4, 5, 2), orderablePart(3, 5, 2), orderablePart(1, 5, 2)]).toEqual([
      3, 3, 0,
    ]);
  });

  test.each([
    [true, 100_000],
    [true, 140_000],
    [false, 100_000],
    [false, 80_000],
  ])('values an option as the engine does (call %s, strike %s)', (isCall, strike) => {
    const of = { isCall, forward: 101_000, strike, years: 0.1 };
    const type = isCall ? 'call' : 'put';
    const usd = optionUsd(of, 0.6);
    expect(usd).toBeCloseTo(blackPrice({ ...of, type }, 0.6), 6);
    expect(volatilityAt(of, usd)).toBeCloseTo(0.6, 9);
  });

  test.each([true, false])(
    'has the greeks of an option as the engine has them (call %s)',
    (isCall) => {
      const of = { isCall, forward: 101_000, strike: 100_000, years: 0.1 };
      const meant = blackGreeks({ ...of, type: isCall ? 'call' : 'put' }, 0.4);
      const { delta, vega } = ownGreeks(of, 0.4);
      expect(delta).toBeCloseTo(meant.delta, 6);
      expect(vega).toBeCloseTo(meant.vega, 4);
    },
  );

  test.each([
    // Back from 3:00 to 2:00 at 01:00 UTC: a fixed time comes at its first showing, each hour at both.
    ['30 2 * * *', '2026-10-25', ['00:30']],
    ['30 */1 25 10 *', '2026-10-25', ['22:30', '23:30', '00:30', '01:30', '02:30', '03:30']],
    // Forward from 2:00 to 3:00 at 01:00 UTC: a time in the gap comes at once after it, once.
    ['15,45 2 * * SUN', '2026-03-29', ['01:00']],
    ['0 * 29 3 *', '2026-03-29', ['23:00', '00:00', '01:00', '02:00', '03:00']],
    // Of the two fields that name days one is enough; neither the first of the month nor a Monday.
    ['0 3 1 * 1', '2026-03-29', []],
  ])('finds when "%s" is due around midnight UTC of %s in Berlin', (cron, date, times) => {
    const midnight = Date.parse(`${date}T00:00Z`);
    const due = dueMinutes(
      { cron, zone: 'Europe/Berlin' },
      midnight - 7_200_000,
      midnight + 12_600_000,
    );
    expect(due.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(times);
  });
});
