// Files that commands are given: read in full, or a failure that tells every fault.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PortfolioBody } from '../../gateway/client/client.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import { type Override, processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Fault, faultText, type Reading } from '../fault.ts';
import { readSubmitFile, type Submission } from '../strategy/strategy-file.ts';

/** The file of a machine or an image that has one of its own need not be named with every command. */
const CONFIG_PATH = processEnvironment('TWAPD_CONFIG') ?? 'config/paper.yaml';

export const configOption = [
  '-c, --config <file>',
  'configuration file',
  CONFIG_PATH,
] as const satisfies readonly string[];

/** npm runs its scripts in the package's folder; a path is meant from where the user stands. */
export function fromCaller(path: string): string {
  const callerFolder = processEnvironment('INIT_CWD');
  const meant = callerFolder === undefined ? path : resolve(callerFolder, path);
  return existsSync(meant) ? meant : path;
}

function readOrFail<T>(reading: Reading<T>): T {
  if (reading.kind === 'read') return reading.value;
  throw new CommandFailure('refused', reading.faults.map(faultText));
}

/** With every secret, for a process that runs on it. */
export const readConfig = (path: string, overrides?: readonly Override[]): Config =>
  readOrFail(loadConfig(fromCaller(path), overrides && { overrides }));

/** Secrets this environment does not have stay empty and go to `onUnset`. */
export const readConfigLoosely = (
  path: string,
  onUnset: (fault: Fault) => void,
  overrides?: readonly Override[],
): Config => readOrFail(loadConfig(fromCaller(path), { onUnset, ...(overrides && { overrides }) }));

export interface FileSubmission extends Omit<Submission, 'body'> {
  readonly body: PortfolioBody;
}

/** The submit body with what the file says of when it is submitted. */
export const readSubmission = (path: string): FileSubmission =>
  readOrFail(readSubmitFile(fromCaller(path))) as FileSubmission;

/** The submit body in a strategy file, or in a file that is nothing else; whoever takes it judges it. */
export const readBody = (path: string): PortfolioBody => readSubmission(path).body;
