// Files that appear with their whole content or not at all: written aside, flushed, and put in place in one step. A full disk leaves
// what was there before, and none of its space taken.
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { unwritable } from '../../values/errors/unwritable.ts';
import { syncFolder } from './folder-sync.ts';

export interface WholeFileOptions {
  /** Default: for its owner only. */
  readonly mode?: number;
  /** A file that is there already is left alone, and the call throws `EEXIST`. */
  readonly isNew?: boolean;
}

/** @throws Unwritable if the disk refuses it */
export function writeWhole(path: string, text: string, options: WholeFileOptions = {}): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // Such as a terminal or a pipe, which must not be replaced by a file.
    if (found !== undefined && !found.isFile()) return writeFileSync(path, text);
    if (found === undefined) return putInPlace(path, text, options);
    const target = realpathSync(path);
    // A file that may be written, in a folder that may not.
    if (!isAllowed(dirname(target))) return writeFileSync(target, text);
    putInPlace(target, text, options);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function isAllowed(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    return false;
  }
}

function putInPlace(
  path: string,
  text: string,
  { mode = 0o600, isNew = false }: WholeFileOptions,
): void {
  const aside = `${path}.${process.pid}.new`;
  try {
    const file = openSync(aside, 'w', mode);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (isNew) linkSync(aside, path);
    else renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  syncFolder(dirname(path));
}
