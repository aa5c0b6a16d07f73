// Restores a backup into an empty database and an empty data folder. What was traded since the backup was taken is not in
// it: trading is halted in it until somebody says otherwise.
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RestoreRefused, restoreDump } from '../../../adapters/postgres/dump/restore-dump.ts';
import { compareHistory, migrate } from '../../../adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../../../adapters/postgres/migrations.ts';
import { RESTORED_MARK, type RestoredMark } from '../../../engine/recovery/unaccounted.ts';
import { checkDigest, filesOf, readCompressed, unpackFile } from './backup-files.ts';
import { filePath, type Manifest, readManifest, tablePath } from './manifest.ts';

export interface RestoreOptions {
  /** The backup. */
  readonly folder: string;
  readonly connectionString: string;
  /** Where the paper exchanges have their folders. */
  readonly venues: string;
  /** The deployment of the configuration; a backup of another one is refused. */
  readonly deployment: string | undefined;
  readonly now: () => Date;
  readonly onTable: (name: string) => void;
}

/** Checks every file of a backup against its digest. @throws BackupDamaged */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const [path, entry] of filesOf(folder, manifest)) await checkDigest(path, entry);
  return manifest;
}

/**
 * @throws BackupDamaged if a file of the backup is not the one that was written.
 * @throws RestoreRefused if the database or the data folder is not empty, or the backup is of a newer version.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { folder, connectionString, venues, deployment } = options;
  const manifest = await checkBackup(folder);
  if (deployment !== undefined && deployment !== manifest.deployment) {
    throw new RestoreRefused(
      `the backup is of the deployment "${manifest.deployment}"; service.deployment is "${deployment}"`,
    );
  }
  await requireNoFiles(venues, manifest);
  await migrate(connectionString, knownTo(manifest));
  await restoreDump({
    connectionString,
    onTable: options.onTable,
    content: manifest,
    rowsOf: ({ name }) => readCompressed(tablePath(folder, name)),
    finish: async (client) => {
      const reason = `restored from the backup of ${manifest.takenAt}: what was traded since is not in it`;
      await client.query(HALT, [reason, options.now().getTime()]);
      const mark: RestoredMark = { takenAt: manifest.takenAt };
      await client.query(MARK, [RESTORED_MARK, JSON.stringify(mark)]);
    },
  });
  await migrate(connectionString);
  for (const file of manifest.files) {
    const path = join(venues, file.venue, file.file);
    await mkdir(dirname(path), { recursive: true });
    await unpackFile(filePath(folder, file), path);
  }
  return manifest;
}

const HALT = `INSERT INTO switch_setting (number, scope, name, state, uid, nickname, reason, at)
SELECT coalesce(max(number), 0) + 1, 'deployment', '', 'halted', 'restore', 'restore', $1, $2 FROM switch_setting`;

const MARK = `INSERT INTO mark (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** The migrations that the ledger of the backup had had. */
function knownTo({ schema, version }: Manifest): typeof MIGRATIONS {
  const history = compareHistory(schema);
  if (history.kind === 'known') return MIGRATIONS.slice(0, history.count);
  if (history.kind === 'older') {
    const { newest, accepted } = history;
    throw new RestoreRefused(
      `the backup has schema ${newest.number} (${newest.name}) of version ${version}; accepted: schema ${accepted} and newer. ` +
        'Restore it with the last version before 1.0.0, start that version on it once, and take another backup',
    );
  }
  const { number, name } = history.past;
  throw new RestoreRefused(
    `the backup has schema ${number} (${name}) of version ${version}, which this version does not know; ` +
      'accepted: a backup of this version or an older one',
  );
}

async function requireNoFiles(venues: string, { files }: Manifest): Promise<void> {
  for (const venue of new Set(files.map((file) => file.venue))) {
    const folder = join(venues, venue);
    const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    if (found.length > 0) {
      throw new RestoreRefused(`${folder} is not empty; accepted: a data folder without ${venue}`);
    }
  }
}
