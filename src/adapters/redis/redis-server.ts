// A private Redis for one data folder: how it is found, started and ended. Its life is that of every private
// server; a record of it is kept alongside its data, because Redis keeps none of its own.

import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../files/whole-file.ts';
import { launchServer } from '../private-server/launch-server.ts';
import {
  type PrivateServer,
  type RunningServer,
  type ServerDescription,
  type ServerLog,
  type Standing,
  startPrivateServer,
} from '../private-server/private-server.ts';
import {
  type EndStep,
  endProcess,
  KILL,
  processIdentity,
} from '../private-server/server-process.ts';
import { chooseSocket } from '../private-server/server-socket.ts';
import { withStartLock } from './redis-server-lock.ts';
import { probeRedisServer, type RedisServerAnswer, settleSettings } from './redis-server-probe.ts';
import { findRedisProgram } from './redis-server-program.ts';
import {
  forgetServer,
  readServer,
  type ServerRecord,
  socketInFolder,
  writeServer,
} from './redis-server-record.ts';
import { type RedisPersistence, redisSettings } from './redis-server-settings.ts';

const OLDEST_VERSION = [6, 2] as const;
/** A server that does not identify itself within this time is considered wedged. */
const ANSWER_WITHIN_MS = 3_000;
const FIRST_ANSWER_WITHIN_MS = 1_000;

export interface RedisServerOptions {
  /** Created if missing. Contains the append-only file, the log, the socket and the server's record. */
  readonly dataDir: string;
  readonly log: ServerLog;
  /** When a write is on disk: each one immediately, at most a second later (default), or never. */
  readonly persistence?: RedisPersistence;
  /** Path of redis-server or valkey-server; default TWAPD_REDIS_SERVER, then PATH. */
  readonly program?: string;
}

/**
 * Returns the Redis server of a data folder; its address is the path of a Unix socket. A second caller on the
 * same folder gets the same server: its jobs are only wake-ups with deterministic ids, so sharing is
 * harmless, and `stop` by either caller ends it for both.
 * @throws Error if no program is found, it is older than 6.2, or it does not start; the message contains
 * the end of its log.
 */
export async function startRedisServer(options: RedisServerOptions): Promise<PrivateServer> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const description = new RedisDescription({ ...options, dataDir });
  return await withStartLock(dataDir, () => startPrivateServer(description, options.log));
}

class RedisDescription implements ServerDescription {
  readonly name = 'Redis';
  readonly stopWithinMs = 4_000;
  readonly dataDir: string;
  readonly #options: RedisServerOptions;
  readonly #persistence: RedisPersistence;

  constructor(options: RedisServerOptions) {
    this.dataDir = options.dataDir;
    this.#options = options;
    this.#persistence = options.persistence ?? 'everysec';
  }

  async probe(): Promise<Standing> {
    const { dataDir } = this;
    const known = await readServer(dataDir, this.#options.log);
    const socket = known?.socket ?? socketInFolder(dataDir);
    const answer = await probeRedisServer(socket, ANSWER_WITHIN_MS);
    const isCopied = known !== undefined && known.dataDir !== dataDir && answer?.dir !== dataDir;
    if (answer === undefined || isCopied) {
      if (known !== undefined) await this.#removeLeftover(known);
      return { kind: 'none' };
    }
    requireSameFolder(answer, { dataDir, socket });
    requireVersion(answer);
    await settleSettings(socket, this.#persistence);
    return { kind: 'running', server: this.#recorded(answer, socket) };
  }

  /** @throws LaunchFailed if it ends early or does not answer within a minute */
  async launch(): Promise<RunningServer> {
    const { dataDir } = this;
    const program = this.#options.program ?? findRedisProgram();
    const socket = await chooseSocket(socketInFolder(dataDir), 'redis');
    const settings = redisSettings({ dataDir, socket, persistence: this.#persistence });
    writeWhole(settingsPath(dataDir), settings);
    await rm(socket, { force: true });
    const answer = await launchServer({
      words: [program, settingsPath(dataDir)],
      cwd: dataDir,
      logPath: join(dataDir, 'redis.log'),
      whenUp: async () => {
        const told = await probeRedisServer(socket, FIRST_ANSWER_WITHIN_MS);
        return told?.loading === false ? told : undefined;
      },
      ending: this.ending(0),
    });
    try {
      requireVersion(answer);
      return this.#recorded(answer, socket);
    } catch (error) {
      await endProcess(answer.pid, this.ending(this.stopWithinMs));
      throw error;
    }
  }

  ending(withinMs: number): readonly EndStep[] {
    return [{ signal: 'SIGTERM', withinMs, wording: 'ended' }, KILL];
  }

  /** The recorded process is dead, wedged, or another process now has its id; or the record is a copy. */
  async #removeLeftover(known: ServerRecord): Promise<void> {
    if (known.dataDir === this.dataDir && processIdentity(known.pid) === known.identity) {
      const { log } = this.#options;
      log.warn(`the Redis server of process ${known.pid} does not answer; ending it`);
      await endProcess(known.pid, this.ending(0));
    }
    await forgetServer(this.dataDir, known);
  }

  #recorded(answer: RedisServerAnswer, socket: string): RunningServer {
    const { pid, runId, version } = answer;
    const { dataDir } = this;
    const record = { pid, identity: processIdentity(pid) ?? '', runId, socket, dataDir };
    writeServer(record);
    return {
      title: `Redis ${version}`,
      pid,
      address: socket,
      clearUp: async () => {
        // Another process may have stopped it and started another.
        if ((await readServer(dataDir, this.#options.log))?.runId !== runId) return;
        await forgetServer(dataDir, record);
        await rm(settingsPath(dataDir), { force: true });
      },
    };
  }
}

const settingsPath = (dataDir: string): string => join(dataDir, 'redis.conf');

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
