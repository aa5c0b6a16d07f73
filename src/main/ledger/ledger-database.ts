// The ledger's database for a command alongside the daemon: the configured one, the embedded one while the
// daemon runs, or the embedded one started for the duration of the command, during which no daemon can start.
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { startEmbeddedPostgres } from '../../adapters/postgres/private-server/embedded-postgres.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import { COMMAND, type DataDir, DataDirLocked, lockDataDir } from '../data-dir.ts';

/** Runs `use` with the address of the database, whose schema is up to date. */
export function withLedgerDatabase<T>(
  config: Config,
  use: (connectionString: string) => Promise<T>,
): Promise<T> {
  return withDatabaseServer(config, async (connectionString) => {
    await migrate(connectionString);
    return await use(connectionString);
  });
}

/** Runs `use` with the address of the database, whatever is in it. */
export async function withDatabaseServer<T>(
  config: Config,
  use: (connectionString: string) => Promise<T>,
): Promise<T> {
  const given = config.database.url?.reveal();
  if (given !== undefined) return await use(given);
  const folder = await folderOf(config.service.dataDir);
  const quiet = { info: () => undefined, warn: () => undefined };
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder.postgres, log: quiet });
    try {
      return await use(server.address);
    } finally {
      // If the daemon holds the folder, the server is the daemon's.
      if (folder.held !== undefined) await server.stop();
    }
  } finally {
    folder.held?.release();
  }
}

interface Folder {
  readonly postgres: string;
  /** While no daemon holds the lock. */
  readonly held?: DataDir;
}

/**
 * Another command stops the server when it ends, so this one waits for it instead of using its server.
 * @throws CommandFailure if it continues for longer than a minute
 */
async function folderOf(dataDir: string): Promise<Folder> {
  for (const until = performance.now() + WAIT_MS; ; await setTimeout(RETRY_MS)) {
    try {
      const held = lockDataDir(dataDir, COMMAND);
      return { postgres: held.postgres, held };
    } catch (error) {
      if (!(error instanceof DataDirLocked)) throw error;
      const { holder } = error;
      if (holder !== undefined && holder.name !== COMMAND.name) {
        return { postgres: join(resolve(dataDir), 'postgres') };
      }
      if (performance.now() > until) throw inUse(dataDir, holder?.pid);
    }
  }
}

const WAIT_MS = 60_000;
const RETRY_MS = 100;

const inUse = (dataDir: string, pid: number | undefined): CommandFailure =>
  new CommandFailure('unreachable', [
    `the ledger in ${dataDir} is in use by another command${pid === undefined ? '' : `, with pid ${pid}`}; run this one when it has ended`,
  ]);
