// A binary heap of calls ordered by due time, ties in insertion order. A pure data structure: it reads no clock and
// calls nothing.

/** An entry of the heap; pass it to `remove`. */
export interface HeapEntry {
  /** Milliseconds on the clock that the owner of the heap uses. */
  readonly dueMs: number;
  readonly then: () => void;
}

interface Placed extends HeapEntry {
  readonly sequence: number;
  /** Index in the array; -1 after removal. */
  at: number;
}

const before = (a: Placed, b: Placed): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);

export class TimerHeap {
  readonly #entries: Placed[] = [];
  #sequence = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** The next sequence number: entries added from now on have this one or a higher one. */
  get mark(): number {
    return this.#sequence;
  }

  /** When the earliest entry is due; `undefined` if the heap is empty. */
  get nextDueMs(): number | undefined {
    return this.#entries[0]?.dueMs;
  }

  add(dueMs: number, then: () => void): HeapEntry {
    const entry: Placed = { dueMs, then, sequence: this.#sequence, at: this.#entries.length };
    this.#sequence += 1;
    this.#entries.push(entry);
    this.#rise(entry);
    return entry;
  }

  /** Removes and returns the earliest entry if it is due by `nowMs` and was added before `mark`. */
  takeDue(nowMs: number, mark = Number.POSITIVE_INFINITY): HeapEntry | undefined {
    const first = this.#entries[0];
    if (first === undefined || first.dueMs > nowMs || first.sequence >= mark) return undefined;
    this.#take(first);
    return first;
  }

  /** Returns false if the entry had already been removed. */
  remove(entry: HeapEntry): boolean {
    const placed = entry as Placed;
    if (this.#entries[placed.at] !== placed) return false;
    this.#take(placed);
    return true;
  }

  #take(entry: Placed): void {
    const at = entry.at;
    entry.at = -1;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#put(last, at);
    this.#rise(last);
    this.#sink(last);
  }

  #put(entry: Placed, at: number): void {
    this.#entries[at] = entry;
    entry.at = at;
  }

  #rise(entry: Placed): void {
    while (entry.at > 0) {
      const above = this.#entries[(entry.at - 1) >> 1];
      if (above === undefined || !before(entry, above)) return;
      const at = above.at;
      this.#put(above, entry.at);
      this.#put(entry, at);
    }
  }

  #sink(entry: Placed): void {
    for (;;) {
      const left = this.#entries[2 * entry.at + 1];
      const right = this.#entries[2 * entry.at + 2];
      const below = right !== undefined && left !== undefined && before(right, left) ? right : left;
      if (below === undefined || !before(below, entry)) return;
      const at = below.at;
      this.#put(below, entry.at);
      this.#put(entry, at);
    }
  }
}
