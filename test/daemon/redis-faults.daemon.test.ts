// The real daemon while its Redis stalls, fails over, forgets, is full, falls silent or dies. Redis only wakes the
// engine: each course ends with its exact total, and the exchange has what the ledger has.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

const SECONDS = 4;
let stage: FaultStage;
let redis: Redis;

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'rflt' });
  redis = new Redis(stage.redis.socket);
});
afterAll(async () => {
  redis.disconnect();
  await stage.close();
});

/** One course that the fault falls into, a moment after its first slice. */
async function through(name: string, fault: () => Promise<void>): Promise<void> {
  const id = await stage.submit(course(SECONDS), name);
  await sleep(500);
  await fault();
  await stage.filled(id);
}

test('SIGSTOP of Redis across slices', () =>
  through('stall', async () => {
    process.kill(stage.redis.pid, 'SIGSTOP');
    await sleep(2_500);
    process.kill(stage.redis.pid, 'SIGCONT');
  }));

test('a failover: the server is a replica for a while and takes no writes', () =>
  through('failover', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    await sleep(1_500);
    await redis.call('REPLICAOF', 'NO', 'ONE');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  }));

test('FLUSHALL every 200 ms, and the script cache with it', () =>
  through('flush', async () => {
    for (let at = 0; at < SECONDS * 1_000; at += 200) {
      await redis.flushall();
      await redis.call('SCRIPT', 'FLUSH');
      await sleep(200);
    }
  }));

test('a Redis that is full takes no writes and loses none', () =>
  through('full', async () => {
    await redis.config('SET', 'maxmemory', '1mb');
    await sleep(1_500);
    await redis.config('SET', 'maxmemory', '0');
  }));

test('a line that falls silent, without a word, and one that is slow', async () => {
  const { redis: line } = stage.lines;
  await through('silent', async () => {
    line.isSilent = true;
    await sleep(2_500);
    line.speak();
  });
  await through('slow', async () => {
    line.delayMs = 300;
    await sleep(2_000);
    line.delayMs = 0;
  });
});

test('a Redis that is away, comes back and is away again', () =>
  through('away', async () => {
    const { redis: line } = stage.lines;
    for (const awayMs of [300, 700]) {
      line.isClosed = true;
      line.cut();
      await sleep(awayMs);
      line.isClosed = false;
      await sleep(300);
    }
  }));

test('after all of it the daemon is ready, and the books are the same', async () => {
  await stage.ready();
  await stage.expectSameBooks();
}, 240_000);
