// A private PostgreSQL for one data folder: an already running one is reused, otherwise one is started. It
// listens on a Unix socket in a folder only its own user may enter, and outlives a killed daemon on purpose:
// its commits are the ledger.
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from './embedded-postgres-cluster.ts';
import { launchPostgres } from './embedded-postgres-launch.ts';
import { chooseOwner, type PostgresOwner } from './embedded-postgres-owner.ts';
import { clearStalePidFile, readPidFile } from './embedded-postgres-pid-file.ts';
import { askPostgres, ensureDatabase } from './embedded-postgres-probe.ts';
import { endPostmaster, postmasterState } from './embedded-postgres-process.ts';
import { findPostgresPrograms } from './embedded-postgres-programs.ts';
import { postgresSettings } from './embedded-postgres-settings.ts';
import {
  chooseSocketFolder,
  connectionString,
  removeSocketFolder,
} from './embedded-postgres-socket.ts';

/** Crash recovery replays at most max_wal_size of log: seconds, not minutes. */
const UP_WITHIN_MS = 60_000;
const RETRY_EVERY_MS = 50;
/**
 * A starting server creates its pid file empty and fills it immediately; a file that stays empty is left
 * over from a crash.
 */
const PID_WRITTEN_WITHIN_MS = 2_000;
const STOP_WITHIN_MS = 5_000;

interface EmbeddedPostgresLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** Created if missing. Contains the cluster, the socket's folder and the server's log. */
  readonly dataDir: string;
  readonly log: EmbeddedPostgresLog;
  /**
   * Server settings that override the built-in ones, by their names in postgresql.conf. Not applied to a
   * reused server.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** A superuser's connection to the database `twapd`; understood by pg and by libpq. */
  readonly connectionString: string;
  readonly pid: number;
  /** True if a server left by an earlier daemon was reused. */
  readonly reused: boolean;
  /** Fast shutdown; immediate after `withinMs` (default 5 000), then by force. Commits are safe either way. */
  stop(withinMs?: number): Promise<void>;
}

interface Running {
  readonly pid: number;
  readonly socketFolder: string;
}

/**
 * Returns the PostgreSQL server of a data folder. A second caller on the same folder gets the same server.
 * @throws Error if this machine has no programs for it, root cannot hand it to another user, or it does not
 * start; the message contains the end of its log.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const deadline = performance.now() + UP_WITHIN_MS;
  for (;;) {
    const found = await findRunning(join(dataDir, 'cluster'), { log: options.log, deadline });
    const running = found ?? (await startFresh(dataDir, options));
    if (running !== undefined) {
      await ensureDatabase(running.socketFolder);
      return serverOf(running, { dataDir, reused: found !== undefined, log: options.log });
    }
    if (performance.now() > deadline) {
      throw new Error(
        `PostgreSQL in ${dataDir} is held by processes that do not end; see postgres.log there`,
      );
    }
    await sleep(RETRY_EVERY_MS);
  }
}

/** Waits for a server that is starting or stopping; undefined if there is none. */
async function findRunning(
  cluster: string,
  { log, deadline }: { log: EmbeddedPostgresLog; deadline: number },
): Promise<Running | undefined> {
  const emptySince = performance.now();
  while (performance.now() < deadline) {
    const file = await readPidFile(cluster);
    if (file === undefined) return undefined;
    if ((await askPostgres(file.socketFolder)) === cluster) {
      log.info(`reusing the PostgreSQL server of process ${file.pid} in ${cluster}`);
      return { pid: file.pid, socketFolder: file.socketFolder };
    }
    const isUnwritten = file.pid === 0 && performance.now() - emptySince < PID_WRITTEN_WITHIN_MS;
    const state = postmasterState(file.pid, cluster);
    if (state !== 'ours' && !isUnwritten) {
      // PostgreSQL itself replaces the file of a dead process, without a gap that another start could slip into.
      if (state === 'other' || file.pid === 0) await clearStalePidFile(cluster, file.pid);
      await removeSocketFolder(file.socketFolder);
      return undefined;
    }
    await sleep(RETRY_EVERY_MS);
  }
  throw new Error(
    `the PostgreSQL server that holds ${cluster} does not answer; end it and start again`,
  );
}

/** Undefined if another start got ahead, or the last processes of a killed server are still ending. */
async function startFresh(
  dataDir: string,
  { log, settings }: EmbeddedPostgresOptions,
): Promise<Running | undefined> {
  const programs = await findPostgresPrograms();
  const owner = await chooseOwner({ dataDir, programsFolder: programs.folder, log });
  await makeReachable(dataDir, owner);
  const cluster = await ensureCluster({ dataDir, programs, owner, log });
  const socketFolder = await chooseSocketFolder(dataDir, owner);
  const flags = postgresSettings(socketFolder, settings ?? {});
  const startedAt = performance.now();
  const pid = await launchPostgres({ program: programs.postgres, cluster, dataDir, flags, owner });
  if (pid === undefined) return undefined;
  log.info(
    `PostgreSQL started as process ${pid} in ${Math.round(performance.now() - startedAt)} ms, ${cluster}`,
  );
  return { pid, socketFolder };
}

/** Lets the server's user pass through the data folder, but not list it. */
async function makeReachable(dataDir: string, owner: PostgresOwner): Promise<void> {
  if (owner.uid !== undefined) await chmod(dataDir, 0o711);
}

function serverOf(
  running: Running,
  context: { dataDir: string; reused: boolean; log: EmbeddedPostgresLog },
): EmbeddedPostgres {
  const cluster = join(context.dataDir, 'cluster');
  let stopped: Promise<void> | undefined;
  const end = async (withinMs: number): Promise<void> => {
    if (postmasterState(running.pid, cluster) === 'ours') {
      const needed = await endPostmaster(running.pid, { cluster, withinMs });
      if (needed !== 'fast')
        context.log.warn(`PostgreSQL needed an ${needed} shutdown after ${withinMs} ms`);
    }
    await removeSocketFolder(running.socketFolder);
  };
  return {
    connectionString: connectionString(running.socketFolder, 'twapd'),
    pid: running.pid,
    reused: context.reused,
    stop: (withinMs = STOP_WITHIN_MS) => {
      stopped ??= end(withinMs);
      return stopped;
    },
  };
}
