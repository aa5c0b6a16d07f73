// Where the rows of an export go: a new file, readable only by its owner, or standard output.
import { createWriteStream, rmSync } from 'node:fs';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from '../../command-failure.ts';
import { type NamedPath, newFile } from '../output-path.ts';

/** Writes the lines to the new file, or to standard output, which stays open for later output. */
export async function toTarget(lines: Readable, file: NamedPath | undefined): Promise<void> {
  const path = file && newFile(file);
  const target = path === undefined ? process.stdout : createWriteStream(path);
  try {
    await pipeline(lines, target, { end: file !== undefined });
  } catch (error) {
    // The reader closed the pipe early, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (path !== undefined) rmSync(path, { force: true });
    throw writingFailed(error, file);
  }
}

/** What writing rejected with: a fault of the file, or else what stopped the lines. */
export function writingFailed(error: unknown, file: NamedPath | undefined): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (file === undefined || syscall !== 'write') return error;
  return new CommandFailure('refused', [
    `${file.option} ${file.name} could not be written to its end (${code}); nothing of it was kept`,
  ]);
}
