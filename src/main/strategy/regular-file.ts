// Reads a file that somebody put into a folder, and nothing else that may stand under its name: a pipe would never end,
// a device has no end, and a link may lead to what the folder's owner was not meant to show.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';

export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  /** What is wrong, and what would be accepted. */
  | { readonly kind: 'refused'; readonly message: string };

/** Far more than any strategy or year of holidays takes. */
const BYTES_MAX = 1024 * 1024;

/**
 * The text of a regular file. A link counts as the file it leads to, as long as that is in the folder of the link, or
 * in a folder below it: so files that are mounted by links are read, and nothing from elsewhere is.
 */
export function readRegularFile(path: string, accepted: string): FileReading {
  let file: number | undefined;
  try {
    const folder = realpathSync(dirname(path));
    const target = realpathSync(path);
    if (relative(folder, target).split(sep, 1)[0] === '..') {
      return refused('is a link that leads out of its folder', accepted);
    }
    // Without waiting for whoever writes into a pipe, and not through a link that was put there just now.
    file = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const facts = fstatSync(file);
    if (!facts.isFile()) return refused('is no regular file', accepted);
    if (facts.size > BYTES_MAX) {
      return refused(`has ${facts.size} bytes, of ${BYTES_MAX} at most`, accepted);
    }
    return { kind: 'text', text: readFileSync(file, 'utf8') };
  } catch (error) {
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
