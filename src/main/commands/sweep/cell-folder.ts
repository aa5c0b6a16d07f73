// The folder of a sweep: one file per cell that is done. A file appears whole or not at all, so a sweep that was killed continues
// where it stopped.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { CommandFailure } from '../../command-failure.ts';
import { createFolder } from '../../create-folder.ts';
import { outputFolder } from '../output-path.ts';
import { CELL_FORMAT, type KeptCell } from './sweep-cells.ts';

export class CellFolder {
  /** As it is reached from this process. */
  readonly path: string;
  readonly #cells: string;

  /** @throws CommandFailure if it cannot be made. */
  constructor(name: string) {
    this.path = outputFolder({ option: '--out', name }, 0o700);
    this.#cells = join(this.path, 'cells');
    try {
      createFolder(this.#cells, 0o700);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  has(key: string): boolean {
    return existsSync(this.#file(key));
  }

  /** @throws CommandFailure if the file is not what a sweep writes. */
  read(key: string): KeptCell {
    const file = this.#file(key);
    try {
      const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptCell;
      if (kept.format === CELL_FORMAT && kept.key === key) return kept;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw this.#failure(error);
    }
    throw new CommandFailure('refused', [
      `${file} is no result of a sweep; accepted: a folder that only sweeps write. Delete the file, and the run is made again`,
    ]);
  }

  write(cell: KeptCell): void {
    try {
      writeWhole(this.#file(cell.key), JSON.stringify(cell));
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #file(key: string): string {
    return join(this.#cells, `${key}.json`);
  }

  #failure(error: unknown): CommandFailure {
    throwProgrammingError(error);
    const { code, message } = error as NodeJS.ErrnoException;
    return new CommandFailure('refused', [
      `--out ${this.path} cannot be used (${code ?? message}); accepted: a folder that can be written`,
    ]);
  }
}
