// Where the archive of a configuration is, and what refuses to be archived.
import { resolve } from 'node:path';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { newFromCaller } from '../caller-path.ts';

/** The folder that the command names, or the configuration; `undefined` if neither does. */
export function archiveOf(
  { ledger }: Pick<Config, 'ledger'>,
  named: string | undefined,
): string | undefined {
  if (named !== undefined) return resolve(newFromCaller(named));
  return ledger.archive === undefined ? undefined : resolve(ledger.archive);
}

/** @throws CommandFailure if neither names one. */
export function archiveOrFail(
  config: Pick<Config, 'ledger'>,
  [option, named]: readonly [option: string, named: string | undefined],
): string {
  const folder = archiveOf(config, named);
  if (folder !== undefined) return folder;
  throw new CommandFailure('usage', [
    `${option} is missing, and ledger.archive is not set: a folder for archived days, best on another disk`,
  ]);
}

const REFUSALS = new Set(['DayRefused', 'ArchiveDamaged', 'ArchiveBusy', 'ReleaseRefused']);

/** A refusal says what was wrong with the day or its files; anything else stays what it is. */
export function archiveFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return REFUSALS.has(error.name)
    ? new CommandFailure('refused', [printable(error.message)])
    : error;
}
