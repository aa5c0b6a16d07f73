// Starts a private Redis, as the daemon does, for benches that need one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisServer } from '../src/adapters/redis/redis-server.ts';
import { opened } from './opened.ts';
import { benchQueue } from './queue.ts';
import type { Row } from './row.ts';

const QUIET = { info: () => undefined, warn: () => undefined };

export async function benchQueueOnOwnRedis(): Promise<Row[]> {
  await using all = opened();
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-redis-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startRedisServer({ dataDir, log: QUIET });
  all.defer(() => server.stop());
  return await benchQueue(server.address);
}
