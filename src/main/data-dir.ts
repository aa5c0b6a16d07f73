// The folder in which a process stores its files, locked by one process at a time. The lock is a file with
// the process id; the lock of a dead process is taken over.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { processIdentity } from '../adapters/private-server/server-process.ts';

export interface DataDir {
  readonly path: string;
  readonly redis: string;
  readonly postgres: string;
  /** Audit trail of a stand-alone exchange. */
  readonly actions: string;
  venue(name: string): string;
  release(): void;
}

export class DataDirLocked extends Error {
  override readonly name = 'DataDirLocked';
}

/** What the process is called, and the variables that select another folder. */
export interface Holder {
  readonly name: string;
  readonly variables: string;
}

export const DAEMON: Holder = { name: 'daemon', variables: 'TWAPD_DATA_DIR and TWAPD_PORT' };

/** Locks the folder; throws {@link DataDirLocked} while another process holds the lock. */
export function lockDataDir(dataDir: string, { name, variables }: Holder = DAEMON): DataDir {
  const path = resolve(dataDir);
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const lock = join(path, 'daemon.lock');
  if (!takeLock(lock)) {
    const holder = heldBy(lock);
    if (holder !== undefined) {
      throw new DataDirLocked(
        `${dataDir} is in use by the ${name} with pid ${holder}; stop it, or start this one with another ${variables}`,
      );
    }
    rmSync(lock, { force: true });
    if (!takeLock(lock)) throw new DataDirLocked(`${dataDir} was just locked by another ${name}`);
  }
  return {
    path,
    redis: join(path, 'redis'),
    postgres: join(path, 'postgres'),
    actions: actionsFolder(path),
    venue: (name) => join(path, 'venues', name),
    release: () => rmSync(lock, { force: true }),
  };
}

export const actionsFolder = (dataDir: string): string => join(dataDir, 'actions');

function takeLock(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx', 0o644);
    writeSync(file, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Pid of the living process that wrote the lock; `undefined` if there is none. */
function heldBy(lock: string): number | undefined {
  try {
    const { pid, identity } = JSON.parse(readFileSync(lock, 'utf8')) as Record<string, unknown>;
    if (typeof pid !== 'number') return undefined;
    const now = processIdentity(pid);
    return now !== undefined && now === identity ? pid : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
