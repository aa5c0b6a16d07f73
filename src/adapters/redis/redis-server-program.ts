// Locates the server program: no npm package contains one, so it comes from the system.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';

const NAMES = ['redis-server', 'valkey-server'];
/** Not on every user's PATH. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * TWAPD_REDIS_SERVER if set, otherwise the first of redis-server and valkey-server on PATH or in the usual
 * folders.
 * @throws Error naming what to install
 */
export function findRedisProgram(env: NodeJS.ProcessEnv = process.env): string {
  const named = env['TWAPD_REDIS_SERVER'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new Error(`TWAPD_REDIS_SERVER: ${named} is not a program that can be run`);
  }
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), ...USUAL_FOLDERS];
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = paths.find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    'no redis-server or valkey-server found: install redis 6.2 or newer, ' +
      'or set REDIS_URL to a running one, or TWAPD_REDIS_SERVER to the program',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    throwProgrammingError(error);
    return false;
  }
}
