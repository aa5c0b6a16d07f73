// Where a private server listens: a Unix socket in its data folder, or in a private temporary folder if that
// path is too long.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** sun_path holds 104 bytes on macOS and the BSDs, 108 on Linux, including the terminating zero. */
const LONGEST_SOCKET_PATH_BYTES = 103;
const TEMPORARY_FOLDER = /\/twapd-[a-z]+-socket-\w{6}$/;

/**
 * Returns `preferred` if it is short enough to bind and has no characters that are special in a connection
 * string, otherwise a path of that name in a temporary folder of the server.
 */
export async function chooseSocket(
  preferred: string,
  server: 'redis' | 'postgres',
): Promise<string> {
  const fits = Buffer.byteLength(preferred) <= LONGEST_SOCKET_PATH_BYTES;
  if (fits && !preferred.includes('?')) return preferred;
  const folder = await mkdtemp(join(tmpdir(), `twapd-${server}-socket-`));
  return join(folder, basename(preferred));
}

/** Removes the folder of a socket if it is a temporary one. */
export async function removeTemporary(socketFolder: string): Promise<void> {
  if (TEMPORARY_FOLDER.test(socketFolder)) {
    await rm(socketFolder, { recursive: true, force: true });
  }
}
