// sonic-boom with the interface of our line writer, put in its place by the bench of machinery: the same
// bound of memory, the same time between two writes, and everything written before the process ends.
import process from 'node:process';
import boom from 'sonic-boom';
import type { LineWriterOptions } from '../src/adapters/telemetry/log/line-writer.ts';

const BATCH_BYTES = 64 * 1024;
const LINGER_MS = 100;

export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #boom: boom.SonicBoom;
  readonly #lastWords = (): void => this.flushSync();

  constructor(options: LineWriterOptions) {
    const { fd, bufferMaxBytes, onDropped } = options;
    this.#options = options;
    this.#boom = new boom.SonicBoom({
      fd,
      sync: false,
      minLength: BATCH_BYTES,
      maxWrite: 2 * BATCH_BYTES,
      maxLength: bufferMaxBytes,
      periodicFlush: LINGER_MS,
    });
    this.#boom.on('drop', () => onDropped(1));
    this.#boom.on('error', () => onDropped(1));
    process.on('exit', this.#lastWords);
  }

  write(line: string): void {
    this.#boom.write(line);
  }

  flush(): Promise<void> {
    this.#options.onFlush();
    return new Promise((done) => this.#boom.flush(() => done()));
  }

  flushSync(): void {
    this.#options.onFlush();
    this.#boom.flushSync();
  }

  async close(): Promise<void> {
    await this.flush();
    process.off('exit', this.#lastWords);
  }
}
