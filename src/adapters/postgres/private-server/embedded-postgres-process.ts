// What the operating system knows about the server's process, and how it is ended. A process id alone proves
// nothing: ids are reused, by any program, and in a container often by the same one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;
const IMMEDIATE_WITHIN_MS = 2_000;

/** Whether the process is the server of this cluster, something else, or gone (a zombie counts as gone). */
export function postmasterState(pid: number, cluster: string): 'ours' | 'other' | 'gone' {
  const words = commandWords(pid);
  if (words === undefined) return 'gone';
  return words.includes('postgres') && words.includes(cluster) ? 'ours' : 'other';
}

/**
 * Returns the shutdown it took: fast (SIGINT), immediate (SIGQUIT) after `withinMs`, forced (SIGKILL) two
 * seconds later.
 */
export async function endPostmaster(
  pid: number,
  { cluster, withinMs }: { cluster: string; withinMs: number },
): Promise<'fast' | 'immediate' | 'forced'> {
  if (await endsAfter('SIGINT', withinMs)) return 'fast';
  if (await endsAfter('SIGQUIT', IMMEDIATE_WITHIN_MS)) return 'immediate';
  await endsAfter('SIGKILL', Number.POSITIVE_INFINITY);
  return 'forced';

  async function endsAfter(signal: NodeJS.Signals, waitMs: number): Promise<boolean> {
    send(pid, signal);
    const deadline = performance.now() + waitMs;
    while (!hasEnded(pid, cluster)) {
      if (performance.now() >= deadline) return false;
      await sleep(LOOK_EVERY_MS);
    }
    return true;
  }
}

/** An exiting process has lost its command line, but not yet its id. */
function hasEnded(pid: number, cluster: string): boolean {
  const state = postmasterState(pid, cluster);
  if (state !== 'gone' || process.platform !== 'linux') return state !== 'ours';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return 'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    // The process no longer exists.
    return true;
  }
}

function commandWords(pid: number): string | undefined {
  try {
    const words =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return words.trim() === '' ? undefined : words;
  } catch {
    // Both queries fail exactly if the process is gone.
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
