// Where the server listens: a Unix socket in the data folder, or in a private temporary folder if that path
// is too long.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** sun_path holds 104 bytes on macOS and the BSDs, 108 on Linux, including the terminating zero. */
const LONGEST_SOCKET_PATH_BYTES = 103;
const TEMPORARY_FOLDER = /\/twapd-redis-socket-\w{6}$/;

/** The path tried first, and the one to query without a record. */
export function socketInFolder(dataDir: string): string {
  return join(dataDir, 'redis.sock');
}

/** A path short enough to bind, without characters that are special in a connection string. */
export async function chooseSocket(dataDir: string): Promise<string> {
  const preferred = socketInFolder(dataDir);
  const fits = Buffer.byteLength(preferred) <= LONGEST_SOCKET_PATH_BYTES;
  if (fits && !preferred.includes('?')) return preferred;
  return join(await mkdtemp(join(tmpdir(), 'twapd-redis-socket-')), 'redis.sock');
}

/** Removes the socket of this data folder's server, and its temporary folder if it has one. */
export async function removeSocket(dataDir: string, socket: string): Promise<void> {
  const folder = dirname(socket);
  if (socket === socketInFolder(dataDir)) await rm(socket, { force: true });
  else if (TEMPORARY_FOLDER.test(folder)) await rm(folder, { recursive: true, force: true });
}
