// One private Redis and one private PostgreSQL for the whole run, in a temporary folder named after this process.
// They end with the run on every exit path; leftovers of a killed run are ended and removed by the next one.
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { startRedisServer } from '../../../src/adapters/redis/redis-server.ts';
import { processorMs } from '../reporters/processor-time.ts';
import { copyClusterTemplate, makeClusterTemplate, SCHEMA_TEMPLATE } from './cluster-template.ts';

const FOLDER = /^twapd-test-(\d+)-/;
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const log = {
  info: () => undefined,
  warn: (message: string) => console.warn(`test services: ${message}`),
};

/** No test survives a power cut, so writes need not wait for the disk. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  await endLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `twapd-test-${process.pid}-`));
  await makeClusterTemplate(join(folder, 'template'), log);
  copyClusterTemplate(join(folder, 'postgres'));
  const { redis, postgres } = await startServers(folder);
  await makeSchemaTemplate(postgres.address);
  const killServers = () => {
    kill(redis.pid, 'SIGKILL');
    // PostgreSQL's immediate shutdown also ends its connection processes.
    kill(postgres.pid, 'SIGQUIT');
    removeNow(folder);
  };
  const signals = Object.entries(SIGNAL_CODES).map(
    ([signal, code]) => [signal, () => process.exit(code)] as const,
  );
  process.once('exit', killServers);
  for (const [signal, end] of signals) process.once(signal, end);
  project.provide('redisUrl', redis.address);
  project.provide('postgresUrl', postgres.address.replace('/twapd?', '/postgres?'));
  return async () => {
    process.stdout.write(serversCost({ redis: redis.pid, PostgreSQL: postgres.pid }));
    await Promise.all([redis.stop(), postgres.stop()]);
    process.off('exit', killServers);
    for (const [signal, end] of signals) process.off(signal, end);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Migrates a database once, so that those of the tests are copies of it. */
async function makeSchemaTemplate(address: string): Promise<void> {
  const admin = new Client({ connectionString: address });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${SCHEMA_TEMPLATE}`);
  } finally {
    await admin.end();
  }
  await migrate(address.replace('/twapd?', `/${SCHEMA_TEMPLATE}?`));
}

/** For the exit listener, which cannot wait until the servers close their files. */
function removeNow(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      // A server is still writing its last files there.
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}

async function startServers(folder: string) {
  const [redis, postgres] = await Promise.allSettled([
    startRedisServer({ dataDir: join(folder, 'redis'), log, persistence: 'none' }),
    startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log, settings: POSTGRES_SETTINGS }),
  ]);
  if (redis.status === 'fulfilled' && postgres.status === 'fulfilled') {
    return { redis: redis.value, postgres: postgres.value };
  }
  for (const started of [redis, postgres]) {
    if (started.status === 'fulfilled') await started.value.stop();
  }
  await rm(folder, { recursive: true, force: true });
  throw redis.status === 'rejected' ? redis.reason : (postgres as PromiseRejectedResult).reason;
}

/** Takes over the servers of an earlier run and stops them in order, as the daemon does. */
async function endLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = FOLDER.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    // A run that ended before it had a cluster has left no servers.
    if (existsSync(join(folder, 'postgres', 'PG_VERSION'))) {
      const { redis, postgres } = await startServers(folder);
      await Promise.all([redis.stop(), postgres.stop()]);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the servers of the run have cost, with what they started and waited for: the sessions of PostgreSQL that have ended. */
function serversCost(servers: Readonly<Record<string, number>>): string {
  const costs = Object.entries(servers).map(
    ([name, pid]) => `${name} ${(processorMs(pid) / 1_000).toFixed(1)} s`,
  );
  return `\nprocessor time of the servers that all tests share: ${costs.join(', ')}\n`;
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
