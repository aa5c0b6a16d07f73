// The archive of a configuration: a folder, or an object store with a folder of copies.
import { join, resolve } from 'node:path';
import { ArchiveReader } from '../adapters/archive-files/archive-reader.ts';
import { BucketFiles } from '../adapters/archive-files/bucket-files.ts';
import { FolderFiles } from '../adapters/archive-files/folder-files.ts';
import { S3Store } from '../adapters/object-store/s3-store.ts';
import type { DayFiles } from '../ports/archive/day-files.ts';
import type { ArchiveBucketConfig, Config } from './config/config.ts';

type Ledger = Pick<Config, 'ledger' | 'service'>;

/** For what reads it. `undefined` if the configuration names none. */
export function openArchive(config: Ledger): ArchiveReader | undefined {
  const files = archiveFiles(config);
  return files && new ArchiveReader(files);
}

/** Where the files of archived days are kept. `undefined` if the configuration names no place. */
export function archiveFiles({ ledger, service }: Ledger): DayFiles | undefined {
  const { archive, archiveBucket } = ledger;
  if (archiveBucket !== undefined) return bucketFiles(archiveBucket, service.dataDir);
  return archive === undefined ? undefined : new FolderFiles(resolve(archive));
}

export function bucketFiles(bucket: ArchiveBucketConfig, dataDir: string): DayFiles {
  const { endpoint, region, bucket: name, prefix, accessKeyId, cacheFolder, cacheMb } = bucket;
  const store = new S3Store({
    endpoint,
    region,
    bucket: name,
    prefix,
    accessKeyId,
    secretKey: bucket.secretKey.reveal(),
    now: () => new Date(),
  });
  return new BucketFiles({
    store,
    name: `${endpoint} ${name} ${prefix}`.trim(),
    folder: resolve(cacheFolder ?? join(dataDir, 'archive-cache')),
    copiesBytesMax: cacheMb * 1e6,
  });
}
