// Locates a Redis server program: TWAPD_REDIS_SERVER, otherwise redis-server or valkey-server on PATH or in a
// usual folder.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const NAMES = ['redis-server', 'valkey-server'];
/** Not on every user's PATH. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** The program's path, or undefined. If TWAPD_REDIS_SERVER is set, nothing else is searched. */
export function findRedisServer(env = process.env, usualFolders = USUAL_FOLDERS) {
  if (env.TWAPD_REDIS_SERVER) {
    return isProgram(env.TWAPD_REDIS_SERVER) ? env.TWAPD_REDIS_SERVER : undefined;
  }
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...usualFolders];
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Unexamined: a file that cannot be run is no program.
    return false;
  }
}
