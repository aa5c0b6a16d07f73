// Reads a regular file that somebody put into a folder and refuses everything else: a pipe might never end, a
// device has no end, and a link may lead to files that the folder's owner must not expose.

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';

export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  /** What is wrong, and what is accepted. */
  | { readonly kind: 'refused'; readonly message: string };

/** Far more than any strategy or year of holidays needs. */
const BYTES_MAX = 64 * 1024;

/**
 * Returns the text of a regular file. A link counts as its target if that is in the link's folder or below
 * it: files that are mounted by links are read, and nothing from elsewhere.
 */
export function readRegularFile(path: string, accepted: string): FileReading {
  let file: number | undefined;
  try {
    const folder = realpathSync(dirname(path));
    const target = realpathSync(path);
    if (relative(folder, target).split(sep, 1)[0] === '..') {
      return refused('is a link that leads out of its folder', accepted);
    }
    // Opened without blocking on a pipe's writer, and not through a link that was created just now.
    file = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const facts = fstatSync(file);
    if (!facts.isFile()) return refused('is not a regular file', accepted);
    if (facts.size > BYTES_MAX) {
      return refused(`has ${facts.size} bytes, of ${BYTES_MAX} at most`, accepted);
    }
    return { kind: 'text', text: readFileSync(file, 'utf8') };
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    return refused(`cannot be read (${code})`, accepted);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const refused = (what: string, accepted: string): FileReading => ({
  kind: 'refused',
  message: `${what}; accepted: ${accepted}`,
});
