// Starts the server program and waits until it accepts connections. It leads its own session, so that Ctrl-C
// in the terminal does not reach it before the daemon has drained.
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresEnvironment } from './embedded-postgres-cluster.ts';
import type { PostgresOwner } from './embedded-postgres-owner.ts';
import { readPidFile } from './embedded-postgres-pid-file.ts';

const UP_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 5;
const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
const LOG_LINES_SHOWN = 8;

/** The server's message if another server, or the last processes of a killed one, still hold the cluster. */
const HELD =
  /lock file "postmaster\.pid" (already exists|is empty)|pre-existing shared memory block/;

interface PostgresLaunch {
  readonly program: string;
  readonly cluster: string;
  readonly dataDir: string;
  readonly flags: readonly string[];
  readonly owner: PostgresOwner;
}

/**
 * The process id once it accepts connections; undefined if other processes hold the cluster.
 * @throws Error with the end of the server's log if it ends early or is not up within a minute
 */
export async function launchPostgres(launch: PostgresLaunch): Promise<number | undefined> {
  const logPath = join(launch.dataDir, 'postgres.log');
  const logFile = await openLog(logPath);
  try {
    const { size } = await logFile.stat();
    const child = spawnServer(launch, logFile);
    const ended = await untilReady(child, launch.cluster);
    if (ended === undefined) return child.pid;
    const said = (await readFile(logPath, 'utf8')).slice(size);
    if (HELD.test(said)) return undefined;
    const tail = said.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
    throw new Error(`PostgreSQL did not come up in ${launch.cluster}: ${ended}\n${tail}`);
  } finally {
    await logFile.close();
  }
}

function spawnServer(launch: PostgresLaunch, logFile: FileHandle): ChildProcess {
  const { owner } = launch;
  const words = [...owner.prefix, launch.program, '-D', launch.cluster, ...launch.flags];
  const [program = '', ...args] = words;
  const user =
    owner.prefix.length === 0 && owner.uid !== undefined ? { uid: owner.uid, gid: owner.gid } : {};
  const child = spawn(program, args, {
    ...(user as object),
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  child.unref();
  return child;
}

/** Undefined once it is ready, otherwise the reason why it is not. */
async function untilReady(child: ChildProcess, cluster: string): Promise<string | undefined> {
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  const deadline = performance.now() + UP_WITHIN_MS;
  while (performance.now() < deadline) {
    if (ended !== undefined) return ended;
    const file = await readPidFile(cluster);
    if (file?.pid === child.pid && file?.status === 'ready') return undefined;
    await sleep(LOOK_EVERY_MS);
  }
  child.kill('SIGQUIT');
  return `it was not ready within ${UP_WITHIN_MS / 1000} s`;
}

async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LARGEST_LOG_BYTES) await rm(path, { force: true });
  return await open(path, 'a', 0o600);
}
