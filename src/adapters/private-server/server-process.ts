// What the operating system knows about the process of a private server, and how it is ended. A process id
// alone proves nothing: ids are reused, by any program, and in a container often by the same one.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';

const LOOK_EVERY_MS = 5;

/**
 * An identity that no other process shares, before or after a restart of the machine; undefined if there is
 * no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxIdentity(pid) : bsdIdentity(pid);
  } catch {
    // Unexamined: both queries fail exactly if the process is gone.
    return undefined;
  }
}

/**
 * Start time in clock ticks since the machine's start, from proc(5): field 22 of stat; the name before it
 * may contain blanks.
 */
function linuxIdentity(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${pid}:${fields[19]}`;
}

function bsdIdentity(pid: number): string | undefined {
  const words = ['-o', 'state=,lstart=', '-p', String(pid)];
  const [state = 'Z', ...started] = execFileSync('ps', words, { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  return state.startsWith('Z') ? undefined : `${pid}:${started.join(' ')}`;
}

/** Whether a process has the id; costs one system call, so it may be asked often. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    throwProgrammingError(error);
    // The process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A signal and how long it has to take effect; one without time is not sent. */
export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly withinMs: number;
  /** Completes the log message `the server was …`. */
  readonly wording: string;
}

/** The last step of every ending. */
export const KILL: EndStep = {
  signal: 'SIGKILL',
  withinMs: Number.POSITIVE_INFINITY,
  wording: 'killed',
};

/** Ends a process step by step; returns the step that ended it, undefined if it was gone already. */
export async function endProcess(
  pid: number,
  steps: readonly EndStep[],
): Promise<EndStep | undefined> {
  const identity = processIdentity(pid);
  if (identity === undefined) return undefined;
  for (const step of steps) {
    if (step.withinMs <= 0) continue;
    send(pid, step.signal);
    const deadline = performance.now() + step.withinMs;
    do {
      await sleep(LOOK_EVERY_MS);
      if (processIdentity(pid) !== identity) return step;
    } while (performance.now() < deadline);
  }
  return undefined;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
