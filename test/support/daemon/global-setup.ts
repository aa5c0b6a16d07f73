// One private Redis and one private PostgreSQL for the whole run, in a temporary folder named after this process, which is also
// the folder for temporary files of its tests. They end with the run on every exit path; leftovers of a killed run are ended and
// removed by the next one.
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { startRedisServer } from '../../../src/adapters/redis/redis-server.ts';
import { instant } from '../../../src/values/instant.ts';
import { processorMs } from '../reporters/processor-time.ts';
import {
  copyClusterTemplate,
  DAYS_TEMPLATE,
  makeClusterTemplate,
  SCHEMA_TEMPLATE,
} from './cluster-template.ts';
import { unmountBelow } from './full-disk.ts';

const FOLDER = /^twapd-test-(\d+)-/;
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const log = {
  info: () => undefined,
  warn: (message: string) => console.warn(`test services: ${message}`),
};

/** Linux's memory file system, where the thousand files of a database are copied with a tenth of the processor time. */
const IN_MEMORY = '/dev/shm';
/** Several times what a run has needed. A container has 64 MB there unless told otherwise. */
const IN_MEMORY_BYTES_MIN = 4_000_000_000;

/** No test survives a power cut, so writes need not wait for the disk. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const usual = process.env['TMPDIR'];
  const places = [IN_MEMORY, tmpdir()].filter((place) => existsSync(place));
  for (const place of places) await endLeftovers(place);
  const place = places.find((one) => one !== IN_MEMORY || isUsable(one)) ?? tmpdir();
  const folder = await mkdtemp(join(place, `twapd-test-${process.pid}-`));
  // The servers run as another user.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  await makeClusterTemplate(join(folder, 'template'), log);
  copyClusterTemplate(join(folder, 'postgres'));
  const { redis, postgres } = await startServers(folder);
  await makeTemplates(postgres.address);
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
    await removeFolder(folder);
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  };
}

/** Tests also run what they write. A container usually refuses that there. */
function isUsable(place: string): boolean {
  const { bavail, bsize } = statfsSync(place);
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === place)?.[3];
  const runs = options !== undefined && !options.split(',').includes('noexec');
  return runs && bavail * bsize >= IN_MEMORY_BYTES_MIN;
}

/** Migrates a database once, so that those of the tests are copies of it. */
async function makeTemplates(address: string): Promise<void> {
  const admin = new Client({ connectionString: address });
  const at = (database: string): string => address.replace('/twapd?', `/${database}?`);
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${SCHEMA_TEMPLATE}`);
    await migrate(at(SCHEMA_TEMPLATE));
    await admin.query(`CREATE DATABASE ${DAYS_TEMPLATE} TEMPLATE ${SCHEMA_TEMPLATE}`);
    for (const now of [Date.now(), 0]) {
      const connectionString = at(DAYS_TEMPLATE);
      const ledger = await openPostgresLedger({ connectionString, now: () => instant(now) });
      await ledger.close();
    }
  } finally {
    await admin.end();
  }
}

/** For the exit listener, which cannot wait until the servers close their files. */
function removeNow(folder: string): void {
  unmountBelow(folder);
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
  await removeFolder(folder);
  throw redis.status === 'rejected' ? redis.reason : (postgres as PromiseRejectedResult).reason;
}

/** What other runs left behind is no failure of this one: what cannot be ended or removed is named, and stays. */
async function endLeftovers(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const owner = FOLDER.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = join(place, name);
    try {
      await endLeftover(folder);
    } catch (error) {
      log.warn(`${folder} of an earlier run could not be removed: ${(error as Error).message}`);
    }
  }
}

/** Takes over the servers of an earlier run and stops them in order, as the daemon does. */
async function endLeftover(folder: string): Promise<void> {
  // A run that ended before it had a cluster has left no servers.
  if (existsSync(join(folder, 'postgres', 'PG_VERSION'))) {
    const { redis, postgres } = await startServers(folder);
    await Promise.all([redis.stop(), postgres.stop()]);
  }
  await removeFolder(folder);
}

async function removeFolder(folder: string): Promise<void> {
  unmountBelow(folder);
  await rm(folder, { recursive: true, force: true });
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
