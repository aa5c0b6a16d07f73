// Files and folders that options name for results. They are tried before the work, so that a long run does not end without its file.
import { closeSync, lstatSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../adapters/files/whole-file.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { printable } from '../../values/printable.ts';
import { CommandFailure } from '../command-failure.ts';
import { createFolder } from '../create-folder.ts';
import { newFromCaller } from './caller-path.ts';

/** The name as typed, and the option that it was typed for. */
export interface NamedPath {
  readonly option: string;
  readonly name: string;
}

export interface OutputFile {
  readonly path: string;
  /** Replaces the file. @throws CommandFailure */
  write(text: string): void;
}

/** A file that is replaced, or created in a folder that exists; nothing changes before it is written. @throws CommandFailure */
export function outputFile(named: NamedPath): OutputFile {
  const path = newFromCaller(named.name);
  attempt(named, 'cannot be written', 'a file that can be written, in a folder that exists', () => {
    const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path);
  });
  const write = (text: string): void =>
    attempt(named, 'could not be written to its end', 'a disk with space left', () =>
      writeWhole(path, text, { mode: 0o644 }),
    );
  return { path, write };
}

/** A folder that files can be created in; it is created with those above it. @throws CommandFailure */
export function outputFolder(named: NamedPath, mode?: number): string {
  const path = newFromCaller(named.name);
  attempt(named, 'cannot be used', 'a folder that can be written', () => {
    createFolder(path, mode);
    rmdirSync(mkdtempSync(join(path, '.twapd-')));
  });
  return path;
}

/** Refuses a folder that `newFolder` could not create later. @throws CommandFailure */
export function requireNewFolder(named: NamedPath): void {
  rmdirSync(newFolder(named));
}

/** Refuses a file that `newFile` could not create later. @throws CommandFailure */
export function requireNewFile(named: NamedPath): void {
  rmSync(newFile(named));
}

/** Creates the empty folder and returns its path. @throws CommandFailure */
export function newFolder(named: NamedPath): string {
  const path = newFromCaller(named.name);
  attempt(named, 'cannot be made', 'a folder that does not exist, in one that does', () =>
    mkdirSync(path, { mode: 0o700 }),
  );
  return path;
}

/** Creates the empty file and returns its path. @throws CommandFailure */
export function newFile(named: NamedPath): string {
  const path = newFromCaller(named.name);
  attempt(named, 'cannot be written', 'a file that does not exist, in a folder that does', () =>
    closeSync(openSync(path, 'wx', 0o600)),
  );
  return path;
}

function attempt(
  { option, name }: NamedPath,
  what: string,
  accepted: string,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    throwProgrammingError(error);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailure('refused', [
      `${option} ${printable(name)} ${what} (${code ?? message}); accepted: ${accepted}`,
    ]);
  }
}
