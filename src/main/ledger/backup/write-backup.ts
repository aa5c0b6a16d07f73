// Writes a backup: the ledger as it is at one instant, then the journals of the paper exchanges. Nothing has to be stopped.

import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolderLater } from '../../../adapters/files/folder-sync.ts';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import { LedgerDump } from '../../../adapters/postgres/dump/ledger-dump.ts';
import { unwritable } from '../../../values/errors/unwritable.ts';
import { VERSION } from '../../version.ts';
import { writeCompressed } from './backup-files.ts';
import { FORMAT, MANIFEST, type Manifest, type TableEntry, tablePath } from './manifest.ts';
import { copyVenueFiles } from './venue-files.ts';

export interface BackupParts {
  readonly connectionString: string;
  readonly deployment: string;
  /** The folder with a folder for each paper exchange. */
  readonly venues: string;
  /** A folder that does not exist yet. */
  readonly target: string;
  readonly now: () => Date;
  readonly onTable: (name: string) => void;
}

/** Written under this ending until it is complete. */
const PARTIAL = '.partial';

/**
 * Returns the manifest. A failure leaves nothing, so that a full disk is not kept full by it; the end of the process leaves at most
 * a folder whose name ends with `.partial`.
 */
export async function writeBackup(parts: BackupParts): Promise<Manifest> {
  const folder = `${parts.target}${PARTIAL}`;
  await rm(folder, { recursive: true, force: true });
  try {
    const manifest = await writeIn(folder, parts);
    await rename(folder, parts.target);
    await syncFolderLater(dirname(parts.target));
    return manifest;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw unwritable(folder, error);
  }
}

async function writeIn(folder: string, parts: BackupParts): Promise<Manifest> {
  const { now } = parts;
  await mkdir(dirname(tablePath(folder, '_')), { recursive: true, mode: 0o700 });
  // Before the snapshot: what is newer than this is not all lacking in the backup, but nothing older is.
  const takenAt = now();
  const dump = await LedgerDump.open(parts.connectionString);
  const tables: TableEntry[] = [];
  try {
    for (const table of dump.content.tables) {
      parts.onTable(table.name);
      const { lines, ...file } = await writeCompressed(
        dump.rowsOf(table),
        tablePath(folder, table.name),
      );
      tables.push({ ...table, columns: [...table.columns], rows: lines, ...file });
    }
  } finally {
    await dump.close();
  }
  const { schema, partitions, sequences } = dump.content;
  const manifest: Manifest = {
    format: FORMAT,
    takenAt: takenAt.toISOString(),
    version: VERSION,
    deployment: parts.deployment,
    schema: [...schema],
    tables,
    partitions: [...partitions],
    sequences: [...sequences],
    files: [...(await copyVenueFiles(parts.venues, folder))],
  };
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  writeWhole(`${folder}/${MANIFEST}`, text, { isNew: true });
  await syncFolderLater(folder);
  return manifest;
}
