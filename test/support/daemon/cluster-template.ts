// The PostgreSQL cluster of a test run: made once by the global setup, and copied by every test that needs a private server. A
// first start runs initdb and writes 256 MB of log files ahead; a copy, which has the daemon's database already, does neither.
// That a first start does all of it is shown by test/adapters/postgres/embedded-postgres.pg.test.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import {
  ensureCluster,
  postgresEnvironment,
} from '../../../src/adapters/postgres/private-server/embedded-postgres-cluster.ts';
import { chooseOwner } from '../../../src/adapters/postgres/private-server/embedded-postgres-owner.ts';
import { findPostgresPrograms } from '../../../src/adapters/postgres/private-server/embedded-postgres-programs.ts';

/** The database with the schema of this version that the run makes once; its tests get copies, and nobody connects to it. */
export const SCHEMA_TEMPLATE = 'twapd_schema';
/**
 * The same with the partitions that a ledger makes when it is opened: those of today's week, and of the first week of 1970 for
 * ledgers whose clock begins at 0. Making them takes most of the time of opening one.
 */
export const DAYS_TEMPLATE = 'twapd_days';

/** In the environment, because programs outside Vitest copy it too. */
const VARIABLE = 'TEST_CLUSTER_TEMPLATE';

interface TemplateLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Makes the cluster in `dataDir`; tests of this run and their processes find it from then on. */
export async function makeClusterTemplate(dataDir: string, log: TemplateLog): Promise<void> {
  await mkdir(dataDir);
  const programs = await findPostgresPrograms();
  const owner = await chooseOwner({ dataDir, programsFolder: programs.folder, log });
  if (owner.uid !== undefined) await chmod(dataDir, 0o711);
  const cluster = await ensureCluster({ dataDir, programs, owner, log });
  makeDatabase([...owner.prefix, programs.postgres, '--single', '-F', '-D', cluster, 'postgres'], {
    // With a prefix it is the prefix that changes the user.
    ...(owner.prefix.length === 0 && owner.uid !== undefined && { uid: owner.uid, gid: owner.gid }),
  });
  process.env[VARIABLE] = cluster;
}

/** PostgreSQL's single-user mode: reads statements from its input, one a line, and ends with it. */
function makeDatabase(
  [program = '', ...words]: readonly string[],
  user: { uid?: number; gid?: number | undefined },
): void {
  const input = 'CREATE DATABASE twapd\n';
  const env = postgresEnvironment();
  const { status, stderr } = spawnSync(program, words, { ...user, input, env, cwd: '/' } as object);
  if (status !== 0) throw new Error(`the database of the template cannot be made: ${stderr}`);
}

/** Puts a cluster that was never started into the data folder of a PostgreSQL; without a template its first start makes one. */
export function copyClusterTemplate(dataDir: string): void {
  const template = process.env[VARIABLE];
  if (template === undefined) return;
  mkdirSync(dataDir, { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-a', template, join(dataDir, 'cluster')]);
  if (status !== 0) throw new Error(`the cluster cannot be copied to ${dataDir}: ${stderr}`);
}
