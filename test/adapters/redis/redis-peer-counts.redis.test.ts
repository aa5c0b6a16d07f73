import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { RedisPeerCounts } from '../../../src/adapters/redis/redis-peer-counts.ts';
import { peerCountsConformance } from '../../conformance/peer-counts.ts';
import { redisPrefix, redisUrl } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

/** Resolves once it is subscribed and can publish. */
async function open(prefix: string, faults: unknown[] = []): Promise<RedisPeerCounts> {
  const asking = new Redis(redisUrl());
  const listeners = async (): Promise<number> =>
    Number((await asking.pubsub('NUMSUB', `${prefix}:counts`))[1]);
  const before = await listeners();
  const counts = new RedisPeerCounts({
    url: redisUrl(),
    prefix,
    onFault: (error) => faults.push(error),
  });
  await until(async () => (await listeners()) === before + 1 && counts.isReady);
  asking.disconnect();
  return counts;
}

describe('RedisPeerCounts', () => {
  const prefix = redisPrefix();
  const all: unknown[] = [];
  peerCountsConformance(
    () => open(prefix, all),
    () => all,
  );

  test('an invalid message of counts is reported as a fault and not passed on', async () => {
    const own = redisPrefix();
    const faults: unknown[] = [];
    const counts = await open(own, faults);
    const heard: unknown[] = [];
    counts.listen((one) => heard.push(one));
    const stranger = new Redis(redisUrl());
    for (const text of ['{', '7', '{"from":1}', '{"from":"x","counts":{"a":-1,"b":"2","c":4}}']) {
      await stranger.publish(`${own}:counts`, text);
    }
    await until(() => heard.length === 1 && faults.length === 3);
    expect(heard).toEqual([{ c: 4 }]);
    stranger.disconnect();
    await counts.close();
  });
});
