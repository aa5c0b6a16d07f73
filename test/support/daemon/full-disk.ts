// A small disk that can be filled: a file system in memory, mounted for the duration of a test. If this machine
// does not permit the mount, a loud warning says what is not proved.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { notProved } from '../reporters/not-proved.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Uses up all free space but so many bytes; none by default. */
  fill(but?: { readonly leave: number }): void;
  /** Releases the space. */
  free(): void;
  remove(): void;
}

const PIECE = Buffer.alloc(1 << 20);

export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    notProved('a full disk', 'no file system can be mounted here; run the tests as root');
    return undefined;
  }
  // A server that is not root must have access.
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: (but) => (but === undefined ? fillWith(ballast) : fillUpTo(ballast, but.leave)),
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      const ended = spawnSync('umount', [folder]);
      if (ended.status !== 0) throw new Error(`umount ${folder}: ${ended.stderr}`);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Unmounts the small disks inside a folder, such as those of a test that was killed: a folder with one cannot be removed. */
export function unmountBelow(folder: string): void {
  const mounts = '/proc/self/mounts';
  if (!existsSync(mounts)) return;
  const places = readFileSync(mounts, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of places.toReversed()) spawnSync('umount', ['--lazy', place]);
}

function fillUpTo(path: string, leave: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const bytes = Math.max(0, bavail * bsize - leave);
  writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
}

function fillWith(path: string): void {
  for (let size = PIECE.length; size >= 1; size = Math.floor(size / 2)) {
    while (isTaken(path, PIECE.subarray(0, size)));
  }
}

function isTaken(path: string, bytes: Buffer): boolean {
  try {
    writeFileSync(path, bytes, { flag: 'a' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
