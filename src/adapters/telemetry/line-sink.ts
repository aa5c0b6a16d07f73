// Where finished log lines go: redacted, made readable for a terminal, and written without waiting. When
// nobody takes them the buffer fills up and lines are dropped and counted, never the daemon stopped.
import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Redactor } from './redactor.ts';

export interface LineSinkOptions {
  readonly redactor: Redactor;
  readonly isPretty: boolean;
  /** File descriptor or path. */
  readonly destination: number | string;
  readonly bufferMaxBytes: number;
  readonly onDropped: () => void;
}

const HIDDEN_FROM_PEOPLE = 'pid,hostname,deployment,event,at';

export class LineSink {
  readonly #redactor: Redactor;
  readonly #prettify: ((line: string) => string) | undefined;
  readonly #stream: ReturnType<typeof pino.destination>;
  /** A broken stream may never report that it is closed. */
  readonly #broken = Promise.withResolvers<void>();

  constructor({ redactor, isPretty, destination, bufferMaxBytes, onDropped }: LineSinkOptions) {
    this.#redactor = redactor;
    this.#prettify = isPretty
      ? prettyFactory({
          colorize: true,
          singleLine: true,
          translateTime: 'SYS:HH:MM:ss.l',
          ignore: HIDDEN_FROM_PEOPLE,
        })
      : undefined;
    this.#stream = pino.destination({
      dest: destination,
      sync: false,
      maxLength: bufferMaxBytes,
      append: true,
      mkdir: true,
    });
    this.#stream.on('drop', onDropped);
    // A full disk or a closed pipe loses lines; it must not end the daemon.
    this.#stream.on('error', () => {
      this.#broken.resolve();
      onDropped();
    });
  }

  /** Called by pino with one line of JSON. */
  write(line: string): void {
    const safe = this.#redactor.redacted(line);
    this.#stream.write(this.#prettify === undefined ? safe : this.#prettify(safe));
  }

  /** Writes what is buffered before it returns; for the last words of a process. */
  flushSync(): void {
    this.#stream.flushSync();
  }

  /** Resolves when everything is written and the destination is closed, or nothing can be written. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#stream.once('close', resolve));
    this.#stream.end();
    await Promise.race([closed, this.#broken.promise]);
  }
}
