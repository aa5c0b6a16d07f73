// The message budgets of a deployment are shared out: a ledger of its own adds up what all daemons send, whatever comes and goes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ControlLimits, MessageRate } from '../../../src/core/risk/gate/control-limits.ts';
import { MessageBudget } from '../../../src/core/risk/gate/message-budget.ts';
import { deploymentLimitShare } from '../../../src/engine/ownership/deployment-limit-shares.ts';
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
  must(deploymentLimitShare(limitsWith(rate), daemons).messages?.process, 'it was configured');

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

  test('daemons that send all they may stay within the rate and one burst of the deployment in any window, also when some join or leave', () => {
    const turns = fc.array(
      fc.record({
        waitMs: fc.integer({ min: 0, max: 2_000 }),
        /** Who sends all it may in this turn, among those that are there. */
        sends: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        change: fc.constantFrom('none', 'none', 'join', 'leave'),
      }),
      { minLength: 2, maxLength: 40, size: 'max' },
    );
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 6 }), turns, (rate, daemons, course) => {
        const first = shareOf(rate, daemons);
        let budgets = Array.from(
          { length: daemons },
          () => new MessageBudget(first, RESERVE, instant(0)),
        );
        const sent: { readonly atMs: number; readonly messages: number }[] = [];
        let nowMs = 0;
        for (const { waitMs, sends, change } of course) {
          nowMs += waitMs;
          if (change === 'join' && budgets.length < 8) {
            const share = shareOf(rate, budgets.length + 1);
            for (const budget of budgets) budget.retune(share, RESERVE, instant(nowMs));
            budgets = [...budgets, new MessageBudget(share, RESERVE, instant(nowMs), 0)];
          }
          if (change === 'leave' && budgets.length > 1) {
            budgets = budgets.slice(1);
            const share = shareOf(rate, budgets.length);
            for (const budget of budgets) budget.retune(share, RESERVE, instant(nowMs));
          }
          const messages = budgets.reduce(
            (sum, budget, index) => sum + (sends[index] === true ? sendAll(budget, nowMs) : 0),
            0,
          );
          sent.push({ atMs: nowMs, messages });
        }
        for (const [from, { atMs: fromMs }] of sent.entries()) {
          let sum = 0;
          for (const { atMs, messages } of sent.slice(from)) {
            sum += messages;
            const most = rate.burst + (rate.perSecond * (atMs - fromMs)) / 1_000;
            expect(sum).toBeLessThanOrEqual(most + 1e-6);
          }
        }
      }),
    );
  });

  test('a daemon that joins adds nothing to what the others may send at once, and has its share of the rate from then on', () => {
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
        const joined = new MessageBudget(share, RESERVE, at, 0);
        const more = [...before, joined].reduce((sum, budget) => sum + sendAll(budget, 0), 0);
        expect(spent + more).toBeLessThanOrEqual(rate.burst);
        expect(joined.waitMs(at)).toBeGreaterThan(0);
        expect(joined.waitMs(instant(Math.ceil((share.burst / share.perSecond) * 1_000)))).toBe(0);
      }),
    );
  });
});
