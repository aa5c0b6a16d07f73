// The ledger's database for a command beside the daemon: the configured one, the embedded one while the
// daemon runs, or the embedded one started for the duration of the command, during which no daemon can start.
import { join, resolve } from 'node:path';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { startEmbeddedPostgres } from '../../adapters/postgres/private-server/embedded-postgres.ts';
import type { Config } from '../config/config.ts';
import { type DataDir, DataDirLocked, lockDataDir } from '../data-dir.ts';

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
  const folder = folderOf(config.service.dataDir);
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
  /** Absent while another process holds the lock. */
  readonly held?: DataDir;
}

function folderOf(dataDir: string): Folder {
  try {
    const held = lockDataDir(dataDir);
    return { postgres: held.postgres, held };
  } catch (error) {
    if (!(error instanceof DataDirLocked)) throw error;
    return { postgres: join(resolve(dataDir), 'postgres') };
  }
}
