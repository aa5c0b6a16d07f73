// Redis is killed, frozen, wiped or refuses: the queue neither crashes nor hangs, and recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { BullmqQueue, type BullmqQueueOptions } from '../../../src/adapters/bullmq/bullmq-queue.ts';
import { checkRedis } from '../../../src/adapters/bullmq/check-redis.ts';
import type { QueueReset } from '../../../src/adapters/bullmq/reset-watch.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { DueWakes } from '../../../src/engine/scheduling/due-wakes.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { redisPrefix } from '../../support/daemon/services.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { type PrivateRedis, privateRedis } from '../redis/private-redis.ts';
import { until } from '../until.ts';
import { freezingProxy } from './freezing-proxy.ts';

const clock = new SystemClock();
const FAR_MS = 700;
const LOST_MS = 5_000;

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function startRedis(...settings: string[]): Promise<PrivateRedis> {
  const redis = await privateRedis(settings);
  endings.push(redis.end);
  return redis;
}

interface Stage {
  readonly queue: BullmqQueue;
  readonly called: Set<string>;
  readonly resets: QueueReset[];
  readonly faults: string[];
  /** Schedules a wake of a new portfolio; returns its name. */
  request(inMs: number): Promise<string>;
  /** Schedules wakes until one arrives: the queue works again. */
  works(): Promise<void>;
}

async function startQueue(url: string, options: Partial<BullmqQueueOptions> = {}): Promise<Stage> {
  const faults: string[] = [];
  const resets: QueueReset[] = [];
  const called = new Set<string>();
  const queue = new BullmqQueue(clock, {
    url,
    prefix: redisPrefix(),
    report: (place, error) => faults.push(`${place}: ${error}`),
    resetCheckEveryMs: 100,
    canaryEveryMs: 200,
    ...options,
  });
  endings.push(() => queue.close());
  queue.onReset((why) => resets.push(why));
  await queue.start((wake: Wake) => {
    called.add(wake.portfolio);
    return Promise.resolve();
  });
  let names = 0;
  const request = async (inMs: number): Promise<string> => {
    names += 1;
    const portfolio = portfolioId(`${names}`);
    await queue.schedule({ portfolio, shard: 7, dueAt: later(clock.now(), inMs) });
    return portfolio;
  };
  const works = async (): Promise<void> => {
    const asked = new Set<string>();
    // One of them may be lost with the connection, and one of a busy machine may come late.
    await until(async () => {
      await request(FAR_MS).then(
        (name) => asked.add(name),
        () => undefined,
      );
      await sleep(FAR_MS + 100);
      return [...asked].some((name) => called.has(name));
    });
  };
  await works();
  return { queue, called, resets, faults, request, works };
}

test('if Redis is killed under load, wakes are refused meanwhile, and the queue recovers after the restart', async () => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  const outcomes: Promise<unknown>[] = [];
  const load = setInterval(() => outcomes.push(stage.request(FAR_MS).catch(() => 'refused')), 5);
  try {
    await sleep(300);
    await redis.kill();
    await sleep(500);
    const near = await stage.request(50);
    await until(() => stage.called.has(near));
    await redis.start();
    await stage.works();
  } finally {
    clearInterval(load);
  }
  expect(await Promise.all(outcomes)).toContain('refused');
  // All in memory: what it held is gone, and that is reported.
  expect(stage.resets).toContain('wiped');
});

test('a Redis restarted with its contents is reported as restarted, and accepted wakes still come', async () => {
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
  const stage = await startQueue(redis.url);
  const name = await stage.request(2_000);
  await redis.kill();
  await redis.start();
  await until(() => stage.called.has(name));
  await until(() => stage.resets.length > 0);
  expect(stage.resets).toContain('restarted');
  expect(stage.resets).not.toContain('wiped');
});

test('a wiped Redis is detected, and the queue continues', async () => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  // Late enough that the wipe comes before it, on a busy machine too.
  const lost = await stage.request(LOST_MS);
  const lostAt = performance.now() + LOST_MS;
  await redis.run('FLUSHALL');
  await until(() => stage.resets.length > 0);
  expect(stage.resets).toEqual(['wiped']);
  await stage.works();
  // Absence: the wake that was wiped would be called by now.
  await sleep(Math.max(0, lostAt + FAR_MS - performance.now()));
  expect(stage.called.has(lost)).toBe(false);
  await redis.run('FLUSHALL');
  await until(() => stage.resets.length === 2);
});

test('two processes on a wiped Redis both detect it', async () => {
  const redis = await startRedis();
  const prefix = redisPrefix();
  const stages = [await startQueue(redis.url, { prefix }), await startQueue(redis.url, { prefix })];
  await redis.run('FLUSHALL');
  await until(() => stages.every((stage) => stage.resets.includes('wiped')));
});

test('while Redis is frozen wakes are refused and nothing hangs, and afterwards the queue continues', async () => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  redis.signal('SIGSTOP');
  const start = performance.now();
  const first = expect(stage.request(FAR_MS)).rejects.toThrow();
  await sleep(1_000);
  // It waits behind the first and is refused with it.
  const second = expect(stage.request(FAR_MS)).rejects.toThrow();
  const near = await stage.request(30);
  const depth = expect(stage.queue.depth()).rejects.toThrow();
  await until(() => stage.called.has(near));
  await Promise.all([first, second, depth]);
  await sleep(Math.max(0, 3_000 - (performance.now() - start)));
  redis.signal('SIGCONT');
  await stage.works();
  await until(() => stage.resets.length > 0);
  expect(stage.resets).toEqual(['refused']);
});

test.each(['killed', 'frozen'])('closing the queue ends even if Redis is %s', async (state) => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  await stage.request(FAR_MS);
  await stage.request(100_000);
  if (state === 'killed') await redis.kill();
  else redis.signal('SIGSTOP');
  await stage.queue.close();
  await expect(stage.request(10)).rejects.toThrow('closed');
});

test('a Redis that starts after the queue was created is found', async () => {
  const redis = await startRedis();
  await redis.kill();
  const faults: string[] = [];
  const queue = new BullmqQueue(clock, {
    url: redis.url,
    prefix: redisPrefix(),
    report: (place, error) => faults.push(`${place}: ${error}`),
  });
  endings.push(() => queue.close());
  const called: Wake[] = [];
  await queue.start((wake) => {
    called.push(wake);
    return Promise.resolve();
  });
  const wake = { portfolio: portfolioId('1'), shard: 7, dueAt: later(clock.now(), 60_000) };
  await expect(queue.schedule(wake)).rejects.toThrow();
  await redis.start();
  await until(async () => {
    const soon = { portfolio: portfolioId('2'), shard: 7, dueAt: later(clock.now(), FAR_MS) };
    await queue.schedule(soon).catch(() => undefined);
    await sleep(100);
    return called.length > 0;
  });
});

test('a worker whose connections died silently is rebuilt', async () => {
  const redis = await startRedis();
  const proxy = await freezingProxy(redis.port);
  endings.push(proxy.close);
  const stage = await startQueue(proxy.url, { canarySilenceMsMax: 600 });
  await until(() => stage.queue.pulse().canaryAgeMs !== undefined);
  expect(proxy.freezeWorkers()).toBe(2);
  await until(() => stage.faults.some((fault) => fault.startsWith('rebuild: ')));
  await stage.works();
  // Without a new worker the dead connections would be noticed too, after 12 s without a reply.
  expect(stage.faults.filter((fault) => fault.includes('timeout'))).toEqual([]);
  await until(() => (stage.queue.pulse().canaryAgeMs ?? 1_000) < 500);
});

test('a worker that is only busy is not rebuilt', async () => {
  const redis = await startRedis();
  // The worker holds both wakes for the lead, twice as long as it may be silent.
  const options = { concurrency: 2, canarySilenceMsMax: 3_000, leadMs: 6_000 };
  const stage = await startQueue(redis.url, options);
  const wakes = await Promise.all([stage.request(7_000), stage.request(7_000)]);
  await stage.request(7_000);
  await until(() => wakes.every((name) => stage.called.has(name)));
  expect(stage.faults).toEqual([]);
});

test('a Redis that is temporarily a replica refuses wakes meanwhile, and the queue recovers', async () => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  await redis.run('REPLICAOF', '127.0.0.1', '1');
  await expect(stage.request(FAR_MS)).rejects.toThrow();
  await until(() => stage.faults.some((fault) => fault.includes('READONLY')));
  expect((await checkRedis(redis.url)).map((fault) => fault.kind)).toContain('replica');
  await redis.run('REPLICAOF', 'NO', 'ONE');
  await stage.works();
});

test('a Redis that evicts is a fatal fault, and a slow timer a warning', async () => {
  const redis = await startRedis('--maxmemory-policy', 'allkeys-lru', '--hz', '10');
  const faults = await checkRedis(redis.url);
  expect(faults.map((fault) => `${fault.severity} ${fault.kind}`)).toEqual([
    'fatal evicts',
    'warning slow-timer',
  ]);
});

test('a full Redis refuses wakes with an error', async () => {
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  await redis.run('CONFIG', 'SET', 'maxmemory', '1');
  await expect(stage.request(FAR_MS)).rejects.toThrow('OOM');
  await redis.run('CONFIG', 'SET', 'maxmemory', '0');
  await stage.works();
});

test('a time-out of Redis causes few errors for thousands of wakes, and all are scheduled once it answers', async () => {
  const WAKES = 3_000;
  const redis = await startRedis();
  const stage = await startQueue(redis.url);
  const observer = witness();
  const due = new DueWakes({
    clock,
    queue: stage.queue,
    observer,
    slicesOf: () => [],
    onDue: () => undefined,
    wakesAheadMs: 3_600_000,
  });
  stage.queue.onReset((why) => due.rearm(why === 'refused' ? 'refused' : 'all'));
  await until(() => stage.queue.pulse().connected);
  redis.signal('SIGSTOP');
  // None is due before all are scheduled, however long that takes.
  const first = later(clock.now(), 1_800_000);
  for (let index = 0; index < WAKES; index += 1) {
    // Each gets a job of its own.
    const shard = index % 250;
    const dueAt = later(first, (index - shard) * 4);
    due.put({ portfolio: portfolioId(`${index + 1}`), shard, dueAt });
  }
  await until(() => observer.failures.length > 0);
  redis.signal('SIGCONT');
  await until(async () => (await stage.queue.depth().catch(() => undefined))?.delayed === WAKES);
  due.stop();
  expect(String(observer.failures[0]?.error)).toContain('wakes could not be scheduled');
  expect(observer.failures.length).toBeLessThan(5);
});
