// The free space of folders, as of the last time each was read.
import type { FolderSpace } from '../../../core/disk/disk-space.ts';
import type { Metrics } from './metrics.ts';

/** A disk that does not report its space has no series: zero would say that it is full. */
export function setSpaces(
  { diskFree, diskSize }: Pick<Metrics, 'diskFree' | 'diskSize'>,
  spaces: readonly FolderSpace[],
): void {
  diskFree.reset();
  diskSize.reset();
  for (const { name: folder, space } of spaces) {
    diskFree.set({ folder }, space.freeBytes);
    diskSize.set({ folder }, space.sizeBytes);
  }
}
