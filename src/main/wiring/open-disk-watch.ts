// Watches the disks of the folders that the configuration has a daemon write to.
import { dirname, resolve } from 'node:path';
import { StatfsSpace } from '../../adapters/system/statfs-space.ts';
import {
  DiskWatch,
  type DiskWatchOptions,
  type WatchedFolder,
} from '../../engine/disk/disk-watch.ts';
import type { Config } from '../config/config.ts';
import { isWitnessAddress } from '../config/rules/witness-rules.ts';
import { dataFolders } from '../data-dir.ts';

/** Started, with a first reading of each disk. */
export async function openDiskWatch(parts: Omit<DiskWatchOptions, 'reads'>): Promise<DiskWatch> {
  const watch = new DiskWatch({ ...parts, reads: new StatfsSpace() });
  await watch.start();
  return watch;
}

/** Of a daemon. Redis and the claims write into the data folder itself, or hold nothing that lasts. */
export function writtenFolders(
  config: Pick<Config, 'service' | 'database' | 'ledger' | 'venues'>,
): readonly WatchedFolder[] {
  const { service, database, ledger } = config;
  const vital = exchangeFolders(config);
  const { postgres } = dataFolders(service.dataDir);
  const own = database.url === undefined ? [watched('postgres', postgres, true)] : [];
  const { archive, archiveBucket, witness } = ledger;
  const others = Object.entries({
    archive,
    'archive-cache': archiveBucket?.cacheFolder,
    witness:
      witness === undefined || isWitnessAddress(witness.place) ? undefined : dirname(witness.place),
  }).flatMap(([name, path]) => (path === undefined ? [] : [watched(name, path, false)]));
  return [...vital, ...own, ...others];
}

/** Of an exchange that runs alone. */
export function exchangeFolders({
  service,
  venues,
}: Pick<Config, 'service' | 'venues'>): readonly WatchedFolder[] {
  const { path, venue } = dataFolders(service.dataDir);
  const paper = Object.entries(venues).filter(([, { kind }]) => kind === 'paper');
  return [
    watched('data', path, true),
    ...paper.map(([name]) => watched(`venues/${name}`, venue(name), true)),
  ];
}

const watched = (name: string, path: string, isVital: boolean): WatchedFolder => ({
  name,
  path: resolve(path),
  isVital,
});
