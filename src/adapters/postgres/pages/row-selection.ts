// Rows that are still in, as a list that shrinks. Each condition is one pass over what is left; a row is
// written whether it stays or not, and the end of the list moves only if it does: nothing to guess wrong.
// One selection serves query after query: its memory is taken once.
type Codes = Uint8Array | Uint32Array;

interface Condition {
  readonly codes: Codes;
  /** By code: 1 where it holds. */
  readonly matches: Uint8Array;
}

export class Selection {
  #rows = new Uint32Array(0);
  #marks = new Uint8Array(0);
  #count = 0;
  /** Every row is in, and none is listed yet. */
  #isWhole = true;

  /** Begins anew with all of the first `count` rows of as many as there is `room` for. */
  begin(count: number, room: number): void {
    if (this.#rows.length < room) {
      this.#rows = new Uint32Array(room);
      this.#marks = new Uint8Array(room);
    }
    this.#count = count;
    this.#isWhole = true;
  }

  get count(): number {
    return this.#count;
  }

  row(index: number): number {
    return this.#isWhole ? index : (this.#rows[index] ?? 0);
  }

  keep(codes: Codes, matches: Uint8Array): void {
    if (!matches.includes(0)) return;
    const rows = this.#rows;
    const isWhole = this.#isWhole;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = isWhole ? index : (rows[index] ?? 0);
      rows[kept] = row;
      kept += matches[codes[row] ?? 0] ?? 0;
    }
    this.#narrowTo(kept);
  }

  keepEither(one: Condition, other: Condition): void {
    const rows = this.#rows;
    const isWhole = this.#isWhole;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = isWhole ? index : (rows[index] ?? 0);
      rows[kept] = row;
      const first = one.matches[one.codes[row] ?? 0] ?? 0;
      kept += first | (other.matches[other.codes[row] ?? 0] ?? 0);
    }
    this.#narrowTo(kept);
  }

  keepWithin(
    values: Float64Array,
    { from, to }: { readonly from: number; readonly to: number },
  ): void {
    const rows = this.#rows;
    const isWhole = this.#isWhole;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const row = isWhole ? index : (rows[index] ?? 0);
      rows[kept] = row;
      const value = values[row] ?? 0;
      kept += Number(value >= from) & Number(value <= to);
    }
    this.#narrowTo(kept);
  }

  /** By row: 1 where it is still in. Void when the selection begins anew. */
  marked(): Uint8Array {
    const marks = this.#marks;
    if (this.#isWhole) {
      marks.fill(1, 0, this.#count);
      return marks;
    }
    marks.fill(0);
    for (let index = 0; index < this.#count; index += 1) marks[this.#rows[index] ?? 0] = 1;
    return marks;
  }

  #narrowTo(count: number): void {
    this.#count = count;
    this.#isWhole = false;
  }
}
