// Free space of real disks and of those in memory against one suite.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { StatfsSpace } from '../../../src/adapters/system/statfs-space.ts';
import { spaceReadsConformance } from '../../conformance/disk/space-reads.ts';
import { MemorySpace } from '../../doubles/memory/memory-space.ts';
import { smallDisk } from '../../support/daemon/full-disk.ts';

const MEGABYTES = 8;
const SIZE = MEGABYTES * 2 ** 20;

describe('in memory', () => {
  spaceReadsConformance(() => {
    const reads = new MemorySpace();
    const sizeBytes = SIZE;
    const inodes = { free: 1_000, total: 1_000 };
    const mount = (): void => reads.mount('/data', { freeBytes: sizeBytes, sizeBytes, inodes });
    mount();
    reads.mount('/data/elsewhere', { freeBytes: sizeBytes, sizeBytes });
    return {
      reads,
      sizeBytes,
      folder: '/data',
      elsewhere: '/data/elsewhere',
      silent: '/proc',
      write: (bytes) => reads.write('/data/file', bytes),
      free: mount,
      close: () => undefined,
    };
  });
});

const probe = smallDisk(1);
probe?.remove();

describe.runIf(probe !== undefined)('of the file system', () => {
  spaceReadsConformance(() => {
    const [disk, other] = [smallDisk(MEGABYTES), smallDisk(1)];
    if (disk === undefined || other === undefined) throw new Error('no file system was mounted');
    let files = 0;
    return {
      reads: new StatfsSpace(),
      sizeBytes: SIZE,
      folder: disk.folder,
      elsewhere: other.folder,
      silent: '/proc',
      write: (bytes) => {
        files += 1;
        writeFileSync(join(disk.folder, String(files)), Buffer.alloc(bytes));
      },
      free: () => {
        for (const name of readdirSync(disk.folder)) rmSync(join(disk.folder, name));
      },
      close: () => {
        disk.remove();
        other.remove();
      },
    };
  });
});
