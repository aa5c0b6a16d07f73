// The record that the starter of a server leaves in the data folder, so that the next daemon knows where to
// connect.

import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '../files/whole-file.ts';
import { removeTemporary } from '../private-server/server-socket.ts';

export interface ServerRecord {
  readonly pid: number;
  /**
   * The operating system's identity of the process, which distinguishes it from a later one with the same id.
   */
  readonly identity: string;
  /** The server's own id for this run. */
  readonly runId: string;
  readonly socket: string;
  /** The folder the record was written for: a copied folder contains a copied record. */
  readonly dataDir: string;
}

/** Undefined if there is none, or if it is unreadable; the latter is logged. */
export async function readServer(
  dataDir: string,
  log: { warn(message: string): void },
): Promise<ServerRecord | undefined> {
  const text = await readFile(recordPath(dataDir), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const found = parsed(text);
  if (found === undefined) {
    log.warn(`${recordPath(dataDir)} is not a server record; treating it as absent`);
  }
  return found;
}

/** Replaces the record in one step, readable by its owner only. */
export function writeServer(record: ServerRecord): void {
  writeWhole(recordPath(record.dataDir), `${JSON.stringify(record)}\n`);
}

/** Where a server listens if the path is not too long, and what to query without a record. */
export const socketInFolder = (dataDir: string): string => join(dataDir, 'redis.sock');

/** Removes a folder's record and its server's socket; the socket of a copied record belongs to the original. */
export async function forgetServer(dataDir: string, record: ServerRecord): Promise<void> {
  await rm(recordPath(dataDir), { force: true });
  if (record.dataDir !== dataDir) return;
  if (record.socket === socketInFolder(dataDir)) await rm(record.socket, { force: true });
  else await removeTemporary(dirname(record.socket));
}

function recordPath(dataDir: string): string {
  return join(dataDir, 'redis-server.json');
}

function parsed(text: string): ServerRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const { pid, identity, runId, socket, dataDir } = Object(value) as Record<
    keyof ServerRecord,
    unknown
  >;
  if (typeof pid !== 'number' || typeof identity !== 'string') return undefined;
  if (typeof runId !== 'string' || typeof socket !== 'string') return undefined;
  if (typeof dataDir !== 'string') return undefined;
  return { pid, identity, runId, socket, dataDir };
}
