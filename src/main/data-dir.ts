// The folder in which a process stores its files, locked by one process at a time. The lock is a file with
// the process id; the lock of a dead process is taken over.
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { processIdentity } from '../adapters/private-server/server-process.ts';
import { createFolder } from './create-folder.ts';

export interface DataFolders {
  readonly path: string;
  readonly redis: string;
  readonly postgres: string;
  /** Audit trail of a stand-alone exchange. */
  readonly actions: string;
  /** Nonces of signed requests, for a process without a ledger. */
  readonly claims: string;
  venue(name: string): string;
}

export interface DataDir extends DataFolders {
  /** What this life of the process is called among the daemons of a deployment. */
  readonly member: string;
  /** What the process was called that held the lock until it died; `undefined`: it ended in order, or there was none. */
  readonly former: string | undefined;
  release(): void;
}

export class DataDirLocked extends Error {
  override readonly name = 'DataDirLocked';
  /** What the process is called that holds the lock, and its id; `undefined`: it ended meanwhile, or does not say. */
  readonly holder: { readonly name: string | undefined; readonly pid: number } | undefined;

  constructor(message: string, holder?: DataDirLocked['holder']) {
    super(message);
    this.holder = holder;
  }
}

/** The folder cannot be created, or not be written to. */
export class DataDirRefused extends Error {
  override readonly name = 'DataDirRefused';
}

/** What the process is called, and the variables that select another folder. */
export interface Holder {
  readonly name: string;
  readonly variables: string;
}

export const DAEMON: Holder = { name: 'daemon', variables: 'TWAPD_DATA_DIR and TWAPD_PORT' };
/** A command that runs the embedded database for itself while no daemon does. */
export const COMMAND: Holder = { name: 'command', variables: 'TWAPD_DATA_DIR' };

/**
 * Locks the folder; throws {@link DataDirLocked} while another process holds the lock, {@link DataDirRefused} if the folder
 * cannot be created or written to.
 */
export function lockDataDir(dataDir: string, { name, variables }: Holder = DAEMON): DataDir {
  const path = resolve(dataDir);
  requireFolder(path);
  const lock = join(path, 'daemon.lock');
  const member = randomUUID();
  let former: string | undefined;
  if (!takeLock(lock, { name, member })) {
    const holder = holderOf(lock);
    if (holder?.isAlive === true) {
      throw new DataDirLocked(
        `${dataDir} is in use by the ${holder.name ?? name} with pid ${holder.pid}; stop it, or start this one with another ${variables}`,
        holder,
      );
    }
    former = holder?.member;
    rmSync(lock, { force: true });
    if (!takeLock(lock, { name, member }))
      throw new DataDirLocked(`${dataDir} was just locked by another ${name}`);
  }
  const release = (): void => rmSync(lock, { force: true });
  return { ...dataFolders(dataDir), member, former, release };
}

/** Where everything of a data folder is. */
export function dataFolders(dataDir: string): DataFolders {
  const path = resolve(dataDir);
  return {
    path,
    redis: join(path, 'redis'),
    postgres: join(path, 'postgres'),
    actions: actionsFolder(path),
    claims: join(path, 'claims'),
    venue: (name) => join(path, 'venues', name),
  };
}

/** @throws {@link DataDirRefused} */
function requireFolder(path: string): void {
  try {
    createFolder(path);
  } catch (error) {
    const { message, path: at = path } = error as NodeJS.ErrnoException;
    throw new DataDirRefused(
      `TWAPD_DATA_DIR: ${at} cannot be created (${message}); accepted: a folder on a disk that can be written`,
      { cause: error },
    );
  }
}

export const actionsFolder = (dataDir: string): string => join(dataDir, 'actions');

/** The file appears with its content, so that another process never takes it for one that was cut short. */
function takeLock(lock: string, { name, member }: { name: string; member: string }): boolean {
  const { pid } = process;
  const written = `${lock}.${member}`;
  const text = JSON.stringify({ pid, identity: processIdentity(pid), member, name });
  try {
    // A full disk refuses the content of a file that it has created.
    writeFileSync(written, text, { mode: 0o644 });
    linkSync(written, lock);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new DataDirRefused(
      `TWAPD_DATA_DIR: ${dirname(lock)} cannot be written to (${message}); accepted: a folder that this user may write to, on a disk with free space`,
      { cause: error },
    );
  } finally {
    rmSync(written, { force: true });
  }
}

interface LockHolder {
  readonly pid: number;
  readonly isAlive: boolean;
  readonly member: string | undefined;
  /** Absent in locks of earlier versions. */
  readonly name: string | undefined;
}

/** The process that wrote the lock; `undefined` if there is none, or the file does not say. */
function holderOf(lock: string): LockHolder | undefined {
  try {
    const { pid, identity, member, name } = JSON.parse(readFileSync(lock, 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof pid !== 'number') return undefined;
    const now = processIdentity(pid);
    const isAlive = now !== undefined && now === identity;
    const textOf = (value: unknown): string | undefined =>
      typeof value === 'string' ? value : undefined;
    return { pid, isAlive, member: textOf(member), name: textOf(name) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
