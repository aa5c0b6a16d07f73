// A private PostgreSQL for one data folder: how it is found, started and ended. Its life is that of every
// private server. It listens on a Unix socket in a folder only its own user (and root) may enter, which is why
// connections need no password.
import { chmod, chown, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LaunchFailed, launchServer } from '../../private-server/launch-server.ts';
import {
  type Busy,
  type PrivateServer,
  type RunningServer,
  type ServerDescription,
  type ServerLog,
  type Standing,
  startPrivateServer,
} from '../../private-server/private-server.ts';
import { type EndStep, KILL } from '../../private-server/server-process.ts';
import { chooseSocket, removeTemporary } from '../../private-server/server-socket.ts';
import { ensureCluster, postgresEnvironment } from './embedded-postgres-cluster.ts';
import { chooseOwner, type PostgresOwner, userOf } from './embedded-postgres-owner.ts';
import { clearStalePidFile, postmasterState, readPidFile } from './embedded-postgres-pid-file.ts';
import { connectionString, ensureDatabase, probePostgres } from './embedded-postgres-probe.ts';
import { findPostgresPrograms } from './embedded-postgres-programs.ts';
import { postgresSettings } from './embedded-postgres-settings.ts';

/**
 * A starting server creates its pid file empty and fills it immediately; a file that stays empty is left
 * over from a crash.
 */
const PID_WRITTEN_WITHIN_MS = 2_000;
const SOCKET_NAME = '.s.PGSQL.5432';

/** The server's message if another server, or the last processes of a killed one, still hold the cluster. */
const HELD =
  /lock file "postmaster\.pid" (already exists|is empty)|pre-existing shared memory block/;

export interface EmbeddedPostgresOptions {
  /** Created if missing. Contains the cluster, the socket's folder and the server's log. */
  readonly dataDir: string;
  readonly log: ServerLog;
  /**
   * Server settings that override the built-in ones, by their names in postgresql.conf. Not applied to a
   * reused server.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Returns the PostgreSQL server of a data folder; its address is a superuser's connection to the database
 * `twapd`, understood by pg and by libpq. A second caller on the same folder gets the same server. Commits are
 * safe however it is stopped.
 * @throws Error if this machine has no programs for it, root cannot hand it to another user, or it does not
 * start; the message contains the end of its log.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<PrivateServer> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  return await startPrivateServer(new PostgresDescription({ ...options, dataDir }), options.log);
}

class PostgresDescription implements ServerDescription {
  readonly name = 'PostgreSQL';
  readonly stopWithinMs = 5_000;
  readonly dataDir: string;
  readonly #cluster: string;
  readonly #options: EmbeddedPostgresOptions;
  #emptySince: number | undefined;

  constructor(options: EmbeddedPostgresOptions) {
    this.dataDir = options.dataDir;
    this.#cluster = join(options.dataDir, 'cluster');
    this.#options = options;
  }

  async probe(): Promise<Standing> {
    const cluster = this.#cluster;
    const file = await readPidFile(cluster);
    if (file === undefined) return { kind: 'none' };
    const { pid, socketFolder } = file;
    if ((await probePostgres(socketFolder)) === cluster) {
      return { kind: 'running', server: await serving({ pid, socketFolder }) };
    }
    const state = postmasterState(pid, cluster);
    if (state === 'ours' || this.#isBeingWritten(pid)) {
      return { kind: 'busy', why: 'does not answer; end it and start again' };
    }
    // PostgreSQL itself replaces the file of a dead process, without a gap that another start could slip into.
    if (state === 'other' || pid === 0) await clearStalePidFile(cluster, pid);
    await removeTemporary(socketFolder);
    return { kind: 'none' };
  }

  #isBeingWritten(pid: number): boolean {
    if (pid !== 0) {
      this.#emptySince = undefined;
      return false;
    }
    this.#emptySince ??= performance.now();
    return performance.now() - this.#emptySince < PID_WRITTEN_WITHIN_MS;
  }

  /** `busy` if another start got ahead, or the last processes of a killed server are still ending. */
  async launch(): Promise<RunningServer | Busy> {
    const { dataDir } = this;
    const { log, settings = {} } = this.#options;
    const programs = await findPostgresPrograms();
    const owner = await chooseOwner({ dataDir, programsFolder: programs.folder, log });
    // The server's user may pass through the data folder, but not list it.
    if (owner.uid !== undefined) await chmod(dataDir, 0o711);
    const cluster = await ensureCluster({ dataDir, programs, owner, log });
    const socketFolder = await madeSocketFolder(dataDir, owner);
    try {
      const pid = await launchServer({
        words: [
          ...owner.prefix,
          programs.postgres,
          '-D',
          cluster,
          ...postgresSettings(socketFolder, settings),
        ],
        cwd: '/',
        env: postgresEnvironment(),
        user: userOf(owner),
        logPath: join(dataDir, 'postgres.log'),
        whenUp: async (started) => {
          const file = await readPidFile(cluster);
          return file?.pid === started && file.status === 'ready' ? started : undefined;
        },
        ending: this.ending(0),
      });
      return await serving({ pid, socketFolder });
    } catch (error) {
      if (!(error instanceof LaunchFailed && HELD.test(error.printed))) throw error;
      const why = 'is held by processes that do not end; see postgres.log there';
      return { kind: 'busy', why };
    }
  }

  /** Fast, immediate, and by force two seconds later. */
  ending(withinMs: number): readonly EndStep[] {
    return [
      { signal: 'SIGINT', withinMs, wording: 'ended' },
      { signal: 'SIGQUIT', withinMs: 2_000, wording: 'ended by an immediate shutdown' },
      KILL,
    ];
  }
}

/** The server once the daemon's database is in it. */
async function serving({
  pid,
  socketFolder,
}: {
  readonly pid: number;
  readonly socketFolder: string;
}): Promise<RunningServer> {
  await ensureDatabase(socketFolder);
  return {
    title: 'PostgreSQL',
    pid,
    address: connectionString(socketFolder, 'twapd'),
    // The folder in the data folder is used again.
    clearUp: () => removeTemporary(socketFolder),
  };
}

/** Creates the folder for the socket and gives it to the server's user. */
async function madeSocketFolder(dataDir: string, owner: PostgresOwner): Promise<string> {
  const folder = dirname(await chooseSocket(join(dataDir, 'socket', SOCKET_NAME), 'postgres'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  return folder;
}
