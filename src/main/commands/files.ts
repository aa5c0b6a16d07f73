// Reads files named on the command line; a failure lists every fault.
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import type { Override } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Fault, faultText, type Reading } from '../fault.ts';
import { fromCaller } from './caller-path.ts';

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
