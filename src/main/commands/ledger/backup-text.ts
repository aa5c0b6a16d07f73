// What the commands of backups say, and where paper exchanges have their journals.

import { join, resolve } from 'node:path';
import { printable, printableData } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Manifest } from '../../ledger/backup/manifest.ts';

export const venuesOf = (dataDir: string): string => join(resolve(dataDir), 'venues');

export const sizeOf = ({ tables, files }: Manifest): number =>
  [...tables, ...files].reduce((sum, { bytes }) => sum + bytes, 0);

/** Its texts may be anybody's. */
export function contentText(manifest: Manifest): string {
  const { takenAt, version, deployment, tables, files } = printableData(manifest);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const beside =
    files.length === 0 ? 'no journals' : `${counted(files.length, 'file')} of paper exchanges`;
  const megabytes = (sizeOf(manifest) / 1e6).toFixed(1);
  return `${deployment}, taken at ${takenAt} by version ${version}: ${counted(rows, 'row')} of ${counted(tables.length, 'table')}, ${beside}, ${megabytes} MB`;
}

/** A refusal says what was wrong with the backup or with the target; anything else stays what it is. */
export function backupFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isRefusal = error.name === 'BackupDamaged' || error.name === 'RestoreRefused';
  return isRefusal ? new CommandFailure('refused', [printable(error.message)]) : error;
}
