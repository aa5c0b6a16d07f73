// Free space and inodes as the file system reports it.
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SpaceReading, SpaceReads } from '../../ports/disk/space-reads.ts';

export class StatfsSpace implements SpaceReads {
  async read(folder: string): Promise<SpaceReading> {
    try {
      const [{ bsize, blocks, bavail, files, ffree }, { dev }] = await Promise.all([
        statfs(folder),
        stat(folder),
      ]);
      // File systems without storage, and some across a network.
      if (blocks === 0) throw new Error(`${folder}: its file system does not tell its size`);
      const bytes = { freeBytes: bsize * bavail, sizeBytes: bsize * blocks };
      // Btrfs makes inodes as they are needed, and reports none.
      const inodes = files === 0 ? undefined : { free: ffree, total: files };
      return { disk: String(dev), ...bytes, inodes };
    } catch (error) {
      const parent = dirname(folder);
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing || parent === folder) throw error;
      return await this.read(parent);
    }
  }
}
