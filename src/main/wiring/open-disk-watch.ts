// Watches the disks of the folders that the configuration has a daemon write to.
import { dirname, resolve } from 'node:path';
import { StatfsSpace } from '../../adapters/system/statfs-space.ts';
import {
  DiskWatch,
  type DiskWatchOptions,
  type WatchedFolder,
} from '../../engine/disk/disk-watch.ts';
import type { Config } from '../config/config.ts';
import { dataFolders } from '../data-dir.ts';

export interface OpenDiskWatchOptions extends Pick<DiskWatchOptions, 'clock' | 'observer'> {
  readonly config: Config;
}

/** Started, with a first reading of each disk. */
export async function openDiskWatch({
  config,
  ...parts
}: OpenDiskWatchOptions): Promise<DiskWatch> {
  const watch = new DiskWatch({
    ...parts,
    reads: new StatfsSpace(),
    folders: writtenFolders(config),
  });
  await watch.start();
  return watch;
}

/** Redis and the claims write into the data folder itself, or hold nothing that lasts. */
export function writtenFolders(
  config: Pick<Config, 'service' | 'database' | 'ledger' | 'venues'>,
): readonly WatchedFolder[] {
  const { service, database, ledger, venues } = config;
  const { path, postgres, venue } = dataFolders(service.dataDir);
  const vital: [name: string, path: string][] = [['data', path]];
  if (database.url === undefined) vital.push(['postgres', postgres]);
  for (const [name, { kind }] of Object.entries(venues)) {
    if (kind === 'paper') vital.push([`venues/${name}`, venue(name)]);
  }
  const { archive, archiveBucket, witness } = ledger;
  const others: [name: string, path: string][] = [];
  if (archive !== undefined) others.push(['archive', archive]);
  if (archiveBucket?.cacheFolder !== undefined) {
    others.push(['archive-cache', archiveBucket.cacheFolder]);
  }
  if (witness?.file !== undefined) others.push(['witness', dirname(witness.file)]);
  const folder =
    (isVital: boolean) =>
    ([name, at]: readonly [string, string]): WatchedFolder => ({
      name,
      path: resolve(at),
      isVital,
    });
  return [...vital.map(folder(true)), ...others.map(folder(false))];
}
