// The files of a backup: written compressed with their digest, and checked against it.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { unwritable } from '../../../values/errors/unwritable.ts';
import { BackupDamaged, type FileEntry, filePath, type TableEntry, tablePath } from './manifest.ts';

export interface Written {
  /** Line ends in what was compressed. */
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

const LINE_END = 10;
/** Fast; what a ledger holds is mostly text that compresses well at any level. */
const LEVEL = 3;

/** Compresses `source` into a new file, which is on disk when this resolves. */
export async function writeCompressed(source: Readable, path: string): Promise<Written> {
  const hash = createHash('sha256');
  let [lines, bytes] = [0, 0];
  const counting = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) {
        lines += 1;
      }
      done(null, chunk);
    },
  });
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(source, counting, createGzip({ level: LEVEL }), hashing, file);
  } catch (error) {
    throw unwritable(path, error);
  }
  return { lines, bytes, sha256: hash.digest('hex') };
}

/** What {@link writeCompressed} was given. */
export function readCompressed(path: string): Readable {
  const unpacked = createGunzip();
  createReadStream(path)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(unpacked);
  return unpacked;
}

/** The ending of a file until it is whole. */
const PARTIAL = '.new';

/** Into a new file, which is there whole or not at all: half of a journal would pass for one. */
export async function unpackFile(compressed: string, path: string): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  try {
    const target = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(readCompressed(compressed), target);
    await link(partial, path);
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await rm(partial, { force: true });
  }
}

/** @throws {@link BackupDamaged} if the file is missing or another one than was written. */
export async function checkDigest(
  path: string,
  { bytes, sha256 }: Pick<TableEntry, 'bytes' | 'sha256'>,
): Promise<void> {
  const hash = createHash('sha256');
  let found = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
      found += chunk.length;
    }
  } catch (error) {
    throwProgrammingError(error);
    throw new BackupDamaged(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (found !== bytes) {
    throw new BackupDamaged(`${path} has ${found} bytes; its manifest says ${bytes}`);
  }
  if (hash.digest('hex') !== sha256) {
    throw new BackupDamaged(`${path} was changed: its digest is not the one of its manifest`);
  }
}

/** Every file of a backup, with what its manifest says of it. */
export function filesOf(
  folder: string,
  {
    tables,
    files,
  }: { readonly tables: readonly TableEntry[]; readonly files: readonly FileEntry[] },
): readonly (readonly [string, Pick<TableEntry, 'bytes' | 'sha256'>])[] {
  return [
    ...tables.map((table) => [tablePath(folder, table.name), table] as const),
    ...files.map((file) => [filePath(folder, file), file] as const),
  ];
}
