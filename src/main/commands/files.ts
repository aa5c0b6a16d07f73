// Reads files named on the command line; a failure lists every fault.
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import type { Override } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { runNoCommand, runSecretCommand } from '../config/secrets/secret-command.ts';
import { type Fault, faultText, type Reading } from '../fault.ts';
import { fromCaller } from './caller-path.ts';

export function readOrFail<T>(reading: Reading<T>): T {
  if (reading.kind === 'read') return reading.value;
  throw new CommandFailure('refused', reading.faults.map(faultText));
}

/** With every secret, for a process that runs on this configuration. */
export const readConfig = (path: string, overrides?: readonly Override[]): Config =>
  readOrFail(loadConfig(fromCaller(path), overrides && { overrides }));

interface Loosely {
  readonly overrides?: readonly Override[];
  /** Of which options the commands that print secrets are run; default: of none. */
  readonly runs?: (path: readonly (string | number)[]) => boolean;
}

/** Secrets missing from this environment, and those of commands that are not run, stay empty and are passed to `onUnset`. */
export const readConfigLoosely = (
  path: string,
  onUnset: (fault: Fault) => void,
  { overrides, runs = () => false }: Loosely = {},
): Config =>
  readOrFail(
    loadConfig(fromCaller(path), {
      onUnset,
      runCommand: (words, at) => (runs(at) ? runSecretCommand : runNoCommand)(words, at),
      ...(overrides && { overrides }),
    }),
  );
