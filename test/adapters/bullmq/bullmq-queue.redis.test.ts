import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { BullmqQueue } from '../../../src/adapters/bullmq/bullmq-queue.ts';
import { checkRedis } from '../../../src/adapters/bullmq/check-redis.ts';
import { WAKES_PER_JOB_MAX } from '../../../src/adapters/bullmq/wake-job.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { jobQueueConformance } from '../../conformance/job-queue.ts';
import { redisPrefix, redisUrl } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const clock = new SystemClock();
const FAR_MS = 700;

describe('BullmqQueue', () => {
  jobQueueConformance(() => {
    const faults: unknown[] = [];
    const queue = new BullmqQueue(clock, {
      url: redisUrl(),
      prefix: redisPrefix(),
      report: (_place, error) => faults.push(error),
    });
    return Promise.resolve({
      clock,
      queue,
      until,
      pass: (ms: number) => sleep(ms),
      faults: () => faults,
    });
  }, FAR_MS);
});

describe('several workers on one queue', () => {
  const opened: BullmqQueue[] = [];
  const openOn = (prefix: string, faults: unknown[] = [], leadMs = 300): BullmqQueue => {
    const queue = new BullmqQueue(clock, {
      url: redisUrl(),
      prefix,
      report: (_place, error) => faults.push(error),
      concurrency: 8,
      leadMs,
    });
    opened.push(queue);
    return queue;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
  });

  test('workers on one queue share the wakes, and each wake is called once', async () => {
    const prefix = redisPrefix();
    const faults: unknown[] = [];
    const [one, two] = [openOn(prefix, faults), openOn(prefix, faults)];
    const calls: string[] = [];
    const called = (wake: Wake): void => void calls.push(wake.portfolio);
    // The first is busy until the second has called: it can hold only so many jobs, and the rest are shared.
    let begin = (): void => undefined;
    const hasBegun = new Promise<void>((done) => {
      begin = done;
    });
    await one.start((wake) => {
      called(wake);
      return hasBegun;
    });
    await two.start((wake) => {
      called(wake);
      begin();
      return Promise.resolve();
    });
    const start = later(clock.now(), FAR_MS);
    const asked = Array.from({ length: 60 }, (_, i) => portfolioId(`${i + 1}`));
    // Spaced so that many jobs carry them.
    await Promise.all(
      asked.map((portfolio, i) =>
        one.schedule({ portfolio, shard: 7, dueAt: later(start, i * 40) }),
      ),
    );
    await until(() => calls.length >= asked.length);
    // Absence: a wake that both workers took would be called a second time.
    await sleep(200);
    expect(calls.toSorted()).toEqual([...asked].toSorted());
    expect(faults).toEqual([]);
  });

  test('the wakes of a job are offered together before they are due, and those passed on are not called', async () => {
    const queue = openOn(redisPrefix());
    const offered: (readonly Wake[])[] = [];
    const called: Wake[] = [];
    await queue.start(
      (wake) => {
        called.push(wake);
        return Promise.resolve();
      },
      (wakes) => {
        offered.push(wakes);
        return Promise.resolve(wakes[0]?.shard === 7);
      },
    );
    const second = Math.ceil((clock.now() + FAR_MS) / 1_000) * 1_000;
    const wakeOf = (id: number, shard: number): Wake => {
      return { portfolio: portfolioId(`${id}`), shard, dueAt: instant(second + id * 10) };
    };
    const passed = [wakeOf(1, 7), wakeOf(2, 7), wakeOf(3, 7)];
    const kept = [wakeOf(4, 8), wakeOf(5, 8)];
    await Promise.all([...passed, ...kept].map((wake) => queue.schedule(wake)));
    await until(() => called.length >= kept.length);
    // Absence: those passed on are due before the last that is kept.
    await sleep(100);
    expect(called).toEqual(kept);
    expect(offered.toSorted((a, b) => a.length - b.length)).toEqual([kept, passed]);
    expect((await queue.depth()).active).toBe(0);
  });

  test('wakes waiting in a closing process are called by another', async () => {
    const prefix = redisPrefix();
    // A lead that leaves seconds between the first wake in hand and its instant, for a busy machine.
    const leadMs = 5_000;
    const leaving = openOn(prefix, [], leadMs);
    const calledByLeaving: Wake[] = [];
    await leaving.start((wake) => {
      calledByLeaving.push(wake);
      return Promise.resolve();
    });
    const held: Wake[] = [];
    for (let i = 0; i < 4; i += 1) {
      // Some through Redis, some directly: all are waiting at the time of the close.
      if (i === 2) await sleep(150);
      const wake = {
        portfolio: portfolioId(`${i + 1}`),
        shard: 7,
        dueAt: later(clock.now(), i < 2 ? leadMs + 120 : leadMs - 20),
      };
      held.push(wake);
      await leaving.schedule(wake);
    }
    await leaving.close();
    expect(calledByLeaving).toEqual([]);
    const staying = openOn(prefix, [], leadMs);
    const called: Wake[] = [];
    await staying.start((wake) => {
      called.push(wake);
      return Promise.resolve();
    });
    await until(() => called.length >= held.length);
    const names = (wakes: readonly Wake[]): string[] =>
      wakes.map((wake) => wake.portfolio).toSorted();
    expect(names(called)).toEqual(names(held));
  });
});

test('a job without wakes is reported and removed, one of an earlier version only removed', async () => {
  const prefix = redisPrefix();
  const faults: string[] = [];
  const queue = new BullmqQueue(clock, {
    url: redisUrl(),
    prefix,
    report: (place, error) => faults.push(`${place}: ${error}`),
  });
  const client = new Redis(redisUrl());
  try {
    await queue.start(() => Promise.resolve());
    const { Queue } = await import('bullmq');
    const strange = new Queue('twapd-wake', { connection: client, prefix });
    const opts = { removeOnFail: true, removeOnComplete: true };
    // Of an earlier version: nobody waits for it any more.
    await strange.add('wakes', { wakes: [['7', 1]] }, opts);
    await strange.add('slices', { shard: 7, slices: [{ portfolio: '7; DROP', wakeAt: 1 }] }, opts);
    await strange.add('sleep', { shard: 7, slices: [{ portfolio: '7', wakeAt: 1 }] }, opts);
    await until(() => faults.length === 2);
    expect(
      faults.every((fault) => fault.startsWith('job: ') && fault.includes('holds no wake')),
    ).toBe(true);
    await until(
      async () => (await strange.getJobCountByTypes('completed', 'failed', 'wait')) === 0,
    );
    expect((await queue.depth()).failed).toBe(0);
    await strange.close();
  } finally {
    client.disconnect();
    await queue.close();
  }
});

test('three thousand wakes can be scheduled at once without a fault', async () => {
  const queue = new BullmqQueue(clock, {
    url: redisUrl(),
    prefix: redisPrefix(),
    report: (_place, error) => {
      throw error;
    },
  });
  try {
    const dueAt = later(clock.now(), 3_600_000);
    const wakes = Array.from({ length: 3_000 }, (_, i) => ({
      portfolio: portfolioId(`${i + 1}`),
      shard: 7,
      dueAt,
    }));
    await until(() => queue.pulse().connected);
    await Promise.all(wakes.map((wake) => queue.schedule(wake)));
    const { delayed } = await queue.depth();
    expect(delayed).toBeGreaterThanOrEqual(3_000 / WAKES_PER_JOB_MAX);
    expect(delayed).toBeLessThan(100);
  } finally {
    await queue.close();
  }
});

test('a healthy Redis has no fatal fault, and an unreachable one is a fault rather than an exception', async () => {
  const fatal = (await checkRedis(redisUrl())).filter((fault) => fault.severity === 'fatal');
  expect(fatal).toEqual([]);
  const faults = await checkRedis('redis://user:secret@127.0.0.1:1');
  expect(faults.map((fault) => fault.kind)).toEqual(['unreachable']);
  expect(faults[0]?.text).not.toContain('secret');
});
