// Checks windows against their definition for any trades: sums contain the window's own trades, a frozen group counts
// nothing, and a group trips exactly when it reaches a limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideMmp } from '../../../src/core/mmp/decide-mmp.ts';
import { foldMmp } from '../../../src/core/mmp/evolve-mmp.ts';
import type { MmpEvent } from '../../../src/core/mmp/mmp-event.ts';
import { mmpFromRecord, mmpToRecord } from '../../../src/core/mmp/mmp-record.ts';
import { EMPTY_MMP, groupOf, isFrozen } from '../../../src/core/mmp/mmp-state.ts';
import { money, quantity, toNumber } from '../../../src/values/amounts.ts';
import { instant } from '../../../src/values/instant.ts';
import { NOON } from '../../support/engine/markets.ts';

const PLACE = { index: 'btc_usd', group: '' };

const plans = fc.record({
  intervalMs: fc.integer({ min: 1, max: 20 }).map((sec) => sec * 1_000),
  // 0: until a manual reset.
  frozenMs: fc.integer({ min: 0, max: 30 }).map((sec) => sec * 1_000),
  quantityLimit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  deltaLimit: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
  vegaLimit: fc.integer({ min: 1, max: 60 }),
});
const steps = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 15_000 })),
    coins: fc.integer({ min: -6, max: 6 }).filter((coins) => coins !== 0),
    vega: fc.integer({ min: -9, max: 9 }),
    reset: fc.integer({ min: 0, max: 19 }).map((roll) => roll === 0),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

interface Open {
  readonly from: number;
  readonly coins: number[];
  readonly vegas: number[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

test('the sums, trips and freezes of any sequence of trades match the definition of a window', () => {
  fc.assert(
    fc.property(plans, steps, (plan, made) => {
      const { intervalMs, frozenMs } = plan;
      const limits = {
        quantityLimit: plan.quantityLimit && quantity(String(plan.quantityLimit)),
        deltaLimit: plan.deltaLimit && quantity(String(plan.deltaLimit)),
        vegaLimit: money(String(plan.vegaLimit)),
      };
      const config = { ...PLACE, intervalMs, frozenMs, ...noZero(limits) };
      const events: MmpEvent[] = [];
      let state = EMPTY_MMP;
      const act = (command: Parameters<typeof decideMmp>[2]): void => {
        const decision = decideMmp('order', state, command);
        state = mmpFromRecord(mmpToRecord(decision.state));
        events.push(...decision.events);
      };
      act({ kind: 'configure', now: NOON, config, by: '7' });
      let now = NOON;
      let open: Open | undefined;
      let [frozenAt, frozenUntil] = [0, 0];
      for (const [index, { afterMs, coins, vega, reset }] of made.entries()) {
        now = instant(now + afterMs);
        if (reset) {
          act({ kind: 'reset', now, ...PLACE, by: '7' });
          // The first second of a freeze cannot be reset.
          if (now >= frozenUntil || now - frozenAt >= 1_000) [open, frozenUntil] = [undefined, 0];
        }
        const part = {
          index: PLACE.index,
          quantity: quantity(String(Math.abs(coins))),
          delta: quantity(String(coins)),
          vega: money(String(vega)),
        };
        const told = { now, tradedAt: now, tradeId: String(index), group: '' };
        act({ kind: 'count', ...told, parts: [part] });
        if (now >= frozenUntil) {
          if (open === undefined || now >= open.from + intervalMs) {
            open = { from: now, coins: [], vegas: [] };
          }
          open.coins.push(coins);
          open.vegas.push(vega);
          const gross = sum(open.coins.map(Math.abs));
          const isOver =
            gross >= (plan.quantityLimit ?? Number.POSITIVE_INFINITY) ||
            Math.abs(sum(open.coins)) >= (plan.deltaLimit ?? Number.POSITIVE_INFINITY) ||
            Math.abs(sum(open.vegas)) >= plan.vegaLimit;
          if (isOver) {
            [open, frozenAt] = [undefined, now];
            frozenUntil = frozenMs === 0 ? Number.POSITIVE_INFINITY : now + frozenMs;
          }
        }
        const group = groupOf(state, PLACE);
        expect(group && isFrozen(group, now)).toBe(now < frozenUntil);
        if (frozenUntil > 0 && Number.isFinite(frozenUntil)) {
          expect(group && isFrozen(group, instant(frozenUntil - 1))).toBe(true);
          expect(group && isFrozen(group, instant(frozenUntil))).toBe(false);
        }
        const { window } = group ?? {};
        expect(
          window && [window.openedAt, toNumber(window.quantity), toNumber(window.delta)],
        ).toEqual(open && [open.from, sum(open.coins.map(Math.abs)), sum(open.coins)]);
        expect(window && [toNumber(window.vega), window.trades]).toEqual(
          open && [sum(open.vegas), open.coins.length],
        );
      }
      expect(foldMmp(JSON.parse(JSON.stringify(events)) as MmpEvent[])).toEqual(state);
    }),
    { numRuns: 300 },
  );
});

/** Omits the limits that are not set. */
const noZero = <T extends object>(limits: T) =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined | 0>;
  };
