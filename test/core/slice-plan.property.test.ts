import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legPlan, type Schedule } from '../../src/core/schedule/slice-plan.ts';
import {
  isMore,
  isMultiple,
  minus,
  plus,
  proportion,
  quantity,
  steps,
  text,
  ZERO_QUANTITY,
} from '../../src/values/amounts.ts';
import { later } from '../../src/values/instant.ts';
import { NOON, perpetual } from '../support/engine/markets.ts';

const steppings = fc.constantFrom('10', '1', '0.1', '0.0001', '5');

/** A schedule and a leg that can be traded at all. */
const asked = fc
  .record({
    durationSec: fc.integer({ min: 1, max: 90_000 }),
    frequencySec: fc.integer({ min: 1, max: 4_000 }),
    phase: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
    step: steppings,
    minimumLots: fc.integer({ min: 1, max: 30 }),
    lotsAbove: fc.integer({ min: 0, max: 5_000 }),
  })
  .map(({ durationSec, frequencySec, phase, step, minimumLots, lotsAbove }) => {
    const amountStep = quantity(step);
    const schedule: Schedule = {
      startAt: NOON,
      durationMs: durationSec * 1_000,
      frequencyMs: Math.min(frequencySec, durationSec) * 1_000,
      phase,
    };
    const grid = { amountStep, minAmount: steps(amountStep, minimumLots) };
    return { schedule, grid, total: steps(amountStep, minimumLots + lotsAbove) };
  });

const slicesOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('the plan of a leg', () => {
  test('the slices sum exactly to the total, each on the lot grid and at least the minimum', () => {
    fc.assert(
      fc.property(asked, ({ schedule, grid, total }) => {
        const plan = legPlan(schedule, total, grid);
        let sum = ZERO_QUANTITY;
        for (const slice of slicesOf(plan.slices)) {
          const planned = plan.planned(slice);
          expect(isMultiple(planned, grid.amountStep)).toBe(true);
          expect(planned.gte(grid.minAmount)).toBe(true);
          sum = plus(sum, planned);
        }
        expect(text(sum)).toBe(text(total));
      }),
    );
  });

  test('the slices are in order, inside the window and at absolute instants', () => {
    fc.assert(
      fc.property(asked, ({ schedule, grid, total }) => {
        const plan = legPlan(schedule, total, grid);
        const end = later(schedule.startAt, schedule.durationMs);
        for (const slice of slicesOf(plan.slices)) {
          expect(plan.dueAt(slice)).toBeGreaterThanOrEqual(schedule.startAt);
          expect(plan.dueAt(slice)).toBeLessThan(end);
          expect(plan.endsAt(slice)).toBeGreaterThan(plan.dueAt(slice));
          if (slice > 0) expect(plan.endsAt(slice - 1)).toBe(plan.dueAt(slice));
        }
        expect(plan.endsAt(plan.slices - 1)).toBe(end);
      }),
    );
  });

  test('the plan is never more than half a lot off the straight line', () => {
    fc.assert(
      fc.property(asked, ({ schedule, grid, total }) => {
        const plan = legPlan({ ...schedule, phase: 0 }, total, grid);
        for (const slice of slicesOf(plan.slices)) {
          const wanted = Math.ceil(schedule.durationMs / schedule.frequencyMs);
          const elapsed =
            plan.slices === wanted
              ? Math.min((slice + 1) * schedule.frequencyMs, schedule.durationMs)
              : Math.round(((slice + 1) * schedule.durationMs) / plan.slices);
          const line = proportion(total, elapsed, schedule.durationMs);
          const off = minus(plan.targetAfter(slice), line).abs();
          const rounding = total.div(schedule.durationMs);
          expect(off.lte(grid.amountStep.div(2).plus(rounding))).toBe(true);
        }
      }),
    );
  });

  test('the plan has ceil(duration / frequency) slices if lots allow, otherwise fewer', () => {
    fc.assert(
      fc.property(asked, ({ schedule, grid, total }) => {
        const plan = legPlan(schedule, total, grid);
        const wanted = Math.ceil(schedule.durationMs / schedule.frequencyMs);
        expect(plan.slices).toBeLessThanOrEqual(wanted);
        expect(plan.slices).toBeGreaterThan(0);
        if (plan.slices === wanted) return;
        // With one more slice, evenly spread, not every slice would have been tradable.
        const whole = Math.floor(schedule.durationMs / schedule.frequencyMs);
        const each = total.div(plan.slices + 1);
        expect(plan.slices >= whole || isMore(grid.minAmount, each as never)).toBe(true);
      }),
    );
  });

  test('lastDue returns the slice that is due at any instant', () => {
    fc.assert(
      fc.property(asked, fc.double({ min: -0.1, max: 1.2, noNaN: true }), (one, share) => {
        const plan = legPlan(one.schedule, one.total, one.grid);
        const now = later(one.schedule.startAt, Math.round(share * one.schedule.durationMs));
        const due = plan.lastDue(now);
        if (due >= 0) expect(plan.dueAt(due)).toBeLessThanOrEqual(now);
        if (due + 1 < plan.slices) expect(plan.dueAt(due + 1)).toBeGreaterThan(now);
      }),
    );
  });

  test('lastDue returns the last slice after the end, and each slice from the millisecond it is due', () => {
    const schedule = { startAt: NOON, durationMs: 10_000, frequencyMs: 3_333, phase: 0 };
    // Three lots: the interval is not a whole number of milliseconds.
    const plan = legPlan(schedule, steps(quantity('10'), 3), perpetual());
    expect(slicesOf(plan.slices).map((slice) => plan.dueAt(slice) - NOON)).toEqual([
      0, 3_333, 6_666,
    ]);
    for (const slice of slicesOf(plan.slices)) {
      expect(plan.lastDue(plan.dueAt(slice))).toBe(slice);
      expect(plan.lastDue(later(plan.dueAt(slice), -1))).toBe(slice - 1);
    }
    for (const afterMs of [10_000, 10_001, 3_600_000]) {
      expect(plan.lastDue(later(NOON, afterMs))).toBe(2);
    }
  });

  test('random sizes stay in their bound, tradable and exact in total, and depend only on the seed', () => {
    const draws = fc.record({
      size: fc.double({ min: 0, max: 0.99, noNaN: true }),
      seed: fc.string(),
    });
    fc.assert(
      fc.property(asked, draws, ({ schedule, grid, total }, { size, seed }) => {
        const even = legPlan(schedule, total, grid);
        const drawn = { ...schedule, randomise: { size, time: 0, seed } };
        const [plan, again] = [legPlan(drawn, total, grid), legPlan(drawn, total, grid)];
        expect(plan.slices).toBe(even.slices);
        let sum = ZERO_QUANTITY;
        const widest = total
          .mul(Math.ceil(schedule.durationMs / even.slices))
          .div(schedule.durationMs);
        const bound = widest.mul(size).plus(grid.amountStep.mul(2));
        for (const slice of slicesOf(plan.slices)) {
          const planned = plan.planned(slice);
          expect(text(planned)).toBe(text(again.planned(slice)));
          expect(isMultiple(planned, grid.amountStep)).toBe(true);
          expect(planned.gte(grid.minAmount)).toBe(true);
          const off = minus(plan.targetAfter(slice), even.targetAfter(slice)).abs();
          expect(off.lte(bound)).toBe(true);
          sum = plus(sum, planned);
        }
        expect(text(sum)).toBe(text(total));
      }),
    );
  });

  test('random instants stay within the interval of each slice, in order', () => {
    const times = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(asked, times, fc.string(), ({ schedule, grid, total }, time, seed) => {
        const even = legPlan(schedule, total, grid);
        const plan = legPlan({ ...schedule, randomise: { size: 0, time, seed } }, total, grid);
        for (const slice of slicesOf(plan.slices)) {
          const dueAt = plan.dueAt(slice);
          expect(dueAt).toBeGreaterThanOrEqual(even.dueAt(slice));
          expect(plan.lastDue(dueAt)).toBe(slice);
          expect(plan.lastDue(later(dueAt, -1))).toBe(slice - 1);
          expect(text(plan.planned(slice))).toBe(text(even.planned(slice)));
        }
      }),
    );
  });

  test('a plan aimed at the middle stays tradable and exact, and is closer to the line', () => {
    fc.assert(
      fc.property(asked, ({ schedule, grid, total }) => {
        const plan = legPlan({ ...schedule, aim: 'middle' }, total, grid);
        let sum = ZERO_QUANTITY;
        for (const slice of slicesOf(plan.slices)) {
          expect(plan.planned(slice).gte(grid.minAmount)).toBe(true);
          sum = plus(sum, plan.planned(slice));
        }
        expect(text(sum)).toBe(text(total));
      }),
    );
  });

  test('known schedules give their known plans', () => {
    const grid = { amountStep: quantity('0.1'), minAmount: quantity('0.1') };
    const schedule = { startAt: NOON, durationMs: 600_000, frequencyMs: 60_000, phase: 0 };
    const sizes = (total: string, frequencyMs = 60_000) => {
      const plan = legPlan({ ...schedule, frequencyMs }, quantity(total), grid);
      return slicesOf(plan.slices).map((slice) => text(plan.planned(slice)));
    };
    expect(sizes('1')).toEqual(Array(10).fill('0.1'));
    expect(sizes('0.5')).toEqual(Array(5).fill('0.1'));
    expect(sizes('1', 90_000)).toEqual(['0.2', '0.1', '0.2', '0.1', '0.2', '0.1', '0.1']);
    const halves = legPlan({ ...schedule, aim: 'middle' }, quantity('10'), grid);
    expect(slicesOf(10).map((slice) => text(halves.planned(slice)))).toEqual([
      '0.5',
      ...Array(8).fill('1'),
      '1.5',
    ]);
    const fewer = legPlan(schedule, quantity('0.5'), grid);
    expect(slicesOf(5).map((slice) => fewer.dueAt(slice) - NOON)).toEqual([
      30_000, 150_000, 270_000, 390_000, 510_000,
    ]);
    const phased = legPlan({ ...schedule, phase: 0.5 }, quantity('1'), grid);
    expect(phased.dueAt(0) - NOON).toBe(30_000);
  });
});
