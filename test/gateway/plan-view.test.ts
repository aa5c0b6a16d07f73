// A plan is written the way its record is, without making the record.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlanView } from '../../src/engine/operations.ts';
import { success, successText } from '../../src/gateway/envelope.ts';
import { planRecord, planRecordSchema, planText } from '../../src/gateway/plan-view.ts';

const decimal = fc
  .tuple(fc.nat(1e9), fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }))
  .map(([whole, rest]) => (rest === undefined ? `${whole}` : `${whole}.${rest}`));

const slices = fc.array(
  fc.record({
    leg: fc.nat(19),
    slice: fc.nat(5_000),
    dueAt: fc.nat({ max: 4e12 }),
    quantity: decimal,
    cumulative: decimal,
  }),
  { maxLength: 30 },
);

const legs = fc.array(
  fc.record({
    instrument: fc.constantFrom('BTC-PERPETUAL', 'ETH_USDC', 'a "quoted" \\ name'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: decimal,
    slices: fc.nat(100),
    hedge: fc.boolean(),
    note: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
  }),
  { maxLength: 5 },
);

const plans: fc.Arbitrary<PlanView> = fc.record({
  startAt: fc.nat({ max: 4e12 }),
  endAt: fc.nat({ max: 4e12 }),
  legs,
  slices,
});

describe('a plan as text', () => {
  test('says what its record says', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const read: unknown = JSON.parse(successText(planText(plan)));
        expect(read).toEqual(JSON.parse(JSON.stringify(success(planRecord(plan)))));
        expect(() => planRecordSchema.parse((read as { value: unknown }).value)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});
