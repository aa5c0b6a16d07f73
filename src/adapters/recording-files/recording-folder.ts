// A recording in the files of a folder. Each commit appends one whole gzip member to every file it adds to, so that any
// beginning of a file that was committed can be read; `RECORDING.json` has the note and how far each file is committed.
// Opening the folder cuts off whatever a killed process has written beyond that.

import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import {
  type RecordingCommit,
  type RecordingStore,
  RecordingUnwritable,
} from '../../ports/recording/recording-store.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { syncFolderLater } from '../files/folder-sync.ts';

/** The folder cannot be recorded into, with the reason for people. */
export class RecordingFolderFault extends Error {
  override readonly name = 'RecordingFolderFault';
}

interface Kept {
  readonly recording: unknown;
  /** Committed bytes, by file. */
  readonly files: Readonly<Record<string, number>>;
}

export const NOTE_FILE = 'RECORDING.json';
const COMPRESSED = /\.gz$/;
/** Files that a folder may have before the first recording. */
const FOREIGN = /\.csv(\.gz)?$/;
/** Files that are written at the same time. */
const AT_ONCE = 8;

const zipped = promisify(gzip);

export class RecordingFolder implements RecordingStore {
  readonly #folder: string;
  readonly #sizes: Map<string, number>;
  #note: unknown;
  #bytes = 0;
  #failure: RecordingUnwritable | undefined;

  private constructor(folder: string, kept: Kept | undefined) {
    this.#folder = folder;
    this.#note = kept?.recording;
    this.#sizes = new Map(Object.entries(kept?.files ?? {}));
  }

  /** @throws RecordingFolderFault if the folder has files that it did not write, or has lost some. */
  static async open(folder: string): Promise<RecordingFolder> {
    try {
      await mkdir(folder, { recursive: true });
      const kept = readKept(folder);
      if (kept === undefined) requireEmpty(folder);
      const store = new RecordingFolder(folder, kept);
      await store.#cutBack();
      return store;
    } catch (error) {
      if (error instanceof RecordingFolderFault) throw error;
      throw new RecordingFolderFault(`${folder} cannot be used: ${(error as Error).message}`);
    }
  }

  get note(): unknown {
    return this.#note;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get files(): ReadonlySet<string> {
    return new Set(this.#sizes.keys());
  }

  async lastLines(file: string, count: number): Promise<readonly string[]> {
    if (!this.#sizes.has(file)) return [];
    return await lastLinesOf(join(this.#folder, file), count);
  }

  async commit({ texts, note, done = [] }: RecordingCommit): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const sizes = new Map(this.#sizes);
    const begun = [...texts.keys()].filter((file) => !sizes.has(file));
    for (const file of begun) sizes.set(file, 0);
    let touched: Iterable<string> = [];
    try {
      for (const file of begun) this.#requireFree(file);
      // A file that is noted before it exists is known to be ours when it is found.
      if (begun.length > 0) await this.#keep(this.#note, sizes);
      touched = texts.keys();
      await inTurns([...texts], async ([file, text]) => {
        const bytes = COMPRESSED.test(file) ? await zipped(text) : Buffer.from(text);
        await append(join(this.#folder, file), bytes, sizes.get(file) ?? 0);
        sizes.set(file, (sizes.get(file) ?? 0) + bytes.length);
        this.#bytes += bytes.length;
      });
      for (const file of done) sizes.delete(file);
      await this.#keep(note, sizes);
    } catch (error) {
      this.#failure = await this.#failed(error, touched);
      throwProgrammingError(error);
      throw this.#failure;
    }
    this.#note = note;
    this.#sizes.clear();
    for (const [file, size] of sizes) this.#sizes.set(file, size);
  }

  /** Replaces the note at once, and only after the files it counts are on the disk. */
  async #keep(recording: unknown, files: ReadonlyMap<string, number>): Promise<void> {
    const kept: Kept = { recording, files: Object.fromEntries(files) };
    const beside = join(this.#folder, `${NOTE_FILE}.new`);
    await replaced(beside, Buffer.from(`${JSON.stringify(kept, null, 1)}\n`));
    await rename(beside, join(this.#folder, NOTE_FILE));
    await syncFolderLater(this.#folder);
  }

  #requireFree(file: string): void {
    const path = join(this.#folder, file);
    if (existsSync(path)) throw new Error(`${path} exists, and was not recorded here`);
  }

  async #failed(error: unknown, files: Iterable<string>): Promise<RecordingUnwritable> {
    const { message } = error as Error;
    const lines = [`${this.#folder} cannot be written: ${message}`];
    try {
      for (const file of files) await this.#restore(file, this.#sizes.get(file) ?? 0);
    } catch (worse) {
      // Unexamined: the caller throws what came first, and this message tells what is left to do.
      lines.push(`the next start cuts off what is torn: ${(worse as Error).message}`);
    }
    return new RecordingUnwritable(lines.join('; '));
  }

  async #cutBack(): Promise<void> {
    for (const [file, size] of this.#sizes) {
      const path = join(this.#folder, file);
      const found = existsSync(path) ? (await stat(path)).size : 0;
      if (found < size) {
        throw new RecordingFolderFault(
          `${path} has ${found} bytes of the ${size} that were recorded: its end was lost; accepted: the whole file, or another folder`,
        );
      }
      await this.#restore(file, size);
      if (size === 0) this.#sizes.delete(file);
    }
  }

  async #restore(file: string, size: number): Promise<void> {
    const path = join(this.#folder, file);
    if (size === 0) await rm(path, { force: true });
    else if ((await stat(path)).size > size) await truncate(path, size);
  }
}

function readKept(folder: string): Kept | undefined {
  const path = join(folder, NOTE_FILE);
  if (!existsSync(path)) return undefined;
  let kept: Kept | undefined;
  try {
    kept = JSON.parse(readFileSync(path, 'utf8')) as Kept;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const files = Object.entries(kept?.files ?? { '': -1 });
  if (kept !== undefined && files.every(([file, size]) => isPlain(file) && size >= 0)) return kept;
  throw new RecordingFolderFault(`${path} is damaged; accepted: another folder`);
}

const isPlain = (file: string): boolean => /^[\w.-]+$/.test(file) && !file.startsWith('.');

function requireEmpty(folder: string): void {
  const foreign = readdirSync(folder).find((name) => FOREIGN.test(name));
  if (foreign === undefined) return;
  throw new RecordingFolderFault(
    `${folder} has ${foreign}, which was not recorded here; accepted: an empty folder, or one that has a ${NOTE_FILE}`,
  );
}

/** Appends at `size`, where the file must end; at 0 it must not exist. */
async function append(path: string, bytes: Buffer, size: number): Promise<void> {
  const file = await open(path, size === 0 ? 'ax' : 'a', 0o644);
  try {
    const { size: found } = await file.stat();
    if (found !== size) throw new Error(`${path} was changed by somebody else`);
    await file.appendFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function replaced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** A few at a time; rejects with the first failure, once none is in progress. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  const turn = async (): Promise<void> => {
    for (const one of rest) await work(one);
  };
  const turns = await Promise.allSettled(Array.from({ length: AT_ONCE }, turn));
  const failed = turns.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The last lines of a file, compressed or not, without more of it in memory; oldest first. Rejects if the file cannot be read to its end. */
async function lastLinesOf(path: string, count: number): Promise<readonly string[]> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz')
    ? // The error reaches the reader of the lines.
      pipeline(source, createGunzip(), () => undefined)
    : source;
  let lines: string[] = [];
  const failed = new Promise<never>((_, reject) => text.once('error', reject));
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: text })) {
      lines.push(line);
      // Cutting in large steps costs each line a move or two at most.
      if (lines.length >= 2 * count) lines = lines.slice(-count);
    }
  };
  await Promise.race([read(), failed]);
  return lines.slice(-count);
}
