// States that leave memory: the portfolio is still owned and counted, and is loaded again by what is due, requested or
// reported.
import { describe, expect, test } from 'vitest';
import { PortfolioTally } from '../../../src/adapters/telemetry/observer/portfolio-tally.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type PortfolioId, tradeId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryStateSnapshots } from '../../doubles/memory/memory-state-snapshots.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const HOUR_MS = 3_600_000;

async function started(parts: Parameters<typeof world>[0] = {}): Promise<World> {
  const clock = parts.clock ?? new VirtualClock(NOON);
  const ledger = parts.ledger ?? new MemoryLedger({ now: () => clock.now() });
  const snapshots = new MemoryStateSnapshots(ledger);
  const w = world({ clock, ledger, snapshots, stateBytesMax: 0, ...parts });
  w.venue.isTalkative = true;
  show(w);
  await w.engine.start();
  return w;
}

const show = (w: World): void => w.venue.show(quote(PERP, [99_999.5, 100_000]));

/** Quotes stay fresh as time passes. */
async function run(w: World, forMs: number): Promise<void> {
  for (let left = forMs; left > 0; left -= 1_000) {
    show(w);
    await w.run(Math.min(left, 1_000));
  }
}

const filledOf = (w: World, id: PortfolioId): string =>
  text(must(w.engine.turns.peek(id)?.legs[0], 'it is in memory').filled);

const waiting = (w: World): Promise<PortfolioId> =>
  submitted(w, form({ startAt: later(NOON, HOUR_MS) }));

/** Six slices, one every five minutes. */
const slow = (w: World): Promise<PortfolioId> =>
  submitted(
    w,
    form({
      legs: [legForm({ quantity: quantity('600') })],
      twapTrade: { durationSec: 1_800, frequencySec: 300 },
    }),
  );

test('a portfolio that waits for its start is not in memory, and its first slice is on time', async () => {
  const w = await started();
  const id = await waiting(w);
  await w.run(3_000);
  expect(w.engine.turns.peek(id)).toBeUndefined();
  expect(w.assembled.stats()).toMatchObject({ portfolios: 0, resting: 1, alarms: 0, watched: 0 });
  expect(w.engine.versionOf(id)).toBe(1);
  await w.run(HOUR_MS - 63_500);
  expect(w.engine.turns.peek(id)).toBeUndefined();
  await w.run(2_000);
  expect(w.engine.turns.peek(id)?.status).toBe('pending');
  await run(w, 130_000);
  expect(w.engine.turns.peek(id)?.status).toBe('filled');
  expect(Math.max(...w.observer.lateMs)).toBeLessThan(5);
  expect(w.observer.rescues).toEqual([]);
  expect(w.observer.failures).toEqual([]);
});

test('a portfolio between two slices is not in memory, and every slice is on time', async () => {
  const w = await started();
  const id = await slow(w);
  await run(w, 5_000);
  expect(w.engine.turns.peek(id)).toBeUndefined();
  await run(w, 1_810_000);
  expect(w.engine.turns.peek(id)?.status).toBe('filled');
  expect(w.observer.lateMs).toHaveLength(6);
  expect(Math.max(...w.observer.lateMs)).toBeLessThan(5);
});

describe('a portfolio that is not in memory is loaded', () => {
  test('by a late fill of one of its orders, which is booked', async () => {
    const w = await started();
    const id = await slow(w);
    await run(w, 5_000);
    expect(w.engine.turns.peek(id)).toBeUndefined();
    const trade = must(w.venue.kept.flatMap(({ trades }) => trades)[0], 'it has traded');
    w.assembled.recordMissed({ ...trade, tradeId: tradeId('late'), quantity: quantity('10') });
    await w.run(10);
    expect(filledOf(w, id)).toBe('110');
    expect(w.observer.failures).toEqual([]);
  });

  test('by a request, which is decided on its state', async () => {
    const w = await started();
    const [paused, cancelled] = [await waiting(w), await slow(w)];
    await run(w, 5_000);
    expect([w.engine.turns.peek(paused), w.engine.turns.peek(cancelled)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await w.operations.pause(paused, BY)).toMatchObject({ kind: 'done' });
    expect(await w.operations.cancel(cancelled, BY)).toMatchObject({ kind: 'done' });
    expect(w.engine.turns.peek(paused)?.paused?.by).toBe(BY.uid);
    expect(w.engine.turns.peek(cancelled)?.status).toBe('cancelled');
    expect(w.assembled.stats().resting).toBe(0);
  });
});

test('portfolios with open orders, and those that are due soon, stay in memory', async () => {
  const w = await started();
  const priceOptions = { priceType: 'limit', price: price('50000'), priceIn: 'USD' } as const;
  const twapTrade = { durationSec: 1_800, frequencySec: 300 };
  const open = await submitted(w, form({ legs: [legForm({ priceOptions })], twapTrade }));
  const soon = await submitted(w, form({ startAt: later(NOON, 100_000) }));
  await run(w, 10_000);
  expect(w.engine.turns.peek(open)?.children.size).toBe(1);
  expect(w.engine.turns.peek(soon)?.status).toBe('pending');
});

test('nothing leaves memory while the states take less than their share', async () => {
  const w = await started({ stateBytesMax: 20_000 });
  const first = await Promise.all([waiting(w), waiting(w), waiting(w)]);
  await w.run(5_000);
  expect(w.assembled.stats()).toMatchObject({ portfolios: 3, resting: 0 });
  const more = await Promise.all([waiting(w), waiting(w), waiting(w)]);
  await w.run(5_000);
  expect(first.filter((id) => w.engine.turns.peek(id) === undefined).length).toBeGreaterThan(0);
  expect(more.every((id) => w.engine.turns.peek(id) !== undefined)).toBe(true);
});

test('gauges count portfolios that are not in memory like those that are', async () => {
  const w = await started();
  const tally = new PortfolioTally(() => ({ now: w.clock.now(), cancellingSince: () => NOON }));
  w.engine.turns.follow((change) => tally.changed(change));
  await Promise.all([waiting(w), waiting(w)]);
  const id = await slow(w);
  await run(w, 5_000);
  expect(w.assembled.stats()).toMatchObject({ portfolios: 0, resting: 3 });
  expect(tally.portfolios).toEqual({ pending: 2, active: 1, cancelling: 0 });
  expect(tally.legs).toBe(3);
  const progress = () => tally.progress({ now: w.clock.now(), cancellingSince: () => NOON });
  expect((await progress()).filled).toBeCloseTo(1 / 6, 6);
  const later = new PortfolioTally(() => ({ now: w.clock.now(), cancellingSince: () => NOON }));
  w.engine.turns.follow((change) => later.changed(change));
  expect([later.portfolios, later.legs]).toEqual([tally.portfolios, tally.legs]);
  await w.operations.cancel(id, BY);
  expect(tally.portfolios).toEqual({ pending: 2, active: 0, cancelling: 0 });
  expect([tally.legs, (await progress()).filled]).toEqual([2, 0]);
});

test('a start does not load portfolios that have not begun, but asks the venue about their accounts', async () => {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const before = await started({ clock, ledger });
  const [late, active] = [await waiting(before), await slow(before)];
  const soon = await submitted(before, form({ startAt: later(NOON, 40_000) }));
  await run(before, 5_000);
  before.engine.stop();
  const w = await started({ clock, ledger, venue: before.venue });
  expect(w.engine.turns.peek(late)).toBeUndefined();
  expect(w.assembled.stats()).toMatchObject({ portfolios: 2, resting: 1 });
  expect([w.engine.turns.peek(active)?.status, w.engine.turns.peek(soon)?.status]).toEqual([
    'active',
    'pending',
  ]);
  await run(w, HOUR_MS + 70_000);
  expect(w.engine.turns.peek(late)?.status).toBe('filled');
  expect(Math.max(...w.observer.lateMs)).toBeLessThan(5);
});
