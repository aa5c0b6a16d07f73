// Redraws lines in place, below what the terminal already shows. The cursor moves up by exactly the rows of
// the last drawing, even if the terminal has since become narrower and wrapped its lines.
import type { Terminal } from '../command.ts';
import { cut, widthOf } from '../terminal/fitted-lines.ts';

export class RedrawInPlace {
  readonly #terminal: Pick<Terminal, 'draw' | 'columns' | 'rows'>;
  #drawn: readonly string[] = [];

  constructor(terminal: Pick<Terminal, 'draw' | 'columns' | 'rows'>) {
    this.#terminal = terminal;
  }

  /**
   * Replaces the previous lines; none is wider than the terminal, and no more are drawn than it can show.
   *
   * @param kept lines that stay above them from now on
   */
  draw(lines: readonly string[], kept: readonly string[] = []): void {
    const columns = Math.max(1, this.#terminal.columns());
    // The cursor is on the row below.
    const rows = Math.max(1, this.#terminal.rows() - 1);
    const fitting = lines.slice(0, rows).map((line) => cut(line, columns));
    if (lines.length > rows) {
      fitting[rows - 1] = cut(`… and ${lines.length - rows + 1} more lines`, columns);
    }
    const back = this.#drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const up = back > 0 ? `\u001b[${Math.min(back, rows)}A` : '';
    const drawn = [...kept, ...fitting].map((line) => `\u001b[2K${line}\n`).join('');
    // What stays may be wider than the terminal, and then continues on rows that were drawn before.
    const cleared = kept.length > 0 ? '\u001b[J' : '';
    this.#terminal.draw(`${up}${cleared}${drawn}\u001b[J`);
    this.#drawn = fitting;
  }
}

/** Number of rows a line takes on a terminal of the given width. */
const rowsOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(widthOf(line) / columns));
