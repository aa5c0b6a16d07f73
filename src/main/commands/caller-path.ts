// Paths named on the command line, and the option that names the configuration.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { processEnvironment } from '../config/environment.ts';

/** A machine or image with its own configuration file need not name it with every command. */
const CONFIG_PATH = processEnvironment('TWAPD_CONFIG') ?? 'config/paper.yaml';

export const configOption = [
  '-c, --config <file>',
  'configuration file',
  CONFIG_PATH,
] as const satisfies readonly string[];

/** npm runs its scripts in the package's folder; a path is relative to the user's working directory. */
export function fromCaller(path: string): string {
  const meant = newFromCaller(path);
  return existsSync(meant) ? meant : path;
}

/** The same for what need not exist yet. */
export function newFromCaller(path: string): string {
  const callerFolder = processEnvironment('INIT_CWD');
  const isHere = callerFolder === undefined || callerFolder === process.cwd();
  return isHere ? path : resolve(callerFolder, path);
}
