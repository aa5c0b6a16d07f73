// Reads the server's own record of itself, postmaster.pid: one value per line, in the order of PostgreSQL's
// miscadmin.h. It has no identity of the process besides its id, so the process's command line is compared.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface PostmasterPidFile {
  /** 0 while the file is empty. */
  readonly pid: number;
  readonly socketFolder: string;
  /** starting, ready or stopping. */
  readonly status: string;
}

const PID_LINE = 0;
const SOCKET_LINE = 4;
const STATUS_LINE = 7;

/** Undefined if there is none: no server, or one that has shut down cleanly. */
export async function readPidFile(cluster: string): Promise<PostmasterPidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  return {
    // Negative in a file of single-user mode.
    pid: Math.abs(Number(lines[PID_LINE])),
    socketFolder: lines[SOCKET_LINE] ?? '',
    status: lines[STATUS_LINE] ?? '',
  };
}

/**
 * Removes the file of a dead server. PostgreSQL does so itself if the process id is free, but refuses to
 * start while another process of its user has that id.
 */
export async function clearStalePidFile(cluster: string, pid: number): Promise<void> {
  const current = await readPidFile(cluster);
  if (current?.pid === pid) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Whether the process is the server of this cluster, something else, or gone (a zombie counts as gone). */
export function postmasterState(pid: number, cluster: string): 'ours' | 'other' | 'gone' {
  const words = commandWords(pid);
  if (words === undefined) return 'gone';
  return words.includes('postgres') && words.includes(cluster) ? 'ours' : 'other';
}

function commandWords(pid: number): string | undefined {
  try {
    const words =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return words.trim() === '' ? undefined : words;
  } catch {
    // Unexamined: both queries fail exactly if the process is gone.
    return undefined;
  }
}
