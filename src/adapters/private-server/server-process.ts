// What the operating system knows about the server's process. A process id alone proves nothing: ids are
// reused.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;

/**
 * An identity that no other process shares, before or after a restart of the machine; undefined if there is
 * no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxIdentity(pid) : bsdIdentity(pid);
  } catch {
    // Both queries fail exactly if the process is gone.
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

/** Ends a process: SIGTERM, then SIGKILL after `withinMs`. Returns true if force was needed. */
export async function endProcess(pid: number, withinMs: number): Promise<boolean> {
  const identity = processIdentity(pid);
  if (identity === undefined) return false;
  signal(pid, withinMs > 0 ? 'SIGTERM' : 'SIGKILL');
  const deadline = performance.now() + withinMs;
  let forced = withinMs <= 0;
  while (processIdentity(pid) === identity) {
    if (!forced && performance.now() >= deadline) {
      signal(pid, 'SIGKILL');
      forced = true;
    }
    await sleep(LOOK_EVERY_MS);
  }
  return forced;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
