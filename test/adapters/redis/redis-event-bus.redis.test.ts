import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { RedisEventBus } from '../../../src/adapters/redis/redis-event-bus.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import { eventBusConformance, newsOf } from '../../conformance/event-bus.ts';
import { nudgesConformance } from '../../conformance/nudges.ts';
import { redisPrefix, redisUrl } from '../../support/daemon/services.ts';
import { until } from '../until.ts';
import { type PrivateRedis, privateRedis } from './private-redis.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Stage {
  readonly bus: RedisEventBus;
  readonly heard: PortfolioNews[];
  readonly bad: string[];
  readonly faults: unknown[];
  /** The portfolios of the news by which buses become acquainted. */
  readonly greetings: Set<string>;
  dropped: number;
}

const GREETINGS = ['901', '902'] as const;

function openBus(url: string, prefix: string, bufferMax = 10_000): Stage {
  const heard: PortfolioNews[] = [];
  const bad: string[] = [];
  const faults: unknown[] = [];
  const greetings = new Set<string>();
  const bus = new RedisEventBus({
    url,
    prefix,
    bufferMax,
    onFault: (error) => faults.push(error),
    onDropped: (count) => {
      stage.dropped += count;
    },
    onBadMessage: (why) => bad.push(why),
  });
  const stage: Stage = { bus, heard, bad, faults, greetings, dropped: 0 };
  // Greetings may arrive at any time, those of a busy machine late.
  bus.subscribe((news) => {
    if ((GREETINGS as readonly string[]).includes(news.portfolio)) greetings.add(news.portfolio);
    else heard.push(news);
  });
  endings.push(() => bus.close());
  return stage;
}

/** Resolves once each receives the other's news. */
async function acquainted(one: Stage, two: Stage): Promise<void> {
  const [first, second] = GREETINGS;
  await until(async () => {
    one.bus.publish([newsOf(first, 0)]);
    two.bus.publish([newsOf(second, 0)]);
    await sleep(20);
    return one.greetings.has(second) && two.greetings.has(first);
  });
}

/** Kills Redis and waits until every bus has failed to connect again. */
async function killUnder(redis: PrivateRedis, ...stages: readonly Stage[]): Promise<void> {
  await redis.kill();
  await until(() => stages.every(({ faults }) => faults.length > 0));
}

/** Without listeners. */
function openSilent(prefix: string): RedisEventBus {
  const bus = new RedisEventBus({
    url: redisUrl(),
    prefix,
    onFault: () => undefined,
    onDropped: () => undefined,
    onBadMessage: () => undefined,
  });
  endings.push(() => bus.close());
  return bus;
}

const versions = (stage: Stage, portfolio: string): number[] =>
  stage.heard.filter((news) => news.portfolio === portfolio).map((news) => news.version);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

async function startRedis(): Promise<PrivateRedis> {
  const redis = await privateRedis();
  endings.push(redis.end);
  return redis;
}

describe('RedisEventBus as Nudges', () => {
  nudgesConformance(async () => {
    const prefix = redisPrefix();
    const [one, two] = [openBus(redisUrl(), prefix), openBus(redisUrl(), prefix)];
    await acquainted(one, two);
    return {
      one: one.bus,
      other: two.bus,
      get faults() {
        return [...one.faults, ...two.faults, ...one.bad, ...two.bad];
      },
      close: () => Promise.resolve(),
    };
  });
});

describe('RedisEventBus', () => {
  eventBusConformance(
    (onFault) =>
      new RedisEventBus({
        url: redisUrl(),
        prefix: redisPrefix(),
        onFault,
        onDropped: () => undefined,
        onBadMessage: () => undefined,
      }),
  );
});

test("two processes receive each other's news completely and in order, and their own only once", async () => {
  const prefix = redisPrefix();
  const [one, two] = [openBus(redisUrl(), prefix), openBus(redisUrl(), prefix)];
  await acquainted(one, two);
  for (const version of upTo(1_000)) {
    one.bus.publish([newsOf('1', version)]);
    two.bus.publish([newsOf('2', version)]);
  }
  await until(() => one.heard.length >= 2_000 && two.heard.length >= 2_000);
  await sleep(50);
  for (const stage of [one, two]) {
    expect(stage.heard).toHaveLength(2_000);
    expect(versions(stage, '1')).toEqual(upTo(1_000));
    expect(versions(stage, '2')).toEqual(upTo(1_000));
    expect(stage.bad).toEqual([]);
  }
  expect(two.heard.find((news) => news.portfolio === '1')).toEqual(newsOf('1', 1));
});

test('a bus is heard while it has a listener or another process has one, and no longer', async () => {
  const prefix = redisPrefix();
  const [one, two] = [openSilent(prefix), openSilent(prefix)];
  // Until it has counted the others.
  expect(one.isHeard).toBe(true);
  await until(() => !one.isHeard && !two.isHeard);
  const heard: PortfolioNews[] = [];
  const leave = two.subscribe((news) => heard.push(news));
  expect(two.isHeard).toBe(true);
  await until(() => one.isHeard);
  one.publish([newsOf('1', 1)]);
  await until(() => heard.length > 0);
  expect(heard).toEqual([newsOf('1', 1)]);
  leave();
  await until(() => !one.isHeard && !two.isHeard);
});

test("deployments do not receive each other's news", async () => {
  const prefix = redisPrefix();
  const [one, two] = [openBus(redisUrl(), prefix), openBus(redisUrl(), prefix)];
  const stranger = openBus(redisUrl(), redisPrefix());
  await acquainted(one, two);
  one.bus.publish([newsOf('1', 1)]);
  await until(() => two.heard.length > 0);
  expect(stranger.heard).toEqual([]);
});

test('an invalid message is counted and affects nothing else', async () => {
  const prefix = redisPrefix();
  const [one, two] = [openBus(redisUrl(), prefix), openBus(redisUrl(), prefix)];
  await acquainted(one, two);
  const client = new Redis(redisUrl());
  await client.publish(`${prefix}:news`, '{"v":1,"from":"x"');
  await client.publish(`${prefix}:news`, '{"v":9}');
  client.disconnect();
  await until(() => one.bad.length === 2 && two.bad.length === 2);
  one.bus.publish([newsOf('1', 1)]);
  await until(() => two.heard.length > 0);
});

test('news published while Redis is away arrives once it is back, and overflow drops the oldest', async () => {
  const redis = await startRedis();
  const prefix = redisPrefix();
  const [one, two] = [openBus(redis.url, prefix, 100), openBus(redis.url, prefix, 100)];
  await acquainted(one, two);
  await killUnder(redis, one, two);
  for (const version of upTo(100)) one.bus.publish([newsOf('1', version)]);
  // A greeting may have been on its way when Redis was killed; it is the oldest, and there is no room for it any more.
  const before = one.dropped;
  for (const version of upTo(250).slice(100)) one.bus.publish([newsOf('1', version)]);
  expect(versions(one, '1')).toEqual(upTo(250));
  expect(one.dropped - before).toBe(150);
  await redis.start();
  await until(async () => {
    two.bus.publish([newsOf('2', 1)]);
    await sleep(20);
    return versions(one, '2').length > 0;
  });
  // The other side may not have subscribed again yet.
  for (let version = 251; !versions(two, '1').some((one) => one > 250); version += 1) {
    one.bus.publish([newsOf('1', version)]);
    await sleep(20);
  }
  // Redis stores nothing for absent subscribers, so the first news may be missing, but never the order.
  const heard = versions(two, '1');
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(new Set(heard).size).toBe(heard.length);
  expect(heard.every((version) => version > 150)).toBe(true);
});

test('after Redis was frozen in mid-flight no news arrives twice', async () => {
  const redis = await startRedis();
  const prefix = redisPrefix();
  const [one, two] = [openBus(redis.url, prefix), openBus(redis.url, prefix)];
  await acquainted(one, two);
  redis.signal('SIGSTOP');
  for (const version of upTo(300)) one.bus.publish([newsOf('1', version)]);
  await sleep(3_000);
  redis.signal('SIGCONT');
  await until(() => versions(two, '1').includes(300));
  // Absence: news that Redis was given twice would come once more.
  await sleep(300);
  expect(versions(two, '1')).toEqual(upTo(300));
});

test('closing ends even if Redis is away, and reports the number of unsent messages', async () => {
  const redis = await startRedis();
  const stage = openBus(redis.url, redisPrefix());
  await killUnder(redis, stage);
  stage.bus.publish([newsOf('1', 1), newsOf('1', 2)]);
  await stage.bus.close();
  expect(stage.dropped).toBe(2);
});
