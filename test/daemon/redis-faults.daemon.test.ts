// The real daemon while its Redis stalls, fails over, loses its data, is full, falls silent or dies. Redis only
// wakes the engine: each portfolio ends with its exact total, and the ledger matches the exchange.
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

/** Runs one portfolio and injects the fault a moment after its first slice. */
async function through(name: string, fault: () => Promise<void>): Promise<void> {
  const id = await stage.submit(course(SECONDS), name);
  await sleep(500);
  await fault();
  await stage.filled(id);
}

test('a portfolio ends exactly after a SIGSTOP of Redis across slices', () =>
  through('stall', async () => {
    process.kill(stage.redis.pid, 'SIGSTOP');
    await sleep(2_500);
    process.kill(stage.redis.pid, 'SIGCONT');
  }));

test('a portfolio ends exactly after a failover in which Redis is a read-only replica for a while', () =>
  through('failover', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    await sleep(1_500);
    await redis.call('REPLICAOF', 'NO', 'ONE');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  }));

test('a portfolio ends exactly while FLUSHALL clears Redis and its script cache every 200 ms', () =>
  through('flush', async () => {
    for (let at = 0; at < SECONDS * 1_000; at += 200) {
      await redis.flushall();
      await redis.call('SCRIPT', 'FLUSH');
      await sleep(200);
    }
  }));

test('a portfolio ends exactly while Redis is full and refuses writes', () =>
  through('full', async () => {
    await redis.config('SET', 'maxmemory', '1mb');
    await sleep(1_500);
    await redis.config('SET', 'maxmemory', '0');
  }));

test('a portfolio ends exactly after the Redis connection falls silent, and while it is slow', async () => {
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

test('a portfolio ends exactly after Redis was unavailable twice', () =>
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

test('after all Redis faults the daemon is ready, and ledger and exchange agree', async () => {
  await stage.ready();
  await stage.expectSameBooks();
}, 240_000);
