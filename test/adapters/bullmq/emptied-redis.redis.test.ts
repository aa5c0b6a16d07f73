// FLUSHALL while jobs are active: BullMQ reports every one of them as missing, which must be logged as one
// event, not as one error per job.
import { afterEach, expect, test } from 'vitest';
import { BullmqQueue } from '../../../src/adapters/bullmq/bullmq-queue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { redisPrefix } from '../../support/daemon/services.ts';
import { type PrivateRedis, privateRedis } from '../redis/private-redis.ts';
import { until } from '../until.ts';

/** Each is of another shard and so has a job of its own. */
const WAKES = 8;
const LEAD_MS = 300;
const WARNING = 'Redis was emptied while jobs were in hand; wakes are scheduled again';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A clock whose monotonic time can be advanced. */
function shiftedClock(): Clock & { shift(ms: number): void } {
  const clock = new SystemClock();
  let aheadMs = 0;
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs() + aheadMs,
    at: (dueAt, then, punctuality) => clock.at(dueAt, then, punctuality),
    shift: (ms) => {
      aheadMs += ms;
    },
  };
}

interface Stage {
  readonly redis: PrivateRedis;
  readonly queue: BullmqQueue;
  readonly clock: ReturnType<typeof shiftedClock>;
  readonly faults: string[];
  readonly warnings: string[];
  /** Every call that was made, ended or not. */
  readonly called: string[];
  /** Schedules wakes through Redis, the first of them due after `inMs`. */
  schedule(inMs: number): Promise<void>;
  /** Lets all calls end, including future ones, until the next `hold`. */
  finish(): void;
  hold(): void;
}

async function start(): Promise<Stage> {
  const redis = await privateRedis();
  endings.push(redis.end);
  const clock = shiftedClock();
  const faults: string[] = [];
  const warnings: string[] = [];
  const called: string[] = [];
  const queue = new BullmqQueue(clock, {
    url: redis.url,
    prefix: redisPrefix(),
    leadMs: LEAD_MS,
    report: (place, error) => faults.push(`${place}: ${error}`),
    warn: (message) => warnings.push(message),
    resetCheckEveryMs: 100,
    canarySilenceMsMax: 600_000,
  });
  endings.push(() => queue.close());
  let held = Promise.withResolvers<void>();
  await queue.start(async ({ portfolio }: Wake) => {
    called.push(portfolio);
    await held.promise;
  });
  let names = 0;
  return {
    redis,
    queue,
    clock,
    faults,
    warnings,
    called,
    schedule: async (inMs) => {
      const dueAt = later(clock.now(), inMs);
      const wakes = Array.from({ length: WAKES }, (_, index) => {
        names += 1;
        return { portfolio: portfolioId(`${names}`), shard: index, dueAt };
      });
      await Promise.all(wakes.map((wake) => queue.schedule(wake)));
    },
    finish: () => held.resolve(),
    hold: () => {
      held = Promise.withResolvers<void>();
    },
  };
}

/** Waits until the job of each wake is active, as Redis itself counts them. */
async function allActive({ queue, called }: Stage, calls: number): Promise<void> {
  await until(() => called.length === calls);
  expect((await queue.depth()).active).toBeGreaterThanOrEqual(WAKES);
}

test('emptying Redis while jobs are active logs no error and one warning each time', async () => {
  const stage = await start();
  for (const emptyings of [1, 2]) {
    stage.hold();
    await stage.schedule(LEAD_MS + 400);
    // The new jobs came over the connection that reports the old ones missing, so no report is outstanding.
    await allActive(stage, emptyings * WAKES);
    stage.clock.shift(60_000);
    await stage.redis.run('FLUSHALL');
    stage.finish();
    await until(() => stage.warnings.length + stage.faults.length >= emptyings);
  }
  // Closing waits for the end of every job, so each has been reported missing by then.
  await stage.queue.close();
  expect(stage.faults).toEqual([]);
  expect(stage.warnings).toEqual([WARNING, WARNING]);
});
