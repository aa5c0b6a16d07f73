// The log of a daemon that runs on a terminal, as people read it, in its data folder. Its size is bounded: a full file becomes an
// older one, and the oldest goes. Lines that cannot be written are counted by nobody: the terminal has what matters.
import { closeSync, fstatSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { LineWriter } from '../../../adapters/telemetry/log/line-writer.ts';
import { createFolder } from '../../create-folder.ts';

export interface LogFileOptions {
  readonly folder: string;
  readonly bytesMax?: number;
}

const BYTES_MAX = 16 * 1024 * 1024;
const BUFFER_MAX_BYTES = 4 * 1024 * 1024;
/** Besides the current one. */
const OLDER = 4;
/** The log names accounts and orders: only its owner reads it. */
const MODE = 0o600;

export class LogFile {
  readonly path: string;
  readonly #folder: string;
  readonly #bytesMax: number;
  #current: { readonly writer: LineWriter; readonly fd: number };
  #bytes: number;

  /** @throws the error of the file system */
  constructor({ folder, bytesMax = BYTES_MAX }: LogFileOptions) {
    createFolder(folder);
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.path = join(folder, 'twapd.log');
    this.#current = this.#opened();
    this.#bytes = fstatSync(this.#current.fd).size;
  }

  /** A line with its line end. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax) this.#turn();
    this.#bytes += bytes;
    this.#current.writer.write(line);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#close(this.#current);
  }

  #opened() {
    const fd = openSync(this.path, 'a', MODE);
    const ignore = (): void => undefined;
    const rest = { bufferMaxBytes: BUFFER_MAX_BYTES, onDropped: ignore, onFlush: ignore };
    return { fd, writer: new LineWriter({ fd, ...rest }) };
  }

  /** What was written so far continues into the file that has been renamed. */
  #turn(): void {
    for (let age = OLDER; age > 0; age -= 1) {
      const newer = age === 1 ? this.path : this.#older(age - 1);
      try {
        renameSync(newer, this.#older(age));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    const full = this.#current;
    this.#current = this.#opened();
    this.#bytes = 0;
    void this.#close(full);
  }

  async #close({
    writer,
    fd,
  }: {
    readonly writer: LineWriter;
    readonly fd: number;
  }): Promise<void> {
    await writer.close();
    closeSync(fd);
  }

  #older = (age: number): string => join(this.#folder, `twapd.${age}.log`);
}
