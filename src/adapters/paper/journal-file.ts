// A journal in one file. Appends are single writes at its end; a replacement is written beside it,
// brought to the disk, and renamed over it.
import {
  closeSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { JournalStore } from './journal-store.ts';

export class JournalFile implements JournalStore {
  readonly #path: string;
  #file: number;
  /** A flush that has not begun yet: it will cover everything appended until then. */
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();

  /** Creates the folder and an empty file where there is none. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a', 0o600);
  }

  read(): string {
    return readFileSync(this.#path, 'utf8');
  }

  append(text: string): void {
    writeWhole(this.#file, text);
  }

  replace(text: string): void {
    const beside = `${this.#path}.new`;
    const file = openSync(beside, 'w', 0o600);
    try {
      writeWhole(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
    syncFolder(dirname(this.#path));
    this.#closeAfterFlush();
    this.#file = openSync(this.#path, 'a', 0o600);
  }

  sync(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = flushed(this.#file);
      return this.#running;
    });
    return this.#next;
  }

  close(): void {
    this.#closeAfterFlush();
  }

  #closeAfterFlush(): void {
    const file = this.#file;
    const close = (): void => closeSync(file);
    this.#running.then(close, close);
  }
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written);
  }
}

function flushed(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Makes a rename durable; the folder's entry is what changed. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
