// The owner's index of what is due: requests to the queue within a horizon, paced and nearest first, one report for all
// that it refuses, and what it does not deliver in time.

import { expect, test } from 'vitest';
import type { DueEntry } from '../../../src/core/schedule/due-index.ts';
import {
  CATCH_MS,
  DueWakes,
  type DueWakesOptions,
  HORIZON_MS,
  STEP_MS,
} from '../../../src/engine/scheduling/due-wakes.ts';
import { IN_FLIGHT_MAX } from '../../../src/engine/scheduling/request-wakes.ts';
import type { JobQueue, Wake } from '../../../src/ports/job-queue.ts';
import { observing } from '../../../src/ports/observer.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const MANY = 60_000;
/** The number of jobs that the adapter lets wait. */
const HELD_MAX = 50_000;
const TRIP_MS = 20;

/** A queue that replies after a round trip, holds a limited number of jobs, and refuses or loses on request. */
function stage({ wakesAheadMs }: Pick<DueWakesOptions, 'wakesAheadMs'> = {}) {
  const clock = new VirtualClock(NOON);
  const seen = witness();
  const named: unknown[] = [];
  const recorded = observing(
    {
      failed: (failure) => {
        named.push(failure.portfolio);
        seen.observe(failure);
      },
    },
    seen,
  );
  const observer = { ...seen, ...recorded };
  const inner = new VirtualQueue(clock, { onFault: (error) => expect.unreachable(String(error)) });
  const state = { isDown: false, isLosing: false, inFlight: 0, inFlightMost: 0, aheadMost: 0 };
  const asked: Wake[] = [];
  let trips: Promise<void> | undefined;
  /** Everything sent in one instant is answered in one instant. */
  const trip = (): Promise<void> => {
    trips ??= new Promise<void>((done) => clock.at(later(clock.now(), TRIP_MS), done)).then(() => {
      trips = undefined;
    });
    return trips;
  };
  const queue: Pick<JobQueue, 'schedule'> = {
    schedule: async (wake) => {
      asked.push(wake);
      state.aheadMost = Math.max(state.aheadMost, wake.dueAt - clock.now());
      if (state.inFlight >= HELD_MAX) throw new Error(`${HELD_MAX} wakes already wait to be added`);
      state.inFlight += 1;
      state.inFlightMost = Math.max(state.inFlightMost, state.inFlight);
      await trip();
      state.inFlight -= 1;
      if (state.isDown) throw new Error('adding jobs to Redis took longer than 2300 ms');
      if (!state.isLosing) await inner.schedule(wake);
    },
  };
  /** By portfolio, how late it was woken by the index itself. */
  const own = new Map<PortfolioId, number>();
  const dueAt = new Map<PortfolioId, number>();
  const due = new DueWakes({
    clock,
    queue,
    observer,
    wakesAheadMs,
    slicesOf: ({ leg, slice, dueAt: at }) =>
      leg === undefined || slice === undefined ? [] : [{ leg, slice, dueAt: at }],
    onDue: (portfolio) => own.set(portfolio, clock.now() - (dueAt.get(portfolio) ?? Number.NaN)),
  });
  const delivered: Wake[] = [];
  void inner.start((wake) => {
    if (due.received(wake)) delivered.push(wake);
    return Promise.resolve();
  });
  const put = (entry: DueEntry): void => {
    dueAt.set(entry.portfolio, entry.dueAt);
    due.put(entry);
  };
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return { clock, observer, named, inner, state, asked, own, delivered, due, put, run };
}

const entry = (id: number, inMs: number, shard = id % 256): DueEntry => ({
  portfolio: portfolioId(String(id)),
  shard,
  dueAt: later(NOON, inMs),
});

/** All within the horizon, and put in another order than they are due. */
const ENTRIES = Array.from({ length: MANY }, (_, index) =>
  entry(index + 1, 30_000 + Math.floor(((index * 7_919) % MANY) / 3)),
);

test('nothing is requested before it is within the horizon, and everything is delivered once', async () => {
  const s = stage();
  for (let i = 1; i <= 200; i += 1) s.put(entry(i, i * 7_000));
  await s.run(5_000);
  expect(s.asked.length).toBeLessThanOrEqual((HORIZON_MS + 5_000) / 7_000);
  expect(s.asked.length).toBeGreaterThanOrEqual((HORIZON_MS + 5_000 - STEP_MS) / 7_000 - 1);
  await s.run(200 * 7_000);
  expect(s.state.aheadMost).toBeLessThanOrEqual(HORIZON_MS);
  expect(s.delivered).toHaveLength(200);
  expect(s.own.size + s.due.size).toBe(0);
});

test('where the queue holds wake-ups for longer, each is requested as soon as it is known', async () => {
  const s = stage({ wakesAheadMs: 100 * HORIZON_MS });
  for (let i = 1; i <= 20; i += 1) s.put(entry(i, i * HORIZON_MS));
  expect(s.asked).toHaveLength(20);
  await s.run(20 * HORIZON_MS);
  expect(s.delivered).toHaveLength(20);
  expect(s.own.size + s.due.size).toBe(0);
});

test('once nothing is due any more, no timer is left', async () => {
  const s = stage();
  for (let i = 1; i <= 5; i += 1) s.put(entry(i, i * 1_000));
  await s.run(5_000);
  expect(s.delivered).toHaveLength(5);
  expect(s.clock.nextDueAt()).toBeUndefined();
});

test('portfolios due in the same step are requested at once, so that those of a shard share a job', async () => {
  const s = stage();
  const first = HORIZON_MS + 2 * STEP_MS;
  for (let i = 0; i < 10; i += 1) s.put(entry(i + 1, first + (i * STEP_MS) / 10));
  await s.run(2 * STEP_MS);
  expect(s.asked).toHaveLength(0);
  await s.run(STEP_MS);
  expect(s.asked).toHaveLength(10);
});

test('what is due sooner than the horizon is requested when it is put in, with its leg and slice', () => {
  const s = stage();
  s.put({ ...entry(7, 10_000), leg: 1, slice: 41 });
  expect(s.asked).toEqual([
    {
      ...entry(7, 10_000),
      slices: [{ leg: 1, slice: 41, dueAt: later(NOON, 10_000) }],
    },
  ]);
});

test('a portfolio that is moved is due at its new instant only, one that is removed at none', async () => {
  const s = stage();
  s.put(entry(1, 10_000));
  s.put(entry(1, 20_000));
  s.put(entry(2, 10_000));
  s.due.remove(portfolioId('2'));
  s.put(entry(3, 10_000, 9));
  s.put(entry(4, 900_000, 9));
  s.due.removeShard(9);
  s.put(entry(5, 10_000));
  s.put(entry(5, 200_000));
  expect(s.due.size).toBe(2);
  await s.run(1_000_000);
  expect(s.delivered).toEqual([entry(1, 20_000), entry(5, 200_000)]);
  expect(s.own.size).toBe(0);
});

test('the same portfolio put in twice for one instant is requested once', async () => {
  const s = stage();
  s.put(entry(1, 10_000));
  s.put(entry(1, 10_000));
  await s.run(1_000);
  s.put(entry(1, 10_000));
  expect(s.asked).toHaveLength(1);
});

test('what is due until an instant is listed in order, requested or not', async () => {
  const s = stage();
  for (const [id, inMs] of [
    [1, 90_000],
    [2, 5_000],
    [3, 61_500],
    [4, 30_000],
  ] as const) {
    s.put(entry(id, inMs));
  }
  await s.run(100);
  const until = (inMs: number) => s.due.dueUntil(later(NOON, inMs)).map((one) => one.portfolio);
  expect(until(61_500)).toEqual(['2', '4', '3']);
  expect(until(61_499)).toEqual(['2', '4']);
  expect(until(4_999)).toEqual([]);
});

test('more portfolios than the queue takes at once are all requested, the nearest first, and none is refused', async () => {
  const s = stage();
  s.state.isLosing = true;
  for (const one of ENTRIES) s.put(one);
  s.asked.length = 0;
  s.due.rearm('all');
  await s.run(10_000);
  expect(s.state.inFlightMost).toBeLessThanOrEqual(IN_FLIGHT_MAX);
  const dues = s.asked.map(({ dueAt }) => dueAt);
  expect(dues).toHaveLength(MANY);
  expect(dues).toEqual(dues.toSorted((a, b) => a - b));
  expect(s.observer.failures).toEqual([]);
});

test('after the queue lost its jobs what is within the horizon is requested again, and no more', async () => {
  const s = stage();
  for (let i = 1; i <= 400; i += 1) s.put(entry(i, i * 1_000));
  await s.run(10_500);
  expect(s.delivered).toHaveLength(10);
  s.inner.wipe();
  const before = s.asked.length;
  s.due.rearm('all');
  await s.run(50);
  expect(s.asked.length - before).toBe(HORIZON_MS / 1_000 - 1);
  await s.run(400_000);
  expect(s.delivered).toHaveLength(400);
  expect(s.own.size).toBe(0);
});

test('what the queue does not deliver is woken a moment after it was due, once, and counted', async () => {
  const s = stage();
  s.state.isLosing = true;
  for (let i = 1; i <= 3; i += 1) s.put(entry(i, 10_000));
  s.put(entry(4, 70_000));
  await s.run(10_000 + CATCH_MS - 1);
  expect(s.own.size).toBe(0);
  await s.run(1);
  expect([...s.own]).toEqual(['1', '2', '3'].map((id) => [id, CATCH_MS]));
  expect(s.observer.rescues).toEqual([3]);
  await s.run(100_000);
  expect(s.own.get(portfolioId('4'))).toBe(CATCH_MS);
  expect(s.observer.rescues).toHaveLength(2);
});

test('a queue that times out causes one error with the count, and this process wakes at the due instants', async () => {
  const s = stage();
  s.state.isDown = true;
  for (const one of ENTRIES) s.put(one);
  await s.run(20_000);
  expect(s.asked).toHaveLength(IN_FLIGHT_MAX);
  expect(s.observer.failures).toHaveLength(1);
  const [{ where, error } = { where: '', error: '' }] = s.observer.failures;
  expect(where).toBe('queue.schedule');
  expect(String(error)).toContain(`${MANY} wakes could not be scheduled`);
  expect(String(error)).toContain('took longer than 2300 ms');
  await s.run(60_000);
  expect(s.own.size).toBe(MANY);
  expect(Math.max(...s.own.values())).toBe(0);
  expect(s.observer.rescues).toEqual([]);
});

test('while the queue refuses it is tried at growing intervals, and everything refused is requested once it is back', async () => {
  const s = stage();
  s.state.isDown = true;
  for (let i = 1; i <= 600; i += 1) s.put(entry(i, 60_000 + i * 1_000));
  await s.run(300_000);
  expect(s.asked.length).toBeLessThan(30);
  expect(s.observer.failures.length).toBeLessThan(20);
  expect(s.own.size).toBe(240);
  expect(Math.max(...s.own.values())).toBe(0);
  s.state.isDown = false;
  s.due.rearm('refused');
  await s.run(400_000);
  expect(s.own.size).toBe(240);
  expect(s.delivered).toHaveLength(360);
});

test('the report of a single refusal names its portfolio', async () => {
  const s = stage();
  s.state.isDown = true;
  s.put(entry(7, 1_000));
  await s.run(1_000);
  expect(s.observer.failures).toMatchObject([{ where: 'queue.schedule' }]);
  expect(s.named).toEqual(['7']);
});
