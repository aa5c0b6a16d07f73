import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hedgeTarget, sliceQuantity } from '../../src/core/schedule/catch-up.ts';
import { legPlan } from '../../src/core/schedule/slice-plan.ts';
import {
  isMultiple,
  larger,
  minus,
  onStep,
  plus,
  type Quantity,
  quantity,
  ratioOf,
  steps,
  text,
  ZERO_QUANTITY,
} from '../../src/values/amounts.ts';
import { NOON, perpetual } from '../support/engine/markets.ts';

const STEP = quantity('10');
const INSTRUMENT = perpetual();

/** A leg, and the share of each slice that fills. */
const runs = fc.record({
  lots: fc.integer({ min: 1, max: 400 }),
  slices: fc.integer({ min: 1, max: 40 }),
  maxCatchUp: fc.double({ min: 1, max: 5, noNaN: true }),
  fills: fc.array(fc.constantFrom(0, 0, 0.3, 0.5, 1, 1, 1), { minLength: 40, maxLength: 40 }),
});

function planFor(lots: number, slices: number) {
  const schedule = { startAt: NOON, durationMs: slices * 1_000, frequencyMs: 1_000, phase: 0 };
  return legPlan(schedule, steps(STEP, lots), INSTRUMENT);
}

describe('catching up', () => {
  test('a slice never exceeds the cap, the leg or the lot grid, whatever fills', () => {
    fc.assert(
      fc.property(runs, ({ lots, slices, maxCatchUp, fills }) => {
        const plan = planFor(lots, slices);
        let filled = ZERO_QUANTITY;
        for (let slice = 0; slice < plan.slices; slice += 1) {
          const demand = {
            plan,
            slice,
            filled,
            outstanding: ZERO_QUANTITY,
            instrument: INSTRUMENT,
          };
          const size = sliceQuantity({ ...demand, maxCatchUp: ratioOf(maxCatchUp) });
          const cap = onStep(plan.planned(slice).mul(maxCatchUp) as Quantity, STEP, 'down');
          expect(size.lte(larger(cap, INSTRUMENT.minAmount))).toBe(true);
          expect(isMultiple(size, STEP)).toBe(true);
          filled = plus(filled, onStep(size.mul(fills[slice] ?? 1) as Quantity, STEP, 'down'));
          expect(filled.lte(plan.total)).toBe(true);
        }
      }),
    );
  });

  test('if everything fills, the slices equal the plan', () => {
    fc.assert(
      fc.property(runs, ({ lots, slices, maxCatchUp }) => {
        const plan = planFor(lots, slices);
        for (let slice = 0; slice < plan.slices; slice += 1) {
          const filled = plan.targetAfter(slice - 1);
          const demand = {
            plan,
            slice,
            filled,
            outstanding: ZERO_QUANTITY,
            instrument: INSTRUMENT,
          };
          const size = sliceQuantity({ ...demand, maxCatchUp: ratioOf(maxCatchUp) });
          expect(text(size)).toBe(text(plan.planned(slice)));
        }
      }),
    );
  });

  test('a quantity that may still fill at the venue is not requested again', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 0, max: 400 }), (run, liveLots) => {
        const plan = planFor(run.lots, run.slices);
        const slice = Math.floor(plan.slices / 2);
        const outstanding = steps(STEP, Math.min(liveLots, run.lots));
        const demand = { plan, slice, filled: ZERO_QUANTITY, outstanding, instrument: INSTRUMENT };
        const size = sliceQuantity({ ...demand, maxCatchUp: ratioOf(run.maxCatchUp) });
        expect(plus(size, outstanding).lte(plan.total)).toBe(true);
      }),
    );
  });

  test('a quantity given up for good is neither behind nor requested', () => {
    const plan = planFor(100, 10);
    const demand = { plan, slice: 5, outstanding: ZERO_QUANTITY, instrument: INSTRUMENT };
    const given = { ...demand, filled: quantity('300'), maxCatchUp: ratioOf(3) };
    expect(text(sliceQuantity({ ...given, skipped: quantity('200') }))).toBe('100');
    expect(text(sliceQuantity({ ...given, skipped: quantity('700') }))).toBe('0');
  });

  test('a remainder that could not be traded on its own joins the last slice and no other', () => {
    const instrument = perpetual({ minAmount: quantity('30') });
    const schedule = { startAt: NOON, durationMs: 2_000, frequencyMs: 1_000, phase: 0 };
    const plan = legPlan(schedule, quantity('100'), instrument);
    const demand = { plan, outstanding: ZERO_QUANTITY, instrument, maxCatchUp: ratioOf(1) };
    // Fifty are planned and the cap allows no more: twenty remain, below the minimum.
    const filled = quantity('30');
    expect(text(sliceQuantity({ ...demand, slice: 1, filled }))).toBe('70');
    expect(text(sliceQuantity({ ...demand, slice: 0, filled }))).toBe('0');
  });

  test('a shortfall is spread over the remaining slices', () => {
    const plan = planFor(100, 10);
    const sizes: string[] = [];
    let filled = ZERO_QUANTITY;
    for (let slice = 0; slice < plan.slices; slice += 1) {
      const demand = { plan, slice, filled, outstanding: ZERO_QUANTITY, instrument: INSTRUMENT };
      const size = sliceQuantity({ ...demand, maxCatchUp: ratioOf(3) });
      sizes.push(text(size));
      if (slice >= 5) filled = plus(filled, size);
    }
    expect(sizes.slice(5)).toEqual(['200', '200', '200', '200', '200']);
    expect(text(filled)).toBe('1000');
  });

  test('a share of a shortfall that is not a whole lot is rounded up, so that nothing is left at the end', () => {
    const plan = planFor(100, 10);
    const demand = { plan, slice: 7, outstanding: ZERO_QUANTITY, instrument: INSTRUMENT };
    // 100 planned, plus a third of the missing 100.
    const size = sliceQuantity({ ...demand, filled: quantity('600'), maxCatchUp: ratioOf(3) });
    expect(text(size)).toBe('140');
  });

  const whole = (total: string) => ({ whole: quantity(total), most: quantity(total) });

  test('the target of a hedge is proportional to the least filled leg, rounded down', () => {
    const others = [
      { filled: quantity('3'), total: quantity('10') },
      { filled: quantity('5'), total: quantity('10') },
    ];
    expect(text(hedgeTarget(whole('1000'), others, INSTRUMENT))).toBe('300');
    const thirds = [{ filled: quantity('1'), total: quantity('3') }];
    expect(text(hedgeTarget(whole('1000'), thirds, INSTRUMENT))).toBe('330');
    expect(text(minus(hedgeTarget(whole('990'), [], INSTRUMENT), quantity('990')))).toBe('0');
  });

  test('a leg that was to trade nothing holds no hedge back, but on its own calls for none', () => {
    const none = { filled: quantity('0'), total: quantity('0') };
    const half = { filled: quantity('5'), total: quantity('10') };
    expect(text(hedgeTarget(whole('1000'), [none, half], INSTRUMENT))).toBe('500');
    expect(text(hedgeTarget(whole('1000'), [none], INSTRUMENT))).toBe('0');
  });

  test('a hedge never exceeds its own total, whatever its proportion calls for', () => {
    const half = { filled: quantity('5'), total: quantity('10') };
    const share = { whole: quantity('1000'), most: quantity('400') };
    expect(text(hedgeTarget(share, [half], INSTRUMENT))).toBe('400');
  });
});
