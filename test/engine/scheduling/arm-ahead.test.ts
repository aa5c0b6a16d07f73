// Slices decided ahead of their due time: durable before it, sent exactly on time, and not sent if something
// intervened.
import { describe, expect, test } from 'vitest';
import { ALONE } from '../../../src/engine/assemble-engine.ts';
import { WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { WIDE_LIMITS } from '../../support/engine/gate-orders.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const ARM_MS = 40;
const PERP = perpetual();

async function started(parts: Parameters<typeof world>[0] = {}): Promise<World> {
  const w = world({ ...parts, settings: { armMs: ARM_MS, ...parts.settings } });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

const intended = (w: World) => w.observer.events.filter(({ kind }) => kind === 'child_intended');
const slices = (w: World) => w.venue.kept.map(({ order }) => text(order.filledQuantity));

describe('a slice decided ahead', () => {
  test('a slice decided ahead is durable before it is due and sent exactly on time', async () => {
    const w = await started();
    await submitted(w, form());
    await w.run(10_000 - ARM_MS - 1);
    expect(intended(w)).toHaveLength(1);
    await w.run(1);
    expect(intended(w)).toHaveLength(2);
    await w.run(ARM_MS - 1);
    expect(w.venue.requests).toBe(1);
    await w.run(1);
    expect(w.venue.requests).toBe(2);
    expect(w.observer.lateMs).toEqual([0, 0]);
  });

  test('a slice decided ahead is judged by the controls as of the instant it is due', async () => {
    const referenceAgeMaxMs = 10_000 - ARM_MS / 2;
    const clock = new VirtualClock(NOON);
    const venue = new ScriptVenue(clock, [PERP]);
    const venues = { forAccount: () => venue, all: () => [venue] };
    const collar = must(WIDE_LIMITS.collar, 'a collar');
    const limits = { version: '1-old', collar: { ...collar, referenceAgeMaxMs } };
    const parts = { clock, venues, observer: witness() };
    const gate = new WatchedGate({ ...ALONE, ...parts, limits: () => limits });
    const w = await started({ clock, venue, gate, settings: { quoteAgeMaxMs: 60_000 } });
    venue.quote = () => quote(PERP, [99_999.5, 100_000]);
    await submitted(w, form());
    await w.run(10_000 - ARM_MS);
    // The quote is young enough for the moment of the decision, and too old for the second slice.
    expect(intended(w)).toHaveLength(1);
    const [waits] = w.observer.events.filter(({ kind }) => kind === 'slice_waiting');
    expect(waits).toMatchObject({ slice: 1, why: expect.stringContaining('is 10000 ms old') });
  });

  test('a slice decided ahead is sent at once if its commit takes longer than the lead time', async () => {
    const clock = new VirtualClock(NOON);
    const commitMs = 100;
    const rest = () => new Promise<void>((done) => clock.at(later(clock.now(), commitMs), done));
    const ledger = new MemoryLedger({ now: () => clock.now(), beforeCommit: rest });
    const w = await started({ clock, ledger });
    void w.operations.submit(form(), BY);
    await w.run(40_000);
    const late = w.observer.lateMs.slice(1);
    expect(late.length).toBeGreaterThan(1);
    expect(new Set(late)).toEqual(new Set([commitMs - ARM_MS]));
  });

  test.each(['cancel', 'pause'] as const)(
    'a slice decided ahead is not sent after a %s in between',
    async (what) => {
      const w = await started();
      const id = await submitted(w, form());
      await w.run(10_000 - ARM_MS / 2);
      expect(intended(w)).toHaveLength(2);
      await w.operations[what](id, BY);
      await w.run(5_000);
      expect(w.venue.requests).toBe(1);
      expect(slices(w)).toEqual(['100']);
      if (what === 'pause') await w.operations.resume(id, BY);
      await w.run(60_000);
      const { status } = (await w.operations.info(id)) ?? {};
      expect(status).toBe(what === 'pause' ? 'filled' : 'cancelled');
      expect(w.observer.failures).toEqual([]);
    },
  );

  test('the resting order of the previous slice is cancelled before the slice is decided ahead', async () => {
    const w = await started({ settings: { guardShare: 0 } });
    const priceOptions = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
    await submitted(w, form({ legs: [legForm({ priceOptions })], execution: {} }));
    await w.run(10_000);
    const states = w.venue.kept.map(({ order }) => [order.state, text(order.quantity)]);
    expect(states[0]).toEqual(['cancelled', '100']);
    expect(states).toHaveLength(2);
  });

  test('two legs decided ahead are sent together', async () => {
    const w = await started();
    await submitted(w, form({ legs: [legForm(), legForm()] }));
    await w.run(30_000);
    expect(w.venue.kept.length).toBe(8);
    expect(new Set(w.observer.lateMs)).toEqual(new Set([0]));
  });
});

describe('a slice of a crowd', () => {
  const CROWD_MS = 250;
  const SECOND_DUE = later(NOON, 10_000);

  test('a slice whose wake-up comes up to 250 ms sooner is decided then, and sent exactly on time', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(10_000 - ARM_MS - CROWD_MS - 1);
    await w.engine.advance(id, SECOND_DUE);
    expect(intended(w)).toHaveLength(1);
    await w.run(1);
    await w.engine.advance(id, SECOND_DUE);
    expect(intended(w)).toHaveLength(2);
    await w.run(ARM_MS + CROWD_MS - 1);
    expect(w.venue.requests).toBe(1);
    await w.run(1);
    expect(w.venue.requests).toBe(2);
    expect(w.observer.lateMs).toEqual([0, 0]);
  });

  test('a wake-up for another instant decides no slice sooner', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(10_000 - ARM_MS - 1);
    await w.engine.advance(id);
    await w.engine.advance(id, later(SECOND_DUE, 10_000));
    expect(intended(w)).toHaveLength(1);
  });

  test('a slice is not decided sooner while an order rests, which may still be filled', async () => {
    const w = await started();
    const resting = legForm({
      priceOptions: { priceType: 'limit', priceIn: 'USD', price: price('99000') },
    });
    const id = await submitted(w, form({ legs: [resting] }));
    await w.run(9_000);
    expect(intended(w)).toHaveLength(1);
    expect(w.engine.turns.peek(id)?.children.size).toBe(1);
    await w.run(1_000 - ARM_MS - CROWD_MS);
    await w.engine.advance(id, SECOND_DUE);
    expect(intended(w)).toHaveLength(1);
    await w.run(CROWD_MS);
    expect(intended(w)).toHaveLength(2);
  });

  test('no slice is decided sooner where slices are decided when they are due', async () => {
    const w = await started({ settings: { armMs: 0 } });
    const id = await submitted(w, form());
    await w.run(9_999);
    await w.engine.advance(id, SECOND_DUE);
    expect(intended(w)).toHaveLength(1);
  });
});
