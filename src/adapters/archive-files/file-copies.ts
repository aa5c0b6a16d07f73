// Copies of files that are kept elsewhere, in a folder of this machine. A copy is written aside and put in place once its digest
// is right, and it is checked once more by each process that finds it there. Beyond a bound those that were not used for longest
// give way.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { Unwritable, unwritable } from '../../values/errors/unwritable.ts';
import { ArchiveDamaged, fileDigest } from './archive-manifest.ts';

export interface FileCopiesOptions {
  readonly folder: string;
  readonly bytesMax: number;
}

export interface ExpectedFile {
  readonly sha256: string;
  /** Default: of any size. */
  readonly bytes?: number;
  /** Copied again, whatever there is. */
  readonly isAfresh: boolean;
}

type Read = () => Promise<AsyncIterable<Uint8Array>>;

/** A connection may break in a file of gigabytes. */
const TRIES_MAX = 3;

export class FileCopies {
  readonly #folder: string;
  readonly #bytesMax: number;
  /** Copies whose digest this process has seen to be right, by path. */
  readonly #checked = new Map<string, string>();
  readonly #under = new Map<string, Promise<string>>();

  constructor({ folder, bytesMax }: FileCopiesOptions) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /**
   * The path of the copy, which is made from `read` unless there is one.
   * @throws ArchiveDamaged if what is read is not what is expected.
   */
  async copy(name: string, expected: ExpectedFile, read: Read): Promise<string> {
    const path = this.pathOf(name);
    // One after the other: the second finds what the first has copied.
    const before = this.#under.get(path);
    const own = (async () => {
      // Unexamined: the first copy has told its own caller; this one tries for itself.
      await before?.catch(() => undefined);
      if (!expected.isAfresh && (await this.#isThere(path, expected))) return path;
      await this.#copied(name, expected, read);
      return path;
    })();
    this.#under.set(path, own);
    try {
      return await own;
    } finally {
      if (this.#under.get(path) === own) this.#under.delete(path);
    }
  }

  async #isThere(path: string, { sha256 }: ExpectedFile): Promise<boolean> {
    const found = await identityOf(path);
    if (found === undefined) return false;
    if (this.#checked.get(path) !== found) {
      const digest = await fileDigest(path).catch(noFile);
      if (digest?.sha256 !== sha256) return false;
      this.#checked.set(path, found);
    }
    // Its use counts. It may have given way meanwhile: then it is copied.
    const now = new Date();
    return await utimes(path, now, now).then(
      async () => {
        const used = await identityOf(path);
        if (used !== undefined) this.#checked.set(path, used);
        return used !== undefined;
      },
      (error: unknown) => noFile(error) !== undefined,
    );
  }

  async #copied(name: string, expected: ExpectedFile, read: Read): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await this.#makeRoom(dirname(path), expected.bytes ?? 0);
    const aside = `${path}.partial-${randomUUID()}`;
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          if (await isWritten(aside, expected, await read())) break;
          throw new ArchiveDamaged(`${name} is not what was archived: its digest is another one`);
        } catch (error) {
          const named = unwritable(path, error);
          if (error instanceof ArchiveDamaged || named instanceof Unwritable) throw named;
          if (tries === TRIES_MAX) throw error;
        }
      }
      await rename(aside, path);
    } finally {
      await rm(aside, { force: true });
    }
    const found = await identityOf(path);
    if (found !== undefined) this.#checked.set(path, found);
  }

  /** What is in the folder `kept` stays: it is of the day that is being read. */
  async #makeRoom(kept: string, bytes: number): Promise<void> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files: { readonly path: string; readonly size: number; readonly usedMs: number }[] = [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(noFile);
      if (found !== undefined) files.push({ path, size: found.size, usedMs: found.mtimeMs });
    }
    let held = files.reduce((sum, { size }) => sum + size, bytes);
    for (const { path, size } of files.sort((a, b) => a.usedMs - b.usedMs)) {
      if (held <= this.#bytesMax) return;
      if (dirname(path) === kept) continue;
      await rm(path, { force: true });
      held -= size;
    }
  }
}

/** A copy that was written again has another one. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Returns whether it is what is expected. */
async function isWritten(
  path: string,
  { sha256, bytes }: ExpectedFile,
  pieces: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'w', 0o600);
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      size += piece.length;
      await file.appendFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex') === sha256 && (bytes === undefined || bytes === size);
}

/** A copy that cannot be read counts as none, whatever the file system says about it. */
function noFile(error: unknown): undefined {
  throwProgrammingError(error);
  return undefined;
}
