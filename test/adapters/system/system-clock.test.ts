import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { later } from '../../../src/values/instant.ts';
import { clockConformance } from '../../conformance/clock.ts';
import { until } from '../until.ts';
import { heldTime } from './held-time.ts';

/** A clock whose nth call is scheduled with the punctuality that `punctuality(nth)` returns. */
function asking(clock: Clock, punctuality: (nth: number) => 'exact' | undefined): Clock {
  let nth = 0;
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    at: (dueAt, then) => {
      nth += 1;
      return clock.at(dueAt, then, punctuality(nth));
    },
  };
}

describe('SystemClock', () => {
  clockConformance(() => ({ clock: new SystemClock(), until }));
});

describe('SystemClock, to the tenth of a millisecond', () => {
  clockConformance(() => ({ clock: asking(new SystemClock(), () => 'exact'), until }));
});

describe('SystemClock without spinning', () => {
  clockConformance(() => ({
    clock: asking(new SystemClock({ spinShareMax: 0 }), () => 'exact'),
    until,
  }));
});

test('exact and inexact calls come in the order of their instants', async () => {
  const clock = asking(new SystemClock(), (nth) => (nth % 3 === 0 ? 'exact' : undefined));
  const start = later(clock.now(), 10);
  const called: number[] = [];
  const dueMs = Array.from({ length: 200 }, (_, i) => (i * 37) % 100);
  for (const ms of dueMs) clock.at(later(start, ms), () => called.push(ms));
  await until(() => called.length >= dueMs.length);
  expect(called).toEqual(dueMs.toSorted((a, b) => a - b));
});

test('of a thousand calls within a fifth of a second none is early, none is lost, and all are in order', async () => {
  const clock = new SystemClock();
  const start = later(clock.now(), 20);
  const called: number[] = [];
  const early: number[] = [];
  await new Promise<void>((done) => {
    for (let i = 0; i < 1_000; i += 1) {
      const dueAt = later(start, Math.floor(i / 5));
      const then = (): void => {
        if (clock.now() < dueAt) early.push(i);
        if (called.push(i) === 1_000) done();
      };
      clock.at(dueAt, then, 'exact');
    }
  });
  expect(early).toEqual([]);
  expect(called).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
});

test('calls beyond the range of a timer wait', async () => {
  const clock = new SystemClock({ unref: true });
  let called = false;
  const stop = clock.at(later(clock.now(), 2 ** 33), () => {
    called = true;
  });
  // Absence: a delay beyond 32 bits would be over after a millisecond.
  await sleep(30);
  expect(called).toBe(false);
  stop();
});

test('an exception of one call reaches the process, and the other calls still come', async () => {
  const seen: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => seen.push(error));
  try {
    const clock = new SystemClock();
    const dueAt = later(clock.now(), 5);
    const called: string[] = [];
    clock.at(dueAt, () => called.push('before'));
    clock.at(dueAt, () => {
      throw new Error('thrown by a call');
    });
    clock.at(dueAt, () => called.push('after'));
    await until(() => called.includes('after'));
    expect(called).toEqual(['before', 'after']);
    expect(seen).toEqual([new Error('thrown by a call')]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
});

describe('when the wall clock jumps', () => {
  test.each([30_000, -15_000])(
    'after a jump of %i ms calls armed before it keep their moment and come once',
    async (jumpMs) => {
      const { clock, steps, ...time } = heldTime();
      const start = clock.monotonicMs();
      const calledAfterMs: number[] = [];
      clock.at(later(clock.now(), 80), () => calledAfterMs.push(clock.monotonicMs() - start));
      time.jump(jumpMs);
      time.pass(79);
      await time.looked();
      expect(calledAfterMs).toEqual([]);
      time.pass(1);
      await until(() => calledAfterMs.length > 0);
      let isOver = false;
      clock.at(later(clock.now(), 100), () => {
        isOver = true;
      });
      time.pass(100);
      await until(() => isOver);
      expect(calledAfterMs).toEqual([80]);
      expect(steps).toEqual([jumpMs]);
    },
  );

  test('calls armed after a jump follow the new wall clock', async () => {
    const { clock, steps, ...time } = heldTime();
    const dueAt = later(clock.now(), 3_600_040);
    time.jump(3_600_000);
    const calledAt: number[] = [];
    clock.at(dueAt, () => calledAt.push(clock.now()));
    time.pass(39);
    await time.looked();
    expect(calledAt).toEqual([]);
    time.pass(1);
    await until(() => calledAt.length > 0);
    expect(calledAt).toEqual([dueAt]);
    expect(steps).toEqual([3_600_000]);
  });

  test('a small correction is followed without being reported, and no call is early', async () => {
    const { clock, steps, ...time } = heldTime();
    const dueAt = later(clock.now(), 30);
    const calledAt: number[] = [];
    clock.at(dueAt, () => calledAt.push(clock.now()));
    time.jump(-40);
    time.pass(69);
    await time.looked();
    expect(calledAt).toEqual([]);
    time.pass(1);
    await until(() => calledAt.length > 0);
    expect(calledAt).toEqual([dueAt]);
    expect(steps).toEqual([]);
  });
});
