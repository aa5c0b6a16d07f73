// Rows that are still in, as a list that shrinks. Each condition is one pass over what is left; a row is
// written whether it stays or not, and the end of the list moves only if it does: nothing to guess wrong.
type Codes = Uint8Array | Uint32Array;

interface Condition {
  readonly codes: Codes;
  /** By code: 1 where it holds. */
  readonly matches: Uint8Array;
}

export class Selection {
  readonly #rows: Uint32Array;
  #count: number;

  /** All of the first `count` rows. */
  constructor(count: number) {
    this.#rows = new Uint32Array(count);
    for (let row = 0; row < count; row += 1) this.#rows[row] = row;
    this.#count = count;
  }

  get count(): number {
    return this.#count;
  }

  row(index: number): number {
    return this.#rows[index] ?? 0;
  }

  keep(codes: Codes, matches: Uint8Array): void {
    const rows = this.#rows;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = rows[index] ?? 0;
      rows[kept] = row;
      kept += matches[codes[row] ?? 0] ?? 0;
    }
    this.#count = kept;
  }

  keepEither(one: Condition, other: Condition): void {
    const rows = this.#rows;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = rows[index] ?? 0;
      rows[kept] = row;
      const first = one.matches[one.codes[row] ?? 0] ?? 0;
      kept += first | (other.matches[other.codes[row] ?? 0] ?? 0);
    }
    this.#count = kept;
  }

  keepWithin(
    values: Float64Array,
    { from, to }: { readonly from: number; readonly to: number },
  ): void {
    const rows = this.#rows;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = rows[index] ?? 0;
      rows[kept] = row;
      const value = values[row] ?? 0;
      kept += Number(value >= from) & Number(value <= to);
    }
    this.#count = kept;
  }

  /** One byte for each of the first `count` rows: 1 where it is still in. */
  marked(count: number): Uint8Array {
    const marks = new Uint8Array(count);
    for (let index = 0; index < this.#count; index += 1) marks[this.#rows[index] ?? 0] = 1;
    return marks;
  }
}
