// PT-15 on the real paper exchange, for any sequence of requests: under REDUCING no position grows or turns, under
// HALTED only cancels take effect, and a setting is in force in every process that starts later.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_SWITCHES,
  type SwitchSetting,
  strictestFor,
  withSetting,
} from '../../../src/core/risk/trading-switch.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import type { NewOrder, Reply } from '../../../src/ports/trading-desk.ts';
import { type Quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { ACCOUNT, BTC, NOON, paperVenue, settle } from '../../adapters/paper/paper-stage.ts';
import { halt } from '../../conformance/switch-records.ts';
import { VenueAct, value } from '../../conformance/venue-act.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { nonEmpty } from '../../support/non-empty.ts';

async function stage() {
  const clock = new VirtualClock(NOON);
  const observer = witness();
  const venue = paperVenue(clock, {});
  const records = new MemorySwitchRecords();
  const switches = await TradingSwitches.open({ records, clock, observer });
  const settings = { ...DEFAULT_SETTINGS, deployment: deploymentId('test') };
  const desk = openOrderDesk({
    clock,
    observer,
    settings,
    switches,
    venues: { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] },
    limits: () => ({ dummyAccounts: new Set<never>() }),
  });
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const act = new VenueAct({
    venue,
    desk: must(desk.forAccount(ACCOUNT), 'a desk'),
    account: ACCOUNT,
    instrument: BTC,
    pass,
    now: () => clock.now(),
    close: () => venue.close(),
  });
  await pass(100);
  const close = async (): Promise<void> => {
    await switches.drain();
    await venue.close();
  };
  return { clock, switches, act, pass, close };
}

type Stage = Awaited<ReturnType<typeof stage>>;

const lots = fc.integer({ min: 1, max: 40 });
const side = fc.constantFrom('buy', 'sell');
const entry = fc.record({
  kind: fc.constant('enter'),
  side,
  lots,
  /** Fills at once, rests near the market, or waits for a trigger. */
  how: fc.constantFrom('market', 'through', 'near', 'stop', 'linked'),
  reduceOnly: fc.boolean(),
  otherReduces: fc.boolean(),
});
const step = fc.oneof(
  { weight: 4, arbitrary: entry },
  fc.record({
    kind: fc.constant('edit'),
    pick: fc.nat(20),
    lots,
    reduceOnly: fc.constantFrom(true, false, undefined),
  }),
  fc.record({ kind: fc.constant('cancel'), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 30_000 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Entry = Extract<Step, { readonly kind: 'enter' }>;

async function enter({ act }: Stage, { how, side, lots, ...asked }: Entry) {
  const { reduceOnly, otherReduces } = asked;
  const base = { side, quantity: act.size(lots), reduceOnly } as const;
  const other = side === 'buy' ? 'sell' : 'buy';
  const terms: Record<Entry['how'], () => Promise<Partial<NewOrder>>> = {
    market: () => Promise.resolve({ type: 'market', price: undefined }),
    through: async () => ({ price: await act.through(side) }),
    near: async () => ({ price: await act.away(side, side === 'buy' ? '0.9995' : '1.0005') }),
    stop: async () => ({
      type: 'stop_market',
      price: undefined,
      trigger: 'mark_price',
      triggerPrice: await act.away(side, side === 'buy' ? '1.0005' : '0.9995'),
    }),
    linked: async () => ({
      price: await act.through(side),
      link: {
        kind: 'one_triggers_other',
        fillCondition: 'first_hit',
        others: [
          act.otherTerms({
            side: other,
            quantity: act.size(lots),
            reduceOnly: otherReduces,
            price: await act.through(other),
          }),
        ],
      },
    }),
  };
  return await act.desk.place(await act.order({ ...base, ...(await terms[how]()) }));
}

/** The reply; `undefined` if there was no order to act on. */
async function perform(on: Stage, step: Step): Promise<Reply<unknown> | undefined> {
  const { act, pass } = on;
  if (step.kind === 'pass') return void (await pass(step.ms));
  if (step.kind === 'enter') return await enter(on, step);
  const open = await act.open();
  const order = open[step.pick % Math.max(1, open.length)];
  if (order === undefined) return undefined;
  const of = { orderId: order.orderId };
  if (step.kind === 'cancel') return await act.desk.cancel({ account: ACCOUNT, of });
  const { reduceOnly } = step;
  return await act.desk.edit({ account: ACCOUNT, of, quantity: act.size(step.lots), reduceOnly });
}

async function held({ act }: Stage): Promise<Quantity | undefined> {
  const positions = value(await act.desk.positions({ account: ACCOUNT }));
  return positions.find(({ instrument }) => instrument === BTC)?.quantity;
}

const sizeOf = (of: Quantity | undefined): number => (of === undefined ? 0 : toNumber(of));

/** Opens a position: long, short or none. */
async function begin(on: Stage, count: number): Promise<void> {
  if (count === 0) return;
  const side = count > 0 ? 'buy' : 'sell';
  await on.act.marketOrder({ side, quantity: on.act.size(Math.abs(count)) });
}

const isDone = (reply: Reply<unknown> | undefined): boolean => reply?.kind === 'done';
const scope = fc.constantFrom(
  { scope: 'deployment', of: '' } as const,
  { scope: 'account', of: ACCOUNT } as const,
);

describe('PT-15: trading state reducing', () => {
  test('PT-15: while reducing, no manual order enlarges or turns a position, whatever is requested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -40, max: 40 }),
        scope,
        fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
        async (count, over, steps) => {
          const on = await stage();
          await begin(on, count);
          await on.switches.set(halt({ ...over, state: 'reducing', at: on.clock.now() }));
          let before = sizeOf(await held(on));
          for (const one of nonEmpty(steps)) {
            const reply = await perform(on, one);
            if (one.kind === 'enter' && !one.reduceOnly) expect(isDone(reply)).toBe(false);
            if (one.kind === 'edit' && one.reduceOnly !== true) expect(isDone(reply)).toBe(false);
            if (one.kind === 'cancel' && reply !== undefined) expect(isDone(reply)).toBe(true);
            const now = sizeOf(await held(on));
            expect(Math.abs(now)).toBeLessThanOrEqual(Math.abs(before));
            expect(now === 0 || Math.sign(now) === Math.sign(before)).toBe(true);
            before = now;
          }
          await on.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  test('PT-15: while reducing, a position can be closed down to the last lot', async () => {
    for (const count of [7, -7]) {
      const on = await stage();
      await begin(on, count);
      await on.switches.set(halt({ state: 'reducing', at: on.clock.now() }));
      const side = count > 0 ? 'sell' : 'buy';
      // More than the position: the exchange accepts the part that reduces.
      await on.act.marketOrder({ side, quantity: on.act.size(20), reduceOnly: true });
      expect(sizeOf(await held(on))).toBe(0);
      await on.close();
    }
  });
});

describe('PT-15: trading state halted', () => {
  test('PT-15: while halted, no order is entered or edited, reducing or not, and every cancel succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -40, max: 40 }),
        scope,
        fc.array(entry, { maxLength: 6 }),
        fc.array(step, { minLength: 1, maxLength: 15, size: 'max' }),
        async (count, over, before, steps) => {
          const on = await stage();
          await begin(on, count);
          for (const one of before) await enter(on, { ...one, how: 'near' });
          await on.switches.set(halt({ ...over, at: on.clock.now() }));
          let open = (await on.act.open()).map(({ orderId }) => orderId);
          for (const one of steps) {
            // Resting orders may still trade or end until they are cancelled.
            const reply = await perform(on, one);
            const mayBeDone = one.kind === 'cancel' && reply !== undefined;
            expect(isDone(reply)).toBe(mayBeDone);
            const now = (await on.act.open()).map(({ orderId }) => orderId);
            expect(open).toEqual(expect.arrayContaining(now));
            open = now;
          }
          expect(isDone(await on.act.desk.cancelAll({ account: ACCOUNT }))).toBe(true);
          expect(await on.act.open()).toEqual([]);
          await on.close();
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('PT-15: durability of the switches', () => {
  const setting = fc
    .record({
      over: fc.constantFrom(
        { scope: 'deployment', of: '' } as const,
        { scope: 'account', of: '1' } as const,
        { scope: 'strategy', of: 'calm' } as const,
        { scope: 'portfolio', of: '7' } as const,
      ),
      state: fc.constantFrom('active', 'reducing', 'halted'),
    })
    .map(({ over, state }): SwitchSetting => halt({ ...over, state }));
  /** The fate of the process that sets it: it dies before the write, or after it without a reply, or it lives. */
  const fate = fc.constantFrom('lives', 'dies before', 'dies after');
  const act = fc.record({ setting, fate });
  const deadly = fc.record({ setting, fate: fc.constantFrom('dies before', 'dies after') });
  const UNDER = { account: '1', strategy: 'calm', portfolio: '7' };

  test('over a thousand kills around a write, every written setting is in force after the next start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.array(act, { maxLength: 10 }), deadly).map(([some, last]) => [...some, last]),
        async (acts) => {
          const records = new MemorySwitchRecords();
          let expected = NO_SWITCHES;
          for (const { setting: one, fate: how } of acts) {
            const dying = {
              after: (number: number) => records.after(number),
              add: async (added: SwitchSetting): Promise<number> => {
                if (how === 'dies before') return await new Promise(() => undefined);
                const number = await records.add(added);
                return how === 'lives' ? number : await new Promise(() => undefined);
              },
            };
            const parts = { clock: new VirtualClock(NOON), observer: witness() };
            const process = await TradingSwitches.open({ ...parts, records: dying });
            expect(process.strictestFor(UNDER)?.state).toBe(strictestFor(expected, UNDER)?.state);
            const setting = process.set(one);
            if (how !== 'dies before') expected = withSetting(expected, one);
            // A killed process is no longer used.
            if (how !== 'lives') continue;
            await setting;
            await process.drain();
          }
          const next = { clock: new VirtualClock(NOON), observer: witness(), records };
          const after = await TradingSwitches.open(next);
          expect(after.strictestFor(UNDER)?.state).toBe(strictestFor(expected, UNDER)?.state);
          await after.drain();
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
