// Places for archived days that several processes can open: a folder, or a bucket with a folder of copies.
import { BucketFiles } from '../../../../src/adapters/archive-files/bucket-files.ts';
import { FolderFiles } from '../../../../src/adapters/archive-files/folder-files.ts';
import { S3Store } from '../../../../src/adapters/object-store/s3-store.ts';
import type { DayFiles } from '../../../../src/ports/archive/day-files.ts';
import { S3_ACCESS } from '../../../support/objects/s3-server.ts';

export type ArchivePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 'bucket';
      readonly endpoint: string;
      readonly folder: string;
      readonly copiesBytesMax?: number;
    };

/** Small, so that files of some kilobytes are uploaded in parts. */
const PART_BYTES = 4_096;

export function filesAt(place: ArchivePlace): DayFiles {
  if (place.kind === 'folder') return new FolderFiles(place.folder);
  const { endpoint, folder, copiesBytesMax = 1e9 } = place;
  const store = new S3Store({
    ...S3_ACCESS,
    endpoint,
    bucket: 'heads',
    prefix: 'twapd/archive/',
    now: () => new Date(),
    partBytes: PART_BYTES,
  });
  return new BucketFiles({ store, name: `${endpoint} heads`, folder, copiesBytesMax });
}
