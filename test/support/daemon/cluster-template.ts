// The PostgreSQL cluster of a test run: made once by the global setup, and copied by every test that needs a private server.
// A copy costs a sixth of what initdb does. How a first start makes a cluster is shown by test/adapters/embedded-postgres.pg.test.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { ensureCluster } from '../../../src/adapters/postgres/private-server/embedded-postgres-cluster.ts';
import { chooseOwner } from '../../../src/adapters/postgres/private-server/embedded-postgres-owner.ts';
import { findPostgresPrograms } from '../../../src/adapters/postgres/private-server/embedded-postgres-programs.ts';

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
  process.env[VARIABLE] = await ensureCluster({ dataDir, programs, owner, log });
}

/** Puts a cluster that was never started into the data folder of a PostgreSQL; without a template its first start makes one. */
export function copyClusterTemplate(dataDir: string): void {
  const template = process.env[VARIABLE];
  if (template === undefined) return;
  mkdirSync(dataDir, { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-a', template, join(dataDir, 'cluster')]);
  if (status !== 0) throw new Error(`the cluster cannot be copied to ${dataDir}: ${stderr}`);
}
