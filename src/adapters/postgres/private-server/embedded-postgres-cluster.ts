// The cluster on disk: created next to its final path and renamed in one step, so that a killed first start
// leaves none half made.
import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../private-server/server-process.ts';
import { type PostgresOwner, userOf } from './embedded-postgres-owner.ts';
import type { PostgresPrograms } from './embedded-postgres-programs.ts';

const run = promisify(execFile);
const UNFINISHED = 'cluster.new-';
const UNFINISHED_BY = /^cluster\.new-(\d+)-/;

interface ClusterContext {
  readonly dataDir: string;
  readonly programs: PostgresPrograms;
  readonly owner: PostgresOwner;
  readonly log: { info(message: string): void };
}

/**
 * Path of the cluster, which is created if missing.
 * @throws Error if another major version of PostgreSQL made it, or if it cannot be made
 */
export async function ensureCluster(context: ClusterContext): Promise<string> {
  const cluster = join(context.dataDir, 'cluster');
  // Unexamined: without a readable version there is no cluster, and making one fails with the reason.
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await makeCluster(cluster, context);
  } else if (version.trim() !== context.programs.major) {
    throw new Error(
      `${cluster} was made by PostgreSQL ${version.trim()}, the programs here are ${context.programs.major}: ` +
        'dump it with the old version and load it here, or choose another data folder',
    );
  }
  return cluster;
}

async function makeCluster(
  cluster: string,
  { dataDir, programs, owner, log }: ClusterContext,
): Promise<void> {
  await removeUnfinished(dataDir);
  log.info(`making a PostgreSQL cluster in ${cluster}`);
  const fresh = await mkdtemp(join(dataDir, `${UNFINISHED}${process.pid}-`));
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(fresh, owner.uid, owner.gid);
  const words = [
    programs.initdb,
    `--pgdata=${fresh}`,
    '--username=twapd',
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  await runAs(owner, words);
  await moveInto(fresh, cluster);
}

async function runAs(owner: PostgresOwner, words: readonly string[]): Promise<void> {
  const [program = '', ...args] = [...owner.prefix, ...words];
  await run(program, args, { ...userOf(owner), cwd: '/', env: postgresEnvironment() });
}

/** Another start may have created it meanwhile; its cluster is just as good. */
async function moveInto(fresh: string, cluster: string): Promise<void> {
  try {
    await rename(fresh, cluster);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await rm(fresh, { recursive: true, force: true });
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = UNFINISHED_BY.exec(name)?.[1];
    if (maker === undefined || isAlive(Number(maker))) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** Nothing from the caller's environment: PGDATA, PGPORT and the like would change what the programs do. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}
