// Writes lines to a file descriptor asynchronously, in batches, with a bounded buffer. Lines that cannot be
// written (no reader, disk full) are counted and dropped: a log must neither stop the daemon nor prevent its
// exit.
import { write, writeSync } from 'node:fs';
import process from 'node:process';

export interface LineWriterOptions {
  readonly fd: number;
  /** Maximum number of bytes buffered while the descriptor is slow. */
  readonly bufferMaxBytes: number;
  readonly onDropped: (lines: number) => void;
  /** Called before everything is written: the last chance to add lines. */
  readonly onFlush: () => void;
}

/** Several times what a container engine reads at once. */
const BATCH_BYTES = 64 * 1024;
/** Lines of this interval go out in one write: the cost of a write does not depend on its size. */
const LINGER_MS = 100;
const BUSY_REST_MS = 10;
/** Once a descriptor was busy this many times, the final flush waits for it no longer. */
const BUSY_MAX = 50;

interface Batch {
  readonly bytes: Buffer;
  readonly lines: number;
}

export class LineWriter {
  readonly #options: LineWriterOptions;
  #lines: string[] = [];
  #waitingBytes = 0;
  /** Scheduled or in progress: one write at a time preserves the order. */
  #isWriting = false;
  #isClosed = false;
  #idle: (() => void)[] = [];
  readonly #lastWords = (): void => this.flushSync();

  constructor(options: LineWriterOptions) {
    this.#options = options;
    dontBlockOn(options.fd);
    process.on('exit', this.#lastWords);
  }

  write(line: string): void {
    // Its owner may have closed the descriptor, whose number another file or socket then has.
    if (this.#isClosed) return this.#options.onDropped(1);
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > this.#options.bufferMaxBytes) {
      return this.#options.onDropped(1);
    }
    this.#lines.push(line);
    this.#waitingBytes += bytes;
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#linger();
  }

  /** Resolves when everything logged so far is written or dropped. */
  flush(): Promise<void> {
    this.#options.onFlush();
    return this.#isWriting ? new Promise((done) => this.#idle.push(done)) : Promise.resolve();
  }

  /** Writes all pending lines before it returns; for the last lines of a process. */
  flushSync(): void {
    this.#options.onFlush();
    const patience = { busyLeft: BUSY_MAX };
    for (let batch = this.#take(); batch !== undefined; batch = this.#take()) {
      try {
        writeAll(this.#options.fd, batch.bytes, patience);
      } catch {
        // Unexamined: the log cannot say why it is not written; the lines are counted.
        this.#options.onDropped(batch.lines);
      }
    }
  }

  /** Writes what was logged so far. Lines that come later are counted and dropped. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    process.off('exit', this.#lastWords);
  }

  #linger(): void {
    setTimeout(() => this.#next(), LINGER_MS);
  }

  #next(): void {
    const batch = this.#take();
    if (batch !== undefined) return this.#write(batch);
    this.#isWriting = false;
    for (const done of this.#idle.splice(0)) done();
  }

  #write(batch: Batch): void {
    write(this.#options.fd, batch.bytes, (error, written) => {
      if (isBusy(error)) return void setTimeout(() => this.#write(batch), BUSY_REST_MS);
      if (error !== null) this.#options.onDropped(batch.lines);
      else if (written < batch.bytes.length) {
        return this.#write({ ...batch, bytes: batch.bytes.subarray(written) });
      }
      if (this.#lines.length === 0 || this.#waitingBytes >= BATCH_BYTES) this.#next();
      else this.#linger();
    });
  }

  /** As many lines as make up a batch; `undefined` if none is pending. */
  #take(): Batch | undefined {
    if (this.#lines.length === 0) return undefined;
    let length = 0;
    let lines = 0;
    while (lines < this.#lines.length && length < BATCH_BYTES) {
      length += this.#lines[lines]?.length ?? 0;
      lines += 1;
    }
    const bytes = Buffer.from(this.#lines.splice(0, lines).join(''));
    this.#waitingBytes -= bytes.length;
    return { bytes, lines };
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'EAGAIN';

/**
 * A write to standard output fails while nobody reads a pipe or a socket, instead of waiting for a reader:
 * a thread that waits would keep the process from ending. Node sets this when it opens its own stream.
 */
function dontBlockOn(fd: number): void {
  if (fd === 1) void process.stdout;
}

/** `patience` is shared by all batches: together they wait for a reader only so long. */
function writeAll(fd: number, bytes: Buffer, patience: { busyLeft: number }): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      if (!isBusy(error) || patience.busyLeft === 0) throw error;
      patience.busyLeft -= 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_REST_MS);
    }
  }
}
