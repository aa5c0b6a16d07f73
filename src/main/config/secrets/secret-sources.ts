// Fetches secrets from environment variables and files. A file that others can read is refused, and no
// finding repeats what was read.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { looksRandom } from '../../../gateway/auth/key-seal.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { CREDENTIALS_DIRECTORY, type Environment } from '../environment.ts';

export type Fetched =
  | { readonly kind: 'fetched'; readonly text: string }
  /** `unset`: the source is unset on this machine, which is not a fault of the configuration. */
  | { readonly kind: 'absent'; readonly unset: boolean; readonly message: string };

export const absent = (message: string, unset = false): Fetched => ({
  kind: 'absent',
  unset,
  message,
});

export function fromVariable(variable: string, environment: Environment): Fetched {
  const text = environment(variable);
  return text === undefined
    ? absent(
        `names the environment variable ${variable}, which is not set; accepted: one that is`,
        true,
      )
    : { kind: 'fetched', text };
}

/** Returns a credential of systemd, which guards its folder itself: the modes of its files say nothing. */
export function fromCredential(name: string, environment: Environment): Fetched {
  const folder = environment(CREDENTIALS_DIRECTORY);
  return folder === undefined
    ? absent(
        `names the credential ${name}, and ${CREDENTIALS_DIRECTORY} is not set; accepted: a service of systemd with LoadCredential=`,
        true,
      )
    : textOf(join(folder, name));
}

/** Returns the text of the file without surrounding white space. */
export function fromFile(path: string): Fetched {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(3, '0');
      return absent(`names ${path}, which others can read (mode ${octal}); accepted: mode 600`);
    }
  } catch (error) {
    return unreadable(path, error);
  }
  return textOf(path);
}

function textOf(path: string): Fetched {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === ''
      ? absent(`names ${path}, which is empty; accepted: a file that holds the secret`)
      : { kind: 'fetched', text };
  } catch (error) {
    return unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Fetched {
  throwProgrammingError(error);
  const { code } = error as NodeJS.ErrnoException;
  return absent(
    `names ${path}, which cannot be read (${code}); accepted: a readable file`,
    code === 'ENOENT',
  );
}

const KEY_SECRET_BYTES_MIN = 16;

/** Canonical base64 of at least 16 bytes that look random. */
export const isKeySecret = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64');
  return (
    bytes.length >= KEY_SECRET_BYTES_MIN && bytes.toString('base64') === text && looksRandom(bytes)
  );
};
