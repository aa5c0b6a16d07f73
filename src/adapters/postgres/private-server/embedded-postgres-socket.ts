// Where the server listens: a Unix socket in a folder that only its user (and root) may enter, which is why
// connections need no password. In the data folder, or in a temporary one if that path is too long.
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresOwner } from './embedded-postgres-owner.ts';

/** sun_path holds 104 bytes on macOS and the BSDs, 108 on Linux, including the terminating zero. */
const LONGEST_SOCKET_PATH_BYTES = 103;
const TEMPORARY_FOLDER = /\/twapd-postgres-socket-\w{6}$/;
const SOCKET_NAME = '.s.PGSQL.5432';

/** Creates the folder for the socket and gives it to the server's user. */
export async function chooseSocketFolder(dataDir: string, owner: PostgresOwner): Promise<string> {
  const preferred = join(dataDir, 'socket');
  const fits = Buffer.byteLength(join(preferred, SOCKET_NAME)) <= LONGEST_SOCKET_PATH_BYTES;
  const folder = fits ? preferred : await mkdtemp(join(tmpdir(), 'twapd-postgres-socket-'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/** Removes a temporary socket folder of a server that has ended; the one in the data folder is reused. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (TEMPORARY_FOLDER.test(folder)) await rm(folder, { recursive: true, force: true });
}

/** The address of a database on the socket. */
export function connectionString(socketFolder: string, database: string): string {
  return `postgresql://twapd@/${database}?host=${encodeURIComponent(socketFolder)}`;
}
