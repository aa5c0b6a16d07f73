// Port: the free space of the disks that this machine writes to.
import type { DiskSpace } from '../../core/disk/disk-space.ts';

export interface SpaceReading extends DiskSpace {
  /** The same for folders on one disk. */
  readonly disk: string;
}

export interface SpaceReads {
  /**
   * The disk of a folder; of one that does not exist yet, that of its nearest parent, where it will be created. Rejects if the disk
   * does not tell: that says nothing about its space.
   */
  read(folder: string): Promise<SpaceReading>;
}
