// Starts the server program and waits until it answers. It leads its own session, so that Ctrl-C in the
// terminal does not reach it before the daemon has drained.
import { spawn } from 'node:child_process';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from '../private-server/server-process.ts';
import { askRedisServer, type RedisServerAnswer } from './redis-server-probe.ts';
import { findRedisProgram } from './redis-server-program.ts';
import { type RedisPersistence, redisSettings } from './redis-server-settings.ts';

/** Loading a large append-only file takes time: about half a second for 100 000 jobs. */
const UP_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 5;
const ANSWER_WITHIN_MS = 1_000;
const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
const LOG_LINES_SHOWN = 8;

interface RedisLaunch {
  readonly dataDir: string;
  readonly socket: string;
  readonly persistence: RedisPersistence;
  readonly program: string | undefined;
}

/** @throws Error with the end of the server's log if it ends early or does not answer within a minute. */
export async function launchRedisServer(launch: RedisLaunch): Promise<RedisServerAnswer> {
  const program = launch.program ?? findRedisProgram();
  const logPath = join(launch.dataDir, 'redis.log');
  const settingsPath = join(launch.dataDir, 'redis.conf');
  await dropOversizedLog(logPath);
  await writeFile(settingsPath, redisSettings(launch), { mode: 0o600 });
  await rm(launch.socket, { force: true });
  const logFile = await open(logPath, 'a', 0o600);
  try {
    const child = spawn(program, [settingsPath], {
      cwd: launch.dataDir,
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    child.unref();
    return await untilUp(child, { socket: launch.socket, program, logPath });
  } finally {
    await logFile.close();
  }
}

async function untilUp(
  child: ReturnType<typeof spawn>,
  context: { socket: string; program: string; logPath: string },
): Promise<RedisServerAnswer> {
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  const deadline = performance.now() + UP_WITHIN_MS;
  while (ended === undefined && performance.now() < deadline) {
    const answer = await askRedisServer(context.socket, ANSWER_WITHIN_MS);
    if (answer !== undefined && !answer.loading) return answer;
    await sleep(ASK_EVERY_MS);
  }
  if (child.pid !== undefined && ended === undefined) await endProcess(child.pid, 0);
  const why = ended ?? `it did not answer within ${UP_WITHIN_MS / 1000} s`;
  throw new Error(`${context.program} did not come up: ${why}\n${await endOfLog(context.logPath)}`);
}

async function endOfLog(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}

async function dropOversizedLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LARGEST_LOG_BYTES) await rm(path, { force: true });
}
