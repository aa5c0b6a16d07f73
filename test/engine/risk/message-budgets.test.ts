import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ControlLimits,
  MessageLimits,
  MessageRate,
} from '../../../src/core/risk/gate/control-limits.ts';
import { MessageBudgets, type MessageOf } from '../../../src/engine/risk/message-budgets.ts';
import { accountId, childLabelOf, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const VENUE = new ScriptVenue(new VirtualClock(NOON), [perpetual()]);
const LABEL = childLabelOf('tw1-test-hhhhhhh-0-0-1');
const MANY = { perSecond: 1_000, burst: 1_000 };

const limitsOf = (messages: Partial<MessageLimits>, version = '1'): ControlLimits => ({
  version,
  messages: { shareOfVenue: 1, ...MANY, cancelReserve: 0, ...messages },
});

const from = (account: string, instrument?: string): MessageOf => ({
  venue: VENUE,
  account: accountId(account),
  instrument: instrument === undefined ? undefined : instrumentName(instrument),
});

/** What it grants changes with a login. */
class GrantingVenue extends ScriptVenue {
  override features: ScriptVenue['features'] & { readonly orderRate?: MessageRate } =
    VENUE.features;

  grant(orderRate: MessageRate): void {
    this.features = { ...VENUE.features, orderRate };
  }
}

/** The number of new orders that may be sent at once. */
function atOnce(budgets: MessageBudgets, of: MessageOf, limits: ControlLimits): number {
  let count = 0;
  for (; budgets.waitMs(of, limits, NOON) === 0; count += 1) budgets.sent(of, limits, NOON);
  return count;
}

describe('PT-5: message budgets', () => {
  it('PT-5: the budget of an instrument counts all accounts, and each instrument separately', () => {
    const limits = limitsOf({ instrument: { perSecond: 2, burst: 5 } });
    const budgets = new MessageBudgets();
    expect(atOnce(budgets, from('1', 'BTC-PERPETUAL'), limits)).toBe(5);
    expect(budgets.waitMs(from('2', 'BTC-PERPETUAL'), limits, NOON)).toBe(500);
    expect(budgets.waitMs(from('2', 'BTC-PERPETUAL'), limits, later(NOON, 499))).toBeGreaterThan(0);
    expect(budgets.waitMs(from('2', 'BTC-PERPETUAL'), limits, later(NOON, 500))).toBe(0);
    expect(atOnce(budgets, from('1', 'ETH-PERPETUAL'), limits)).toBe(5);
    expect(budgets.waitMs(from('1'), limits, NOON)).toBe(0);
  });

  it('PT-5: the budget of the process counts every account and instrument', () => {
    const limits = limitsOf({ process: { perSecond: 1, burst: 3 } });
    const budgets = new MessageBudgets();
    for (const message of [from('1', 'A'), from('2', 'B'), from('3')])
      budgets.sent(message, limits, NOON);
    expect(budgets.waitMs(from('4', 'C'), limits, NOON)).toBe(1_000);
  });

  it('PT-5: a cancel counts in every budget, so that orders wait for it but it never waits', () => {
    const limits = limitsOf({ instrument: { perSecond: 1, burst: 2 }, cancelReserve: 0.5 });
    const budgets = new MessageBudgets();
    const of = from('1', 'BTC-PERPETUAL');
    expect(atOnce(budgets, of, limits)).toBe(1);
    budgets.sent(of, limits, NOON);
    expect(budgets.waitMs(of, limits, NOON)).toBe(2_000);
  });

  it('PT-5: what is used of an account counts messages sent and promised, and falls as they are given back', () => {
    const limits = limitsOf({ perSecond: 2, burst: 10 });
    const budgets = new MessageBudgets();
    const of = from('1');
    expect(budgets.useOf(of, limits, NOON)).toEqual({ used: 0, burst: 10 });
    for (const _ of [1, 2, 3]) budgets.sent(of, limits, NOON);
    budgets.promise(LABEL, of, limits, NOON);
    expect(budgets.useOf(of, limits, NOON)).toEqual({ used: 4, burst: 10 });
    expect(budgets.useOf(from('2'), limits, NOON)).toEqual({ used: 0, burst: 10 });
    expect(budgets.useOf(of, limits, later(NOON, 1_000))).toEqual({ used: 2, burst: 10 });
    budgets.withdraw(LABEL);
    expect(budgets.useOf(of, limits, later(NOON, 60_000))).toEqual({ used: 0, burst: 10 });
    expect(budgets.useOf(of, { version: 'none' }, NOON)).toBeUndefined();
  });

  it('PT-5: changed rules keep the level, cut it to a smaller burst, and no rules mean no budget', () => {
    const place = { perSecond: 1, burst: 5 };
    for (const where of [place, { instrument: place }, { process: place }]) {
      const change = (by: object) =>
        'burst' in where ? by : { [Object.keys(where)[0] ?? '']: by };
      const budgets = new MessageBudgets();
      const of = from('1', 'A');
      for (const _ of [1, 2, 3]) budgets.sent(of, limitsOf(where), NOON);
      const wider = limitsOf(change({ perSecond: 2, burst: 9 }), '2');
      expect(atOnce(budgets, of, wider)).toBe(2);
      // The new rate applies from the change on.
      expect(budgets.waitMs(of, wider, later(NOON, 1_000))).toBe(0);
      const full = later(NOON, 60_000);
      expect(budgets.waitMs(of, wider, full)).toBe(0);
      const narrow = limitsOf(change({ perSecond: 2, burst: 1 }), '3');
      budgets.sent(of, narrow, full);
      expect(budgets.waitMs(of, narrow, full)).toBe(500);
      expect(budgets.waitMs(of, { version: '4' }, NOON)).toBe(0);
    }
  });

  it('PT-5: what the venue grants again applies from the next message on, and what was sent stays counted', () => {
    const rules: ControlLimits = {
      version: '1',
      messages: { shareOfVenue: 1, ...MANY, cancelReserve: 0 },
    };
    const venue = new GrantingVenue(new VirtualClock(NOON), [perpetual()]);
    venue.grant({ perSecond: 100, burst: 100 });
    const of = { ...from('1'), venue };
    const budgets = new MessageBudgets();
    for (const _ of [1, 2, 3]) budgets.sent(of, rules, NOON);
    venue.grant({ perSecond: 2, burst: 4 });
    expect(budgets.useOf(of, rules, NOON)).toEqual({ used: 0, burst: 4 });
    expect(atOnce(budgets, of, rules)).toBe(4);
    expect(budgets.waitMs(of, rules, NOON)).toBe(500);
    venue.grant({ perSecond: 4, burst: 8 });
    expect(budgets.waitMs(of, rules, NOON)).toBe(250);
  });

  it('PT-5: rules that change back and forth give no extra budget', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 500 }),
      version: fc.constantFrom('1', '2', '3'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const budgets = new MessageBudgets();
        const of = from('1', 'A');
        let [now, sent, passedMs] = [NOON, 0, 0];
        for (const { passMs, version } of steps) {
          now = later(now, passMs);
          passedMs += passMs;
          const limits = limitsOf({ perSecond: 4, burst: 8 }, version);
          if (budgets.waitMs(of, limits, now) > 0) continue;
          budgets.sent(of, limits, now);
          sent += 1;
          expect(sent).toBeLessThanOrEqual(8 + (passedMs * 4) / 1_000 + 1e-6);
        }
      }),
    );
  });

  it('PT-5: no sequence of messages exceeds the rate of any budget', () => {
    const message = fc.record({
      passMs: fc.integer({ min: 0, max: 800 }),
      account: fc.constantFrom('1', '2', '3'),
      instrument: fc.constantFrom('A', 'B', undefined),
    });
    const limits = limitsOf({
      perSecond: 4,
      burst: 8,
      instrument: { perSecond: 3, burst: 6 },
      process: { perSecond: 6, burst: 10 },
    });
    const rates = { account: [4, 8], instrument: [3, 6], process: [6, 10] } as const;
    fc.assert(
      fc.property(fc.array(message, { maxLength: 120, size: 'max' }), (messages) => {
        const budgets = new MessageBudgets();
        const counts = new Map<string, number>();
        let [now, passedMs] = [NOON, 0];
        for (const { passMs, account, instrument } of messages) {
          now = later(now, passMs);
          passedMs += passMs;
          const of = from(account, instrument);
          if (budgets.waitMs(of, limits, now) > 0) continue;
          budgets.sent(of, limits, now);
          const places = [
            `account ${account}`,
            instrument && `instrument ${instrument}`,
            'process',
          ];
          for (const place of places) {
            if (place === undefined) continue;
            const count = (counts.get(place) ?? 0) + 1;
            counts.set(place, count);
            const [perSecond, burst] = rates[place.split(' ')[0] as keyof typeof rates];
            expect(count).toBeLessThanOrEqual(burst + (passedMs * perSecond) / 1_000 + 1e-6);
          }
        }
      }),
    );
  });

  it('PT-5: a message that waited for the stated time may be sent', () => {
    const limits = limitsOf({
      perSecond: 4,
      burst: 3,
      instrument: { perSecond: 3, burst: 2 },
      process: { perSecond: 7, burst: 4 },
    });
    const step = fc.record({
      account: fc.constantFrom('1', '2'),
      instrument: fc.constantFrom('A', 'B'),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const budgets = new MessageBudgets();
        let now = NOON;
        for (const { account, instrument } of steps) {
          const of = from(account, instrument);
          now = later(now, budgets.waitMs(of, limits, now));
          // Rates of thirds and sevenths accumulate rounding errors: a token may be due 1 ms later.
          expect(budgets.waitMs(of, limits, now)).toBeLessThanOrEqual(1);
          budgets.sent(of, limits, now);
        }
      }),
    );
  });
});
