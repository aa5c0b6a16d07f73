// The archive of a configuration, for what reads it.
import { resolve } from 'node:path';
import { ArchiveFolder } from '../adapters/archive-files/archive-folder.ts';
import type { Config } from './config/config.ts';

/** `undefined` if the configuration names none. */
export function openArchive({ ledger }: Pick<Config, 'ledger'>): ArchiveFolder | undefined {
  return ledger.archive === undefined ? undefined : new ArchiveFolder(resolve(ledger.archive));
}
