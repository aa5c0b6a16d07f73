// Redis commands per slice, those of BullMQ's scripts included, as Redis counts them. TWAPD_BENCH_BEFORE names a
// checkout of another version: it is measured too, with the same Redis, and the ratio of the two is printed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Redis } from 'ioredis';
import { startRedisServer } from '../src/adapters/redis/redis-server.ts';
import { instant, later } from '../src/values/instant.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import type * as SlicesBench from './slices.ts';

interface Case {
  readonly name: string;
  readonly portfolios: number;
  readonly everySec: number;
}

const CASES: readonly Case[] = [
  { name: '80 slices/s, each portfolio once a second', portfolios: 80, everySec: 1 },
  { name: '80 slices/s, each portfolio every 10 s', portfolios: 800, everySec: 10 },
  { name: '400 slices/s, each portfolio once a second', portfolios: 400, everySec: 1 },
];
const WARM_UP_MS = 12_000;
const MEASURED_MS = 15_000;
const SHOWN = 5;
const QUIET = { info: () => undefined, warn: () => undefined };

interface Measured {
  readonly perSlice: number;
  readonly text: string;
}

export async function benchRedisCommands(): Promise<Row[]> {
  await using all = opened();
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-redis-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startRedisServer({ dataDir, log: QUIET });
  all.defer(() => server.stop());
  process.env['REDIS_URL'] = `unix:${server.address}`;
  const redis = new Redis(server.address);
  all.defer(async () => redis.disconnect());
  const before = process.env['TWAPD_BENCH_BEFORE'];
  const rows: Row[] = [];
  for (const one of CASES) {
    const old = before === undefined ? undefined : await measure(redis, one, before);
    const now = await measure(redis, one);
    const ratio = old && `before: ${old.text}; ratio ${(old.perSlice / now.perSlice).toFixed(1)}`;
    rows.push({ what: one.name, value: now.text, ...(ratio && { yardstick: ratio }) });
  }
  return rows;
}

async function measure(redis: Redis, { portfolios, everySec }: Case, version?: string) {
  const module = version === undefined ? './slices.ts' : `${version}/bench/slices.ts`;
  const { openBench, submitAll, sleep } = (await import(module)) as typeof SlicesBench;
  await redis.flushall();
  const bench = await openBench();
  try {
    const startAt = instant(Date.now() + 3_000 + portfolios * 5);
    const seconds = (WARM_UP_MS + MEASURED_MS) / 1_000 + 10 * everySec;
    // Spread over the interval.
    for (let second = 0; second < everySec; second += 1) {
      const asked = { count: portfolios / everySec, seconds, everySec, isBurst: false };
      await submitAll(bench, { ...asked, startAt: later(startAt, second * 1_000) });
    }
    await sleep(startAt - Date.now() + WARM_UP_MS);
    const [from, sent, cpu] = [await calls(redis), bench.lateMs.length, process.cpuUsage()];
    await sleep(MEASURED_MS);
    const [to, late, used] = [await calls(redis), bench.lateMs.slice(sent), process.cpuUsage(cpu)];
    return result(from, to, late, (used.user + used.system) / 1_000);
  } finally {
    await bench.close();
  }
}

function result(
  from: ReadonlyMap<string, number>,
  to: ReadonlyMap<string, number>,
  lateMs: readonly number[],
  cpuMs: number,
): Measured {
  const perSliceOf = (count: number): number => count / lateMs.length;
  const parts = [...to].map(([name, count]) => ({ name, more: count - (from.get(name) ?? 0) }));
  const perSlice = perSliceOf(parts.reduce((sum, { more }) => sum + more, 0));
  const most = parts.toSorted((a, b) => b.more - a.more).slice(0, SHOWN);
  const shown = most.map(({ name, more }) => `${name} ${perSliceOf(more).toFixed(2)}`).join(', ');
  const late = `late p50 ${percentile(lateMs, 0.5)} p99 ${percentile(lateMs, 0.99)} ms`;
  const cpu = `${perSliceOf(cpuMs).toFixed(2)} ms of processor a slice`;
  const text = `${perSlice.toFixed(2)} commands a slice (${shown}); ${late}; ${cpu}`;
  return { perSlice, text };
}

/** How often each command was called since Redis started. */
async function calls(redis: Redis): Promise<ReadonlyMap<string, number>> {
  const text = await redis.info('commandstats');
  const found = text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  return new Map([...found].map(([, name = '', count]) => [name, Number(count)]));
}
