// Counts the rows of an export on standard error: redrawn in place on a terminal, unless the rows are on it themselves.

import process from 'node:process';
import { counted } from '../../../values/text/written-figures.ts';
import type { Terminal } from '../command.ts';

const REDRAW_MS = 200;
/** Reading the clock for each row costs more than the row. */
const LOOK_EVERY = 256;
const CLEAR = '\r\u001b[2K';

export class ExportProgress {
  readonly #terminal: Terminal;
  readonly #isDrawn: boolean;
  #rows = 0;
  #nextMs = performance.now() + REDRAW_MS;
  #hasDrawn = false;

  constructor(terminal: Terminal, isToFile: boolean) {
    this.#terminal = terminal;
    this.#isDrawn = process.stderr.isTTY === true && (isToFile || process.stdout.isTTY !== true);
  }

  async *counted<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const row of rows) {
      this.#rows += 1;
      if (this.#isDrawn && this.#rows % LOOK_EVERY === 0) this.#draw();
      yield row;
    }
  }

  done(): void {
    if (this.#hasDrawn) process.stderr.write(CLEAR);
    this.#terminal.complain(`${counted(this.#rows, 'row')} written`);
  }

  #draw(): void {
    const now = performance.now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + REDRAW_MS;
    this.#hasDrawn = true;
    process.stderr.write(`${CLEAR}${counted(this.#rows, 'row')} …`);
  }
}
