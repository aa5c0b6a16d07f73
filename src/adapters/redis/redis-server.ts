// A private Redis for one data folder: an already running one is reused, otherwise one is started. It
// outlives a killed daemon on purpose; the server itself is queried for the folder it belongs to, which is
// never concluded from a file alone.
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, processIdentity } from '../private-server/server-process.ts';
import { chooseSocket, socketInFolder } from '../private-server/server-socket.ts';
import { launchRedisServer } from './redis-server-launch.ts';
import { withStartLock } from './redis-server-lock.ts';
import { askRedisServer, type RedisServerAnswer, settleSettings } from './redis-server-probe.ts';
import { forgetServer, readServer, type ServerRecord, writeServer } from './redis-server-record.ts';
import type { RedisPersistence } from './redis-server-settings.ts';

const OLDEST_VERSION = [6, 2] as const;
/** A server that does not identify itself within this time is considered wedged. */
const ANSWER_WITHIN_MS = 3_000;
const STOP_WITHIN_MS = 4_000;

interface RedisServerLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface RedisServerOptions {
  /** Created if missing. Contains the append-only file, the log, the socket and the server's record. */
  readonly dataDir: string;
  readonly log: RedisServerLog;
  /** When a write is on disk: each one immediately, at most a second later (default), or never. */
  readonly persistence?: RedisPersistence;
  /** Path of redis-server or valkey-server; default TWAPD_REDIS_SERVER, then PATH. */
  readonly program?: string;
}

export interface RedisServer {
  /** What ioredis connects to: the path of a Unix socket that no other user may open. */
  readonly url: string;
  readonly pid: number;
  /** True if a server left by an earlier daemon was reused. */
  readonly reused: boolean;
  /**
   * Writes what is pending and ends the server, by force after `withinMs` (default 4 000). A second call does
   * nothing.
   */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Returns the Redis server of a data folder. A second caller on the same folder gets the same server: its
 * jobs are only wake-ups with deterministic ids, so sharing is harmless, and `stop` by either caller ends
 * it for both.
 * @throws Error if no program is found, it is older than 6.2, or it does not start; the message contains
 * the end of its log.
 */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  return await withStartLock(dataDir, async () => {
    const found = await takeOverRunning(dataDir, options);
    const record = found ?? (await startFresh(dataDir, options));
    return serverOf(record, { reused: found !== undefined, log: options.log });
  });
}

async function takeOverRunning(
  dataDir: string,
  { log, persistence = 'everysec' }: RedisServerOptions,
): Promise<ServerRecord | undefined> {
  const known = await readServer(dataDir, log);
  const socket = known?.socket ?? socketInFolder(dataDir);
  const answer = await askRedisServer(socket, ANSWER_WITHIN_MS);
  const isCopied = known !== undefined && known.dataDir !== dataDir && answer?.dir !== dataDir;
  if (answer === undefined || isCopied) {
    if (known !== undefined) await removeLeftover(dataDir, known, log);
    return undefined;
  }
  requireSameFolder(answer, { dataDir, socket });
  requireVersion(answer);
  await settleSettings(socket, persistence);
  log.info(`reusing the Redis server of process ${answer.pid} in ${dataDir}`);
  const record = recordOf(answer, { dataDir, socket });
  await writeServer(record);
  return record;
}

/** The recorded process is dead, wedged, or another process now has its id; or the record is a copy. */
async function removeLeftover(
  dataDir: string,
  known: ServerRecord,
  log: RedisServerLog,
): Promise<void> {
  if (known.dataDir === dataDir && processIdentity(known.pid) === known.identity) {
    log.warn(`the Redis server of process ${known.pid} does not answer; ending it`);
    await endProcess(known.pid, 0);
  }
  await forgetServer(dataDir, known);
}

async function startFresh(
  dataDir: string,
  { log, persistence = 'everysec', program }: RedisServerOptions,
): Promise<ServerRecord> {
  const socket = await chooseSocket(dataDir);
  const answer = await launchRedisServer({ dataDir, socket, persistence, program });
  const record = recordOf(answer, { dataDir, socket });
  try {
    requireVersion(answer);
    await writeServer(record);
  } catch (error) {
    await endProcess(record.pid, STOP_WITHIN_MS);
    throw error;
  }
  log.info(`Redis ${answer.version} started as process ${answer.pid} in ${dataDir}`);
  return record;
}

function serverOf(
  record: ServerRecord,
  context: { reused: boolean; log: RedisServerLog },
): RedisServer {
  let stopped: Promise<void> | undefined;
  const end = async (withinMs: number): Promise<void> => {
    // A server that no longer answers with this run id was stopped, and perhaps replaced, by another process.
    const answer = await askRedisServer(record.socket, Math.min(withinMs, ANSWER_WITHIN_MS));
    if (answer !== undefined && answer.runId !== record.runId) return;
    if (processIdentity(record.pid) === record.identity) {
      const forced = await endProcess(record.pid, withinMs);
      if (forced) context.log.warn(`Redis did not end within ${withinMs} ms and was killed`);
    }
    await forgetServer(record.dataDir, record);
    await rm(join(record.dataDir, 'redis.conf'), { force: true });
  };
  return {
    url: record.socket,
    pid: record.pid,
    reused: context.reused,
    stop: (withinMs = STOP_WITHIN_MS) => {
      stopped ??= end(withinMs);
      return stopped;
    },
  };
}

function recordOf(
  { pid, runId }: RedisServerAnswer,
  where: { dataDir: string; socket: string },
): ServerRecord {
  return { pid, identity: processIdentity(pid) ?? '', runId, ...where };
}

function requireSameFolder(
  answer: RedisServerAnswer,
  expected: { dataDir: string; socket: string },
): void {
  if (answer.dir === expected.dataDir) return;
  throw new Error(
    `${expected.socket} belongs to a Redis server that keeps its data in ${answer.dir}, not in ${expected.dataDir}; ` +
      `stop process ${answer.pid} or choose another data folder`,
  );
}

function requireVersion({ version }: RedisServerAnswer): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1])) {
    return;
  }
  throw new Error(`Redis ${version} is too old: ${OLDEST_VERSION.join('.')} or newer is needed`);
}
