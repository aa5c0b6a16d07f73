// The message budgets of a deployment are shared out: a ledger of its own adds up what all daemons send, whatever comes and goes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ControlLimits, MessageRate } from '../../../src/core/risk/gate/control-limits.ts';
import { MessageBudget } from '../../../src/core/risk/gate/message-budget.ts';
import { limitsOfOne } from '../../../src/engine/ownership/limits-of-one.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';

const RESERVE = 0.1;
const rates = fc.record({
  perSecond: fc.integer({ min: 1, max: 200 }),
  burst: fc.integer({ min: 8, max: 400 }),
});

const limitsWith = (process: MessageRate): ControlLimits =>
  ({ version: 'v', messages: { process } }) as unknown as ControlLimits;

const shareOf = (rate: MessageRate, daemons: number): MessageRate =>
  must(limitsOfOne(limitsWith(rate), daemons).messages?.process, 'it was configured');

/** Sends all that its budget allows now. */
function sendAll(budget: MessageBudget, atMs: number): number {
  let sent = 0;
  while (budget.waitMs(instant(atMs)) === 0) {
    budget.sent(instant(atMs));
    sent += 1;
  }
  return sent;
}

describe('message budgets shared out among daemons', () => {
  test('the shares add up to what is configured, or to less', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 8 }), (rate, daemons) => {
        const share = shareOf(rate, daemons);
        expect(share.perSecond * daemons).toBeCloseTo(rate.perSecond, 9);
        expect(share.burst * daemons).toBeLessThanOrEqual(rate.burst);
        expect(share.burst).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('daemons that send all they may stay within the rate and one burst of the deployment in any window, also when some leave', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 2_000 }), {
      minLength: 2,
      maxLength: 40,
      size: 'max',
    });
    const leaving = fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 1, max: 6 }),
        pauses,
        leaving,
        (rate, daemons, ...rest) => {
          const [waits, leaves] = rest;
          const share = shareOf(rate, daemons);
          const at = instant(0);
          let budgets = Array.from(
            { length: daemons },
            () => new MessageBudget(share, RESERVE, at),
          );
          const sent: { readonly atMs: number; readonly messages: number }[] = [];
          let nowMs = 0;
          for (const [turn, waitMs] of waits.entries()) {
            nowMs += waitMs;
            if (leaves.includes(turn) && budgets.length > 1) {
              budgets = budgets.slice(1);
              const grown = shareOf(rate, budgets.length);
              for (const budget of budgets) budget.retune(grown, RESERVE, instant(nowMs));
            }
            const messages = budgets.reduce((sum, budget) => sum + sendAll(budget, nowMs), 0);
            sent.push({ atMs: nowMs, messages });
          }
          for (const [first, { atMs: fromMs }] of sent.entries()) {
            let sum = 0;
            for (const { atMs, messages } of sent.slice(first)) {
              sum += messages;
              const most = rate.burst + (rate.perSecond * (atMs - fromMs)) / 1_000;
              expect(sum).toBeLessThanOrEqual(most + 1e-6);
            }
          }
        },
      ),
    );
  });

  test('a daemon that joins adds at most one burst of its own share', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 6 }), (rate, daemons) => {
        const at = instant(0);
        const before = Array.from(
          { length: daemons },
          () => new MessageBudget(shareOf(rate, daemons), RESERVE, at),
        );
        const spent = before.reduce((sum, budget) => sum + sendAll(budget, 0), 0);
        const share = shareOf(rate, daemons + 1);
        for (const budget of before) budget.retune(share, RESERVE, at);
        const joined = [...before, new MessageBudget(share, RESERVE, at)];
        const more = joined.reduce((sum, budget) => sum + sendAll(budget, 0), 0);
        expect(spent + more).toBeLessThanOrEqual(rate.burst + share.burst);
      }),
    );
  });
});
