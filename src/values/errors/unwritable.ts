// A file or folder that could not be written. The file system's error of a write names neither.

const CODES: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EFBIG',
  'EIO',
]);

export class Unwritable extends Error {
  override readonly name = 'Unwritable';
  /** Of the file system, such as `ENOSPC`. */
  readonly code: string;

  constructor(path: string, cause: Error & { readonly code: string }) {
    super(`${path} cannot be written: ${cause.message}`, { cause });
    this.code = cause.code;
  }
}

/** What a write to `path` failed with: named if the disk refused it, and unchanged otherwise. */
export function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unwritable || !('code' in error)) return error;
  const { code } = error;
  if (typeof code !== 'string' || !CODES.has(code)) return error;
  return new Unwritable(path, Object.assign(error, { code }));
}
