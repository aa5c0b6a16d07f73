// Disks in memory, each mounted at a folder, whose free space is what was set.
import type { DiskSpace } from '../../../src/core/disk/disk-space.ts';
import type { SpaceReading, SpaceReads } from '../../../src/ports/disk/space-reads.ts';

interface MemoryDisk {
  freeBytes: number;
  readonly sizeBytes: number;
  inodes?: DiskSpace['inodes'];
}

export class MemorySpace implements SpaceReads {
  readonly #disks = new Map<string, MemoryDisk>();

  /** @param folder absolute, without a slash at its end */
  mount(folder: string, disk: DiskSpace): void {
    this.#disks.set(folder, { ...disk });
  }

  unmount(folder: string): void {
    this.#disks.delete(folder);
  }

  /** Something else uses the disk up, or gives space back. */
  set(folder: string, freeBytes: number): void {
    this.#at(folder).freeBytes = freeBytes;
  }

  /** Files are created on a disk with a fixed number of inodes, or removed. */
  setInodes(folder: string, free: number): void {
    const disk = this.#at(folder);
    if (disk.inodes === undefined)
      throw new Error(`${folder}: its disk was mounted without inodes`);
    disk.inodes = { ...disk.inodes, free };
  }

  /** The daemon or another program writes a file; fails as a full disk does. */
  write(folder: string, bytes: number): void {
    const disk = this.#at(this.#mountOf(folder));
    if (disk.freeBytes < bytes || disk.inodes?.free === 0) {
      const error = new Error('ENOSPC: no space left on device, write');
      throw Object.assign(error, { code: 'ENOSPC' });
    }
    disk.freeBytes -= bytes;
    if (disk.inodes !== undefined) disk.inodes = { ...disk.inodes, free: disk.inodes.free - 1 };
  }

  read(folder: string): Promise<SpaceReading> {
    return new Promise((resolve) => {
      const disk = this.#mountOf(folder);
      resolve({ disk, ...this.#at(disk) });
    });
  }

  #mountOf(folder: string): string {
    const mounts = [...this.#disks.keys()].filter(
      (mount) => folder === mount || folder.startsWith(mount === '/' ? '/' : `${mount}/`),
    );
    const longest = mounts.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined) throw new Error(`${folder}: no disk is mounted there`);
    return longest;
  }

  #at(mount: string): MemoryDisk {
    const disk = this.#disks.get(mount);
    if (disk === undefined) throw new Error(`${mount}: no disk is mounted there`);
    return disk;
  }
}
