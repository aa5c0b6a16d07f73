// The rows that still match, as a shrinking list. Each condition is one pass over the rest; a row is always
// written, and the end of the list advances only if it stays, so no branch can be mispredicted. One
// selection serves all queries: its memory is allocated once.
type Codes = Uint8Array | Uint32Array;

interface Condition {
  readonly codes: Codes;
  /** By code: 1 if the condition holds. */
  readonly matches: Uint8Array;
}

export class Selection {
  #rows = new Uint32Array(0);
  #marks = new Uint8Array(0);
  #count = 0;
  /** Every row matches, and none is listed yet. */
  #isWhole = true;

  /** Starts over with all of the first `count` rows, with capacity for `room`. */
  begin(count: number, room: number): void {
    if (this.#rows.length < room) {
      this.#rows = new Uint32Array(room);
      this.#marks = new Uint8Array(room);
    }
    this.#count = count;
    this.#isWhole = true;
  }

  /** Starts over with the given rows, of `room` at most; their order does not matter. */
  beginWith(rows: Uint32Array, room: number): void {
    this.begin(rows.length, room);
    this.#rows.set(rows);
    this.#isWhole = false;
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

  /** By row: 1 if it still matches. Invalid once the selection starts over. */
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
