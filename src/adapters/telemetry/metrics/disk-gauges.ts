// The free space and inodes of folders, as of the last time each was read.
import type { FolderSpace } from '../../../core/disk/disk-space.ts';
import type { Metrics } from './metrics.ts';

/** A disk that does not report its space has no series: zero would say that it is full. */
export function setSpaces(
  {
    diskFree,
    diskSize,
    diskInodesFree,
    diskInodes,
  }: Pick<Metrics, 'diskFree' | 'diskSize' | 'diskInodesFree' | 'diskInodes'>,
  spaces: readonly FolderSpace[],
): void {
  for (const gauge of [diskFree, diskSize, diskInodesFree, diskInodes]) gauge.reset();
  for (const { name: folder, space } of spaces) {
    diskFree.set({ folder }, space.freeBytes);
    diskSize.set({ folder }, space.sizeBytes);
    if (space.inodes === undefined) continue;
    diskInodesFree.set({ folder }, space.inodes.free);
    diskInodes.set({ folder }, space.inodes.total);
  }
}
