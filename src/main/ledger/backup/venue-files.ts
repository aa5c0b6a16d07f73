// Copies the journals of the paper exchanges in a data folder into a backup, while the exchange continues writing them.
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeCompressed } from './backup-files.ts';
import { type FileEntry, filePath } from './manifest.ts';

/** A new base being written alongside the old one. */
const UNFINISHED = /\.(?:next|new)$/;
const BASE = 'journal.jsonl';
/** A journal gets a new base every 128 MB. */
const TRIES_MAX = 5;

/**
 * Copies the files of every exchange below `venues`. The journal may be ahead of the ledger that was read before, as after
 * a crash, and never behind it.
 */
export async function copyVenueFiles(
  venues: string,
  folder: string,
): Promise<readonly FileEntry[]> {
  const copied: FileEntry[] = [];
  for (const venue of await namesIn(venues)) copied.push(...(await copyOne(venues, venue, folder)));
  return copied;
}

async function copyOne(venues: string, venue: string, folder: string): Promise<FileEntry[]> {
  for (let tries = 1; ; tries += 1) {
    const before = await baseOf(venues, venue);
    try {
      const copied = await copyFiles(join(venues, venue), venue, folder);
      if ((await baseOf(venues, venue)) === before) return copied;
    } catch (error) {
      // A segment that the new base contains was removed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === TRIES_MAX) throw error;
    }
    if (tries === TRIES_MAX) {
      throw new Error(`the journal of ${venue} was replaced during each of ${TRIES_MAX} copies`);
    }
    await rm(dirname(filePath(folder, { venue, file: BASE })), { recursive: true, force: true });
  }
}

async function copyFiles(from: string, venue: string, folder: string): Promise<FileEntry[]> {
  const copied: FileEntry[] = [];
  for (const file of await namesIn(from)) {
    if (UNFINISHED.test(file)) continue;
    const path = filePath(folder, { venue, file });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const { bytes, sha256 } = await writeCompressed(createReadStream(join(from, file)), path);
    copied.push({ venue, file, bytes, sha256 });
  }
  return copied;
}

/** Names the base; another one is another file. */
async function baseOf(venues: string, venue: string): Promise<string> {
  try {
    const { ino, dev } = await stat(join(venues, venue, BASE));
    return `${dev}:${ino}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}

/** Empty if there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
