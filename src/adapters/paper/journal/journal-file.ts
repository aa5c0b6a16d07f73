// A journal in files: the base under the journal's name, segments under the name plus their number. The appends of one turn
// of the event loop are a single write at the end of the last segment; a new base is written to a temporary file and renamed
// over the old one.

import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import process from 'node:process';
import { unwritable } from '../../../values/errors/unwritable.ts';
import { syncFolder, syncFolderLater } from '../../files/folder-sync.ts';
import type { JournalPart, JournalStore } from './journal-store.ts';
import { sealed } from './journal-text.ts';

/** Pieces are buffered up to about this size, because each write has a fixed cost. */
const WRITE_CHARS = 16 * 1024;

/** Appended text that is written before the turn ends. */
const WAITING_CHARS_MAX = 1024 * 1024;

/** Appended text that is not written yet. */
interface Waiting {
  text: string;
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class JournalFile implements JournalStore {
  readonly #path: string;
  #file: number;
  /** Files that receive no more appends; still to be flushed and closed. */
  #left: number[] = [];
  /** A flush that has not started yet; it will cover everything appended until it starts. */
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #waiting: Waiting | undefined;
  /** Set when a write has failed: lines after a hole must not be written. */
  #failure: { readonly error: unknown } | undefined;

  /** Creates the folder and an empty file if missing. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    // The base must exist from the first start on, whatever segments follow it.
    closeSync(openSync(path, 'a', 0o600));
    const last = this.#segments().at(-1);
    this.#file = openSync(last === undefined ? path : this.#pathOf(last), 'a', 0o600);
  }

  read(): readonly JournalPart[] {
    const base = { segment: undefined, text: readFileSync(this.#path, 'utf8') };
    const segments = this.#segments().map((segment) => ({
      segment,
      text: readFileSync(this.#pathOf(segment), 'utf8'),
    }));
    return [base, ...segments];
  }

  append(text: string): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#waiting === undefined) {
      this.#waiting = waiting();
      process.nextTick(() => this.writeWaiting());
    }
    this.#waiting.text += text;
    if (this.#waiting.text.length > WAITING_CHARS_MAX) this.writeWaiting();
  }

  written(): Promise<void> | undefined {
    return this.#waiting?.written;
  }

  /** Writes what waits, before the turn ends; a failure is that of everybody who waits for it. */
  writeWaiting(): void {
    const waits = this.#waiting;
    if (waits === undefined) return;
    this.#waiting = undefined;
    try {
      // The number of a closed file is soon that of another file or of a socket.
      if (this.#isClosed) throw new Error(`${this.#path} is closed`);
      writeWhole(this.#file, sealed(waits.text));
      waits.resolve();
    } catch (cause) {
      const error = unwritable(this.#path, cause);
      this.#failure = { error };
      waits.reject(error);
    }
  }

  replace(text: string): void {
    this.writeWaiting();
    const beside = `${this.#path}.new`;
    const file = openSync(beside, 'w', 0o600);
    try {
      writeWhole(file, Buffer.from(text));
      fsyncSync(file);
    } catch (error) {
      rmSync(beside, { force: true });
      throw unwritable(this.#path, error);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
    syncFolder(dirname(this.#path));
    for (const segment of this.#segments()) rmSync(this.#pathOf(segment), { force: true });
    rmSync(this.#nextBase, { force: true });
    this.#closeAfterFlush();
    this.#file = openSync(this.#path, 'a', 0o600);
  }

  continueIn(segment: number): void {
    this.writeWaiting();
    const file = openSync(this.#pathOf(segment), 'ax', 0o600);
    this.#left.push(this.#file);
    this.#file = file;
  }

  async replaceBefore(segment: number, pieces: Iterable<string>): Promise<void> {
    // A power cut must not lose the end of the old base while keeping the segment that follows it.
    await this.sync();
    if (this.#isClosed) return;
    let isReplaced = false;
    try {
      const isWritten = await this.#isWritten(pieces);
      // Synchronous: the journal must not be reopened between the check of `#isClosed` and the rename.
      if (isWritten && !this.#isClosed) {
        renameSync(this.#nextBase, this.#path);
        isReplaced = true;
      }
    } finally {
      if (!isReplaced) await rm(this.#nextBase, { force: true });
    }
    if (!isReplaced) return;
    await syncFolderLater(dirname(this.#path));
    const stale = this.#segments().filter((number) => number < segment);
    await Promise.all(stale.map((number) => rm(this.#pathOf(number), { force: true })));
  }

  sync(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.writeWaiting();
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#running = this.#flushed(this.#left.splice(0));
      return this.#running;
    });
    return this.#next;
  }

  close(): void {
    if (this.#isClosed) return;
    this.writeWaiting();
    this.#isClosed = true;
    this.#closeAfterFlush();
  }

  /**
   * Has a unique name: a store that was closed may still be writing its file when another one replaces the
   * base.
   */
  get #nextBase(): string {
    return `${this.#path}.next`;
  }

  #pathOf(segment: number): string {
    return `${this.#path}.${segment}`;
  }

  /** Ascending. */
  #segments(): readonly number[] {
    const begin = `${basename(this.#path)}.`;
    return readdirSync(dirname(this.#path))
      .filter((name) => name.startsWith(begin) && /^[1-9]\d*$/.test(name.slice(begin.length)))
      .map((name) => Number(name.slice(begin.length)))
      .sort((a, b) => a - b);
  }

  /** False if the store was closed in the meantime. */
  async #isWritten(pieces: Iterable<string>): Promise<boolean> {
    const file = await open(this.#nextBase, 'w', 0o600);
    try {
      for (const text of gathered(pieces)) {
        if (this.#isClosed) return false;
        await file.writeFile(text);
      }
      await file.sync();
      return true;
    } catch (error) {
      throw unwritable(this.#nextBase, error);
    } finally {
      await file.close();
    }
  }

  /** In the order of writing, so that no line is on disk before earlier ones. */
  async #flushed(left: readonly number[]): Promise<void> {
    const file = this.#file;
    try {
      for (const each of left) await flushed(each);
      if (left.length > 0) await syncFolderLater(dirname(this.#path));
    } finally {
      for (const each of left) closeSync(each);
    }
    await flushed(file);
  }

  #closeAfterFlush(): void {
    const files = [...this.#left.splice(0), this.#file];
    const close = (): void => {
      for (const file of files) closeSync(file);
    };
    // Unexamined: a failed write shows at the next append, and the file is closed all the same.
    (this.#next ?? this.#running).then(close, close);
  }
}

function waiting(): Waiting {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Unexamined: a failure that nobody waits for shows at the next append.
  promise.catch(() => undefined);
  return { text: '', written: promise, resolve, reject };
}

function* gathered(pieces: Iterable<string>): IterableIterator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < WRITE_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Appends all bytes or none: what fitted on a disk that was full is removed. */
function writeWhole(file: number, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) {
      written += writeSync(file, bytes, written, bytes.length - written);
    }
  } catch (error) {
    if (written > 0) ftruncateSync(file, fstatSync(file).size - written);
    throw error;
  }
}

function flushed(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
  });
}
