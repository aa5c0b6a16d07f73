// Limits shared by the gateways of one deployment: what one gateway grants is charged at the others.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts';
import { charged, fullBucket, takeToken } from '../../../src/gateway/limits/token-bucket.ts';
import { until } from '../../adapters/until.ts';
import { peerCountsConformance } from '../../conformance/peer-counts.ts';
import { MemoryCountsRoom } from '../../doubles/memory/memory-peer-counts.ts';
import { GatewayUnderTest, PATH, STRANGER, TAKER } from '../gateway-under-test.ts';

const PAGE = `${PATH}/page?accountId=10001`;
const FORGED = { ...TAKER, secret: Buffer.alloc(32, 7).toString('base64') };

describe('MemoryCountsRoom', () => {
  let faults: unknown[] = [];
  let room = new MemoryCountsRoom((error) => faults.push(error));
  afterEach(() => {
    faults = [];
    room = new MemoryCountsRoom((error) => faults.push(error));
  });
  peerCountsConformance(
    () => Promise.resolve(room.enter()),
    () => faults,
  );
});

describe('two gateways', () => {
  const opened: GatewayUnderTest[] = [];
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close();
  });

  async function two() {
    const room = new MemoryCountsRoom((error) => {
      throw error;
    });
    const limits = {
      rates: { ...DEFAULT_LIMITS.rates, read: { perSecond: 1, burst: 6 } },
      address: { ...DEFAULT_LIMITS.address, failures: { perSecond: 1, burst: 4 } },
    };
    const start = async () => {
      const gateway = await GatewayUnderTest.start(limits, { peerCounts: room.enter() });
      opened.push(gateway);
      return gateway;
    };
    return [await start(), await start()] as const;
  }

  const statusOf = async (gateway: GatewayUnderTest, by = TAKER): Promise<number> =>
    (await gateway.request(by === STRANGER ? `${PATH}/page?accountId=10002` : PAGE, { by })).status;

  test('gateways together grant a key what its limit allows', async () => {
    const [one, other] = await two();
    for (let n = 0; n < 6; n += 1) expect(await statusOf(one)).toBe(200);
    expect(await statusOf(one)).toBe(429);
    await until(async () => (await statusOf(other)) === 429);
    expect(await statusOf(other, STRANGER)).toBe(200);
    // What the first gateway granted may reach the other only now, and is charged to its refilled bucket.
    await until(async () => {
      one.nowMs += 60_000;
      other.nowMs += 60_000;
      return (await statusOf(other)) === 200;
    });
  });

  test('gateways together check wrong credentials of an address as often as the limit allows', async () => {
    const [one, other] = await two();
    for (let n = 0; n < 4; n += 1) expect(await statusOf(one, FORGED)).toBe(401);
    expect(await statusOf(one, FORGED)).toBe(429);
    await until(async () => (await statusOf(other, FORGED)) === 429);
  });
});

test('charged buckets together grant no more than one bucket would, plus what was not yet published', () => {
  const rule = { perSecond: 10, burst: 20 };
  const steps = fc.array(fc.record({ gapMs: fc.nat(50), at: fc.nat(2) }), {
    maxLength: 400,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, publishEvery) => {
      const buckets = [0, 1, 2].map(() => fullBucket(rule, 0));
      const unpublished = [0, 0, 0];
      let [nowMs, taken, underWay] = [0, 0, 0];
      for (const [index, { gapMs, at }] of all.entries()) {
        nowMs += gapMs;
        const taking = takeToken(buckets[at] ?? fullBucket(rule, 0), rule, nowMs);
        buckets[at] = taking.bucket;
        if (taking.kind === 'taken') {
          taken += 1;
          unpublished[at] = (unpublished[at] ?? 0) + 1;
        }
        underWay = Math.max(
          underWay,
          unpublished.reduce((sum, count) => sum + count, 0),
        );
        if (index % publishEvery !== 0) continue;
        for (const [sender, count] of unpublished.entries()) {
          for (const [receiver, bucket] of buckets.entries()) {
            if (receiver !== sender) buckets[receiver] = charged(bucket, { rule, count, nowMs });
          }
          unpublished[sender] = 0;
        }
      }
      expect(taken).toBeLessThanOrEqual(rule.burst + (nowMs * rule.perSecond) / 1_000 + underWay);
    }),
  );
});
