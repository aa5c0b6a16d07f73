// Lines that are drawn again where they stand, below what the terminal shows already. The cursor goes back by exactly
// the rows the last drawing takes, also where the terminal has become narrower since and broke its lines.
import type { Terminal } from '../command.ts';
import { cut, widthOf } from '../terminal/fitted-lines.ts';

export class RedrawInPlace {
  readonly #terminal: Pick<Terminal, 'draw' | 'columns' | 'rows'>;
  #drawn: readonly string[] = [];

  constructor(terminal: Pick<Terminal, 'draw' | 'columns' | 'rows'>) {
    this.#terminal = terminal;
  }

  /** Puts these lines in place of those before: none wider than the terminal, no more of them than it can hold. */
  draw(lines: readonly string[]): void {
    const columns = Math.max(1, this.#terminal.columns());
    // The cursor stands on the row below.
    const rows = Math.max(1, this.#terminal.rows() - 1);
    const fitting = lines.slice(0, rows).map((line) => cut(line, columns));
    if (lines.length > rows) {
      fitting[rows - 1] = cut(`… and ${lines.length - rows + 1} more lines`, columns);
    }
    const back = this.#drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const up = back > 0 ? `\u001b[${Math.min(back, rows)}A` : '';
    this.#terminal.draw(`${up}${fitting.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`);
    this.#drawn = fitting;
  }
}

/** Rows a line takes on a terminal of so many columns. */
const rowsOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(widthOf(line) / columns));
