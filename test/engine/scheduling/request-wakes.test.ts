// Requesting many wake-ups from the queue: paced, the nearest first, and one report for all that it refuses.
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
/** The number of jobs that the adapter lets wait. */
const HELD_MAX = 50_000;
const TRIP_MS = 20;

/** A queue that replies after a round trip, holds a limited number of jobs, and refuses on request. */
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
  /** Everything sent in one instant is answered in one instant. */
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

/** Due in another order than they are requested. */
const WAKES: readonly Wake[] = Array.from({ length: MANY }, (_, index) => ({
  portfolio: portfolioId(String(index + 1)),
  dueAt: later(NOON, 3_600_000 + ((index * 7_919) % MANY)),
}));

test('more wake-ups than the queue holds are all scheduled, and none is refused', async () => {
  const s = stage();
  s.requests.askAll(WAKES);
  await s.run(60_000);
  expect(await s.inner.depth()).toMatchObject({ delayed: MANY });
  expect(s.state.inFlightMost).toBeLessThanOrEqual(IN_FLIGHT_MAX);
  expect(s.asked).toHaveLength(MANY);
  expect(s.observer.failures).toEqual([]);
});

test('the nearest wake-ups are requested first, including those added while others wait', async () => {
  const s = stage();
  s.requests.askAll(WAKES);
  const near = { portfolio: portfolioId('999999'), dueAt: later(NOON, 1_000) };
  s.requests.ask(near);
  await s.run(60_000);
  const dues = s.asked.filter((wake) => wake !== near).map(({ dueAt }) => dueAt);
  expect(dues).toEqual(dues.toSorted((a, b) => a - b));
  expect(s.asked.indexOf(near)).toBe(IN_FLIGHT_MAX);
});

test('a queue that times out causes one error with the count, and all wake-ups count as refused', async () => {
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

test('wake-ups requested again once the queue is back are all scheduled, after any number of failures', async () => {
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

test('the report of a single refusal names its portfolio', async () => {
  const s = stage();
  s.state.isDown = true;
  s.requests.ask({ portfolio: portfolioId('7'), dueAt: later(NOON, 1_000) });
  await s.run(1_000);
  expect(s.observer.failures).toMatchObject([{ where: 'queue.schedule' }]);
  expect(s.named).toEqual(['7']);
});
