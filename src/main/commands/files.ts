// Reads files named on the command line; a failure lists every fault.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import { type Override, processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Fault, faultText, type Reading } from '../fault.ts';

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

export function readOrFail<T>(reading: Reading<T>): T {
  if (reading.kind === 'read') return reading.value;
  throw new CommandFailure('refused', reading.faults.map(faultText));
}

/** With every secret, for a process that runs on this configuration. */
export const readConfig = (path: string, overrides?: readonly Override[]): Config =>
  readOrFail(loadConfig(fromCaller(path), overrides && { overrides }));

/** Secrets missing from this environment stay empty and are passed to `onUnset`. */
export const readConfigLoosely = (
  path: string,
  onUnset: (fault: Fault) => void,
  overrides?: readonly Override[],
): Config => readOrFail(loadConfig(fromCaller(path), { onUnset, ...(overrides && { overrides }) }));
