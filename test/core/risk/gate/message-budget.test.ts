import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBudget, messageRate } from '../../../../src/core/risk/gate/message-budget.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import { NOON } from '../../../support/engine/markets.ts';

const RATE = { perSecond: 5, burst: 20 };

/** Sends as many messages as allowed and returns their number. */
function sendAll(budget: MessageBudget, now: Instant): number {
  let count = 0;
  for (; budget.waitMs(now) === 0; count += 1) budget.sent(now);
  return count;
}

describe('PT-5, the message budget', () => {
  it('the reserve for cancels is exact to the message', () => {
    const budget = new MessageBudget(RATE, 0.25, NOON);
    expect(sendAll(budget, NOON)).toBe(15);
    expect(budget.waitMs(NOON)).toBe(200);
    expect(budget.waitMs(later(NOON, 199))).toBe(1);
    expect(budget.waitMs(later(NOON, 200))).toBe(0);
  });

  it('what monitoring sees as left, beyond the reserve, is less than one message while orders wait', () => {
    const budget = new MessageBudget(RATE, 0.25, NOON);
    sendAll(budget, NOON);
    expect(budget.left(NOON)).toEqual({ tokens: 5, burst: 20, reserve: 5 });
    const soon = later(NOON, 200);
    expect(budget.left(soon)).toMatchObject({ tokens: 6 });
    budget.promise();
    expect(budget.left(soon)).toMatchObject({ tokens: 5 });
    expect(budget.level(soon)).toBe(6);
  });

  it('every cancel is sent, and orders wait until the excess is refilled', () => {
    const budget = new MessageBudget(RATE, 0.25, NOON);
    for (let cancels = 0; cancels < 1_000; cancels += 1) budget.sent(NOON);
    // Never more than one burst below zero.
    expect(budget.waitMs(NOON)).toBe(((20 + 5 + 1) / 5) * 1_000);
  });

  it('a full bucket allows at least one order, whatever the reserve', () => {
    expect(sendAll(new MessageBudget({ perSecond: 1, burst: 1 }, 0.9, NOON), NOON)).toBe(1);
    expect(sendAll(new MessageBudget(RATE, 0, NOON), NOON)).toBe(20);
  });

  it("the rate is a share of the venue's limit, or the configured rate if none is known", () => {
    const limits = { shareOfVenue: 0.7, perSecond: 9, burst: 90, cancelReserve: 0.25 };
    expect(messageRate(limits, { perSecond: 10, burst: 21 })).toEqual({ perSecond: 7, burst: 14 });
    expect(messageRate(limits, undefined)).toEqual({ perSecond: 9, burst: 90 });
  });

  it('no sequence of requests exceeds burst and rate', () => {
    const step = fc.record({
      passMs: fc.integer({ min: -500, max: 2_000 }),
      isCancel: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const budget = new MessageBudget(RATE, 0.25, NOON);
        let [now, orders, forwardMs] = [NOON, 0, 0];
        for (const { passMs, isCancel } of steps) {
          now = later(now, passMs);
          forwardMs += Math.max(0, passMs);
          if (!isCancel && budget.waitMs(now) > 0) continue;
          budget.sent(now);
          if (!isCancel) orders += 1;
          expect(orders).toBeLessThanOrEqual(15 + (forwardMs / 1_000) * 5 + 1e-6);
        }
      }),
    );
  });
});
