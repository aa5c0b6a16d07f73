// The text of a plan equals its serialised record.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/core/plan/verdict.ts';
import type { PlanView } from '../../../src/engine/interface/operations.ts';
import {
  planRecord,
  planRecordSchema,
  planText,
} from '../../../src/gateway/portfolios/plan-view.ts';
import { success, successText } from '../../../src/gateway/wire/envelope.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { currency } from '../../../src/values/ids.ts';

const decimal = fc
  .tuple(fc.nat(1e9), fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }))
  .map(([whole, rest]) => (rest === undefined ? `${whole}` : `${whole}.${rest}`));

const slices = fc.array(
  fc.record({
    leg: fc.oneof(fc.constant(0), fc.nat(19)),
    slice: fc.oneof(fc.nat(120), fc.nat(5_000)),
    dueAt: fc.nat({ max: 4e12 }),
    quantity: fc.oneof(fc.constant('1000'), fc.constant('0.5'), decimal),
    cumulative: decimal,
  }),
  { maxLength: 30, size: 'max' },
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

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined });
const coin = fc.constantFrom(currency('BTC'), currency('USDC'));

const verdicts: fc.Arbitrary<Verdict> = fc.record({
  canComplete: fc.boolean(),
  findings: fc.array(
    fc.record({
      kind: fc.constantFrom('fault' as const, 'warning' as const, 'note' as const),
      leg: maybe(fc.nat(19)),
      about: fc.constantFrom('price' as const, 'margin' as const, 'end' as const),
      message: fc.string({ unit: 'binary' }),
    }),
    { maxLength: 4 },
  ),
  legs: fc.array(
    fc.record({
      price: maybe(decimal.map(price)),
      mid: maybe(decimal.map(price)),
      average: maybe(decimal.map(price)),
      costBps: maybe(fc.double({ noNaN: true, max: 1e9, min: -1e9 })),
      cost: maybe(decimal.map(money)),
      costCurrency: coin,
      fee: decimal.map(money),
      feeCurrency: coin,
      beyondDepth: decimal.map(quantity),
      resting: decimal.map(quantity),
    }),
    { maxLength: 4 },
  ),
  margin: fc.array(
    fc.record({
      currency: coin,
      needed: decimal.map(money),
      available: maybe(decimal.map(money)),
    }),
    { maxLength: 3 },
  ),
  orders: fc.record({
    children: fc.nat(10_000),
    mostAtOnce: fc.nat(100),
    perSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
  }),
});

const plans: fc.Arbitrary<PlanView> = fc.record({
  startAt: fc.nat({ max: 4e12 }),
  endAt: fc.nat({ max: 4e12 }),
  legs,
  slices,
  verdict: maybe(verdicts),
});

describe('a plan as text', () => {
  test('a plan as text equals its serialised record', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const written = successText(planText(plan));
        const read: unknown = JSON.parse(written);
        expect(JSON.stringify(read)).toBe(JSON.stringify(success(planRecord(plan))));
        expect(() => planRecordSchema.parse((read as { value: unknown }).value)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});
