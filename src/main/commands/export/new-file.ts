// Files and folders that an export creates: never over another one, and readable only by their owner.

import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { CommandFailure } from '../../command-failure.ts';
import { newFromCaller } from '../caller-path.ts';

/** The name as typed, and the option that it was typed for. */
export interface NamedFile {
  readonly option: string;
  readonly name: string;
}

/** Creates the empty file and returns its path. @throws CommandFailure */
export function newFile({ option, name }: NamedFile): string {
  const path = newFromCaller(name);
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throwProgrammingError(error);
    throw new CommandFailure('refused', [
      `${option} ${name} cannot be written (${(error as NodeJS.ErrnoException).code}); accepted: a file that does not exist, in a folder that does`,
    ]);
  }
  return path;
}

/** Creates the empty folder and returns its path. @throws CommandFailure */
export function newFolder({ option, name }: NamedFile): string {
  const path = newFromCaller(name);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throwProgrammingError(error);
    throw new CommandFailure('refused', [
      `${option} ${name} cannot be made (${(error as NodeJS.ErrnoException).code}); accepted: a folder that does not exist, in one that does`,
    ]);
  }
  return path;
}

/** Writes the lines to the new file, or to standard output, which stays open for later output. */
export async function toTarget(lines: Readable, file: NamedFile | undefined): Promise<void> {
  const target = file === undefined ? process.stdout : createWriteStream(newFile(file));
  try {
    await pipeline(lines, target, { end: file !== undefined });
  } catch (error) {
    // The reader closed the pipe early, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw writingFailed(error, file);
  }
}

/** What writing rejected with: a fault of the file, or else what stopped the lines. */
export function writingFailed(error: unknown, file: NamedFile | undefined): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (file === undefined || syscall !== 'write') return error;
  return new CommandFailure('refused', [
    `${file.option} ${file.name} could not be written to its end (${code}) and is not complete`,
  ]);
}
