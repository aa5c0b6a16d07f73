// Contract of every SpaceReads: what a folder's disk has left, which folders share a disk, and that silence is no answer.
import { afterEach, expect, test } from 'vitest';
import type { SpaceReads } from '../../../src/ports/disk/space-reads.ts';

export interface SpaceStage {
  readonly reads: SpaceReads;
  /** A folder on a disk of its own, of `sizeBytes`. */
  readonly folder: string;
  readonly sizeBytes: number;
  /** A folder on another disk. */
  readonly elsewhere: string;
  /** A path whose disk does not tell its size. */
  readonly silent: string;
  /** Writes so much into the folder; fails as the disk does. */
  write(bytes: number): void;
  /** Removes everything that was written. */
  free(): void;
  close(): void;
}

const MIB = 2 ** 20;

export function spaceReadsConformance(open: () => SpaceStage): void {
  const opened: SpaceStage[] = [];
  const begin = (): SpaceStage => {
    const stage = open();
    opened.push(stage);
    return stage;
  };
  afterEach(() => {
    for (const stage of opened.splice(0)) stage.close();
  });

  test('a reading has the size of the disk, and its free space shrinks by what is written', async () => {
    const { reads, folder, sizeBytes, write, free } = begin();
    const empty = await reads.read(folder);
    expect(empty.sizeBytes).toBe(sizeBytes);
    expect(empty.freeBytes).toBeLessThanOrEqual(sizeBytes);
    write(2 * MIB);
    const used = await reads.read(folder);
    expect(empty.freeBytes - used.freeBytes).toBe(2 * MIB);
    free();
    expect(await reads.read(folder)).toEqual(empty);
  });

  test('a file takes one inode of a fixed number, whatever its size', async () => {
    const { reads, folder, write } = begin();
    const { inodes: before = { free: 0, total: 0 } } = await reads.read(folder);
    expect(before.free).toBeGreaterThan(1);
    write(1);
    write(1 * MIB);
    const { inodes: after } = await reads.read(folder);
    expect(after).toEqual({ free: before.free - 2, total: before.total });
  });

  test('a full disk has no free space', async () => {
    const { reads, folder, write } = begin();
    write((await reads.read(folder)).freeBytes);
    expect(await reads.read(folder)).toMatchObject({ freeBytes: 0 });
    expect(() => write(1)).toThrow('ENOSPC: no space left on device');
  });

  test('a folder that does not exist yet has the reading of the disk it will be on', async () => {
    const { reads, folder } = begin();
    expect(await reads.read(`${folder}/not/yet`)).toEqual(await reads.read(folder));
  });

  test('folders of one disk have the same name of the disk, those of two have different ones', async () => {
    const { reads, folder, elsewhere } = begin();
    const [one, same, other] = await Promise.all([
      reads.read(folder),
      reads.read(`${folder}/below`),
      reads.read(elsewhere),
    ]);
    expect(same.disk).toBe(one.disk);
    expect(other.disk).not.toBe(one.disk);
  });

  test('a disk that does not report its space is no reading', async () => {
    const { reads, silent } = begin();
    await expect(reads.read(silent)).rejects.toThrow(silent);
  });
}
