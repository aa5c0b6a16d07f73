// Where the archive of a configuration is, and what refuses to be archived.
import { resolve } from 'node:path';
import type { DayFiles } from '../../../ports/archive/day-files.ts';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { newFromCaller } from '../caller-path.ts';
import { outputFolder } from '../output-path.ts';

/** How commands name the object store of the configuration; a folder of this name is ./bucket. */
const BUCKET = 'bucket';
export const ARCHIVE_PLACE =
  'the folder of archived days, or bucket for that of ledger.archiveBucket (default: the one that is configured)';

/** The place that the command names, or the configuration; `undefined` if neither does. */
export async function archiveOf(
  config: Pick<Config, 'ledger' | 'service'>,
  [option, named]: readonly [option: string, named: string | undefined],
): Promise<DayFiles | undefined> {
  const { archiveFiles, bucketFiles } = await import('../../open-archive.ts');
  if (named === undefined) return archiveFiles(config);
  if (named !== BUCKET) {
    const { FolderFiles } = await import('../../../adapters/archive-files/folder-files.ts');
    const isWritten = option === '--to';
    return new FolderFiles(
      resolve(isWritten ? outputFolder({ option, name: named }, 0o700) : newFromCaller(named)),
    );
  }
  const { archiveBucket } = config.ledger;
  if (archiveBucket !== undefined) return bucketFiles(archiveBucket, config.service.dataDir);
  throw new CommandFailure('usage', [
    `${option} bucket: ledger.archiveBucket is not set; accepted: a folder, ./bucket for one of that name`,
  ]);
}

/** @throws CommandFailure if neither names one. */
export async function archiveOrFail(
  config: Pick<Config, 'ledger' | 'service'>,
  place: readonly [option: string, named: string | undefined],
): Promise<DayFiles> {
  const files = await archiveOf(config, place);
  if (files !== undefined) return files;
  throw new CommandFailure('usage', [
    `${place[0]} is missing, and neither ledger.archive nor ledger.archiveBucket is set: a folder for archived days, best on another disk, or an object store`,
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
