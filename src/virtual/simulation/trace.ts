// One short word over everything that happened in a run: two runs with the same word took the same course.
import { hash32 } from '../../values/rng.ts';

export class Trace {
  #low = 1;
  #high = 2;
  readonly #keeps: boolean;
  readonly lines: string[] = [];

  /** `keeps`: the lines themselves are kept too, for whoever looks for the cause of something. */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  add(atMs: number, what: string, detail: unknown): void {
    const line = `${atMs} ${what} ${JSON.stringify(detail) ?? ''}`;
    this.#low = hash32(line, this.#low);
    this.#high = hash32(line, this.#high);
    if (this.#keeps) this.lines.push(line);
  }

  /** 16 hex digits over the lines in their order. */
  get hash(): string {
    return [this.#low, this.#high].map((half) => half.toString(16).padStart(8, '0')).join('');
  }
}
