// Asking the queue for many wakes: paced, the nearest first, and one report for all that it refuses.
import { expect, test } from 'vitest';
import { IN_FLIGHT_MAX, WakeRequests } from '../../../src/engine/scheduling/request-wakes.ts';
import type { JobQueue, Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const MANY = 60_000;
/** As many as the adapter lets wait. */
const HELD_MAX = 50_000;
const TRIP_MS = 20;

/** A queue that answers after a round trip, holds a bounded number, and can be made to refuse. */
function stage() {
  const clock = new VirtualClock(NOON);
  const observer = witness();
  const named: unknown[] = [];
  const failed = observer.failed.bind(observer);
  observer.failed = (failure) => {
    named.push(failure.portfolio);
    failed(failure);
  };
  const inner = new VirtualQueue(clock, { onFault: (error) => expect.unreachable(String(error)) });
  const state = { isDown: false, inFlight: 0, inFlightMost: 0 };
  const asked: Wake[] = [];
  let trips: Promise<void> | undefined;
  /** All that leaves in one instant comes back in one. */
  const trip = (): Promise<void> => {
    trips ??= new Promise<void>((done) => clock.at(later(clock.now(), TRIP_MS), done)).then(() => {
      trips = undefined;
    });
    return trips;
  };
  const queue: JobQueue = {
    schedule: async (wake) => {
      asked.push(wake);
      if (state.inFlight >= HELD_MAX) throw new Error(`${HELD_MAX} wakes already wait to be added`);
      state.inFlight += 1;
      state.inFlightMost = Math.max(state.inFlightMost, state.inFlight);
      await trip();
      state.inFlight -= 1;
      if (state.isDown) throw new Error('adding jobs to Redis took longer than 2300 ms');
      await inner.schedule(wake);
    },
    start: (onWake) => inner.start(onWake),
    depth: () => inner.depth(),
    close: () => inner.close(),
  };
  const refused = new Set<string>();
  const requests = new WakeRequests({
    ...{ clock, queue, observer },
    isWanted: () => true,
    onScheduled: ({ portfolio }) => refused.delete(portfolio),
    onRefused: ({ portfolio }) => refused.add(portfolio),
  });
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return { observer, named, inner, state, asked, refused, requests, run };
}

/** Due in another order than they are asked for. */
const WAKES: readonly Wake[] = Array.from({ length: MANY }, (_, index) => ({
  portfolio: portfolioId(String(index + 1)),
  dueAt: later(NOON, 3_600_000 + ((index * 7_919) % MANY)),
}));

test('more wakes than the queue holds are all taken, and none is refused', async () => {
  const s = stage();
  s.requests.askAll(WAKES);
  await s.run(60_000);
  expect(await s.inner.depth()).toMatchObject({ delayed: MANY });
  expect(s.state.inFlightMost).toBeLessThanOrEqual(IN_FLIGHT_MAX);
  expect(s.asked).toHaveLength(MANY);
  expect(s.observer.failures).toEqual([]);
});

test('the nearest are asked for first, also those that come while others wait', async () => {
  const s = stage();
  s.requests.askAll(WAKES);
  const near = { portfolio: portfolioId('999999'), dueAt: later(NOON, 1_000) };
  s.requests.ask(near);
  await s.run(60_000);
  const dues = s.asked.filter((wake) => wake !== near).map(({ dueAt }) => dueAt);
  expect(dues).toEqual(dues.toSorted((a, b) => a - b));
  expect(s.asked.indexOf(near)).toBe(IN_FLIGHT_MAX);
});

test('a queue that times out costs one error with its count, and the wakes are all known to be refused', async () => {
  const s = stage();
  s.state.isDown = true;
  s.requests.askAll(WAKES);
  await s.run(10_000);
  expect(s.refused.size).toBe(MANY);
  expect(s.asked).toHaveLength(IN_FLIGHT_MAX);
  expect(s.observer.failures).toHaveLength(1);
  const [{ where, error } = { where: '', error: '' }] = s.observer.failures;
  expect(where).toBe('queue.schedule');
  expect(String(error)).toContain(`${MANY} wakes could not be scheduled`);
  expect(String(error)).toContain('took longer than 2300 ms');
});

test('asked for again when the queue is back they are all taken, however often it failed before', async () => {
  const s = stage();
  for (const isDown of [true, true, true, false]) {
    s.state.isDown = isDown;
    s.requests.askAll(WAKES);
    await s.run(30_000);
  }
  expect(await s.inner.depth()).toMatchObject({ delayed: MANY });
  expect(s.refused.size).toBe(0);
  expect(s.observer.failures).toHaveLength(3);
});

test('a single refusal names its portfolio', async () => {
  const s = stage();
  s.state.isDown = true;
  s.requests.ask({ portfolio: portfolioId('7'), dueAt: later(NOON, 1_000) });
  await s.run(1_000);
  expect(s.observer.failures).toMatchObject([{ where: 'queue.schedule' }]);
  expect(s.named).toEqual(['7']);
});
