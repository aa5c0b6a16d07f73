// One long task as a group of processes, which ends with its time. What it prints goes into a file; its reader sees that it continues.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Task, VITEST } from './tasks.ts';

const HARD_END_MS = 15_000;
const SHOWN_EVERY_MS = 60_000;

export interface Counts {
  readonly passed: number;
  readonly failed: readonly string[];
}

/** The exit code of a task that cannot run on this machine; the last line that it printed says why. */
export const CANNOT_RUN = 77;

export interface TaskRun {
  /** `stopped`: its time was up, which proves nothing. `cannot run`: nor does what is not there. */
  readonly end: 'passed' | 'failed' | 'stopped' | 'cannot run';
  readonly seconds: number;
  /** Of the tests that had ended, if Vitest ran them. */
  readonly counts: Counts;
  readonly log: string;
}

export interface TaskPlace {
  /** For its counts and its log. */
  readonly folder: string;
  readonly untilMs: number;
  /** What it prints is shown as it comes, and is not in the log. */
  readonly isShown: boolean;
  readonly say: (line: string) => void;
}

/** `untilMs` is of the monotonic clock. */
export async function runTask(
  { name, words, environment }: Task,
  { folder, untilMs, isShown, say }: TaskPlace,
): Promise<TaskRun> {
  const startedMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedMs) / 1_000);
  const [countsFile, logFile] = [join(folder, 'counts.json'), join(folder, 'log')];
  rmSync(countsFile, { force: true });
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, words, {
    env: {
      ...process.env,
      ...environment,
      ...(words.includes(VITEST) && { TWAPD_TEST_COUNTS: countsFile }),
    },
    stdio: isShown ? ['ignore', 'inherit', 'inherit'] : ['ignore', log, log],
    detached: true,
  });
  const signal = (kind: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, kind);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  let isStopped = false;
  const stop = setTimeout(
    () => {
      isStopped = true;
      signal('SIGTERM');
      setTimeout(() => signal('SIGKILL'), HARD_END_MS).unref();
    },
    Math.max(0, untilMs - performance.now()),
  );
  const shown = setInterval(() => say(`   … ${name}: ${seconds()} s`), SHOWN_EVERY_MS);
  const code = await new Promise<number | null>((done) => {
    child.once('error', (error) => {
      say(error.message);
      done(1);
    });
    child.once('exit', done);
  });
  clearTimeout(stop);
  clearInterval(shown);
  closeSync(log);
  const end = isStopped ? 'stopped' : endOf(code);
  say(`== ${name}: ${end} after ${seconds()} s`);
  return {
    end,
    seconds: seconds(),
    counts: countsIn(countsFile),
    log: readFileSync(logFile, 'utf8'),
  };
}

const endOf = (code: number | null): TaskRun['end'] =>
  code === 0 ? 'passed' : code === CANNOT_RUN ? 'cannot run' : 'failed';

/** None of a task that Vitest does not run. */
function countsIn(file: string): Counts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { passed: 0, failed: [] };
    throw error;
  }
}
