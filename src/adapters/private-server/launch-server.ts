// Starts a server program and waits until it is up. It leads its own session, so that Ctrl-C in the terminal
// does not reach it before the daemon has drained.
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndStep, endProcess } from './server-process.ts';

/**
 * Loading what is on disk takes time: about half a second for 100 000 jobs in Redis; crash recovery of
 * PostgreSQL replays at most max_wal_size of log: seconds, not minutes.
 */
export const UP_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 5;
const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
const LOG_LINES_SHOWN = 8;

export interface ServerLaunch<T> {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the user of this process. */
  readonly user?: { readonly uid?: number; readonly gid?: number };
  /** Everything it prints is appended to this file. */
  readonly logPath: string;
  /** Returns its answer once it is up; undefined until then. */
  readonly whenUp: (pid: number) => Promise<T | undefined>;
  /** How it is ended if it is not up in time. */
  readonly ending: readonly EndStep[];
}

/** The program ended early or was not up in time. The message contains the end of its log. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
  /** What the program printed. */
  readonly printed: string;

  constructor(program: string, why: string, printed: string) {
    const tail = printed.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
    super(`${program} did not come up: ${why}\n${tail}`);
    this.printed = printed;
  }
}

/** @throws LaunchFailed if it ends early or is not up within a minute */
export async function launchServer<T>(launch: ServerLaunch<T>): Promise<T> {
  const [program = '', ...args] = launch.words;
  const logFile = await openLog(launch.logPath);
  try {
    const { size } = await logFile.stat();
    const child = spawn(program, args, {
      cwd: launch.cwd,
      ...(launch.env !== undefined && { env: launch.env }),
      ...launch.user,
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    child.unref();
    const up = await untilUp(child, launch);
    if ('answer' in up) return up.answer;
    const log = await readFile(launch.logPath);
    throw new LaunchFailed(program, up.why, log.toString('utf8', size));
  } finally {
    await logFile.close();
  }
}

async function untilUp<T>(
  child: ChildProcess,
  { whenUp, ending }: ServerLaunch<T>,
): Promise<{ readonly answer: T } | { readonly why: string }> {
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  const deadline = performance.now() + UP_WITHIN_MS;
  while (ended === undefined && performance.now() < deadline) {
    const answer = child.pid === undefined ? undefined : await whenUp(child.pid);
    if (answer !== undefined) return { answer };
    await sleep(LOOK_EVERY_MS);
  }
  if (ended !== undefined) return { why: ended };
  if (child.pid !== undefined) await endProcess(child.pid, ending);
  return { why: `it was not up within ${UP_WITHIN_MS / 1000} s` };
}

/** A log that has grown too large is started over. */
async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    // Unexamined: a log that cannot be measured is opened below, and that error is not hidden.
    () => 0,
  );
  if (size > LARGEST_LOG_BYTES) await rm(path, { force: true });
  return await open(path, 'a', 0o600);
}
