// A witness in a file: one line of JSON per head, only ever appended to, and on disk before it counts as kept.

import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HeadWitness, Kept, WitnessedLine } from '../../ports/witness/head-witness.ts';
import { unwritable } from '../../values/errors/unwritable.ts';

export class WitnessFile implements HeadWitness {
  readonly #path: string;

  /** Created with its folder when the first head is appended. */
  constructor(path: string) {
    this.#path = path;
  }

  async append({ number, line }: WitnessedLine): Promise<Kept> {
    const { whole, isTorn } = await this.#read();
    const known = whole[number - 1];
    if (known === line) return { kind: 'kept' };
    if (known !== undefined) {
      return { kind: 'conflict', why: `${this.#path} has another head ${number}` };
    }
    if (whole.length < number - 1) return { kind: 'behind', newest: whole.length };
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    if (isTorn)
      await truncate(this.#path, Buffer.byteLength(whole.map((one) => `${one}\n`).join('')));
    const file = await open(this.#path, 'a', 0o600);
    try {
      await file.appendFile(`${line}\n`);
      await file.sync();
    } catch (error) {
      throw unwritable(this.#path, error);
    } finally {
      await file.close();
    }
    return { kind: 'kept' };
  }

  async *lines(): AsyncIterable<string> {
    yield* (await this.#read()).whole;
  }

  /** A line that a crash cut short was never acknowledged. */
  async #read(): Promise<{ readonly whole: readonly string[]; readonly isTorn: boolean }> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const whole = text.split('\n');
    const rest = whole.pop();
    return { whole, isTorn: rest !== '' };
  }
}
