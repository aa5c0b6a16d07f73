// A first-in first-out record that forgets what is too old or too many; reading from an instant is a
// binary search. Instants must not go backwards.
import type { Instant } from '../../values/instant.ts';

export interface Aged<T> {
  readonly at: Instant;
  readonly item: T;
}

/** Both ends included. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

export class AgeQueue<T> {
  #items: Aged<T>[] = [];
  /** Everything before has been forgotten. */
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T, at: Instant): void {
    this.#items.push({ at, item });
  }

  /** Forgets what is older than `before`, and the oldest beyond `keepMax`; tells `onDrop` each. */
  forget(limits: { before: Instant; keepMax: number }, onDrop: (item: T) => void): void {
    for (
      let first = this.#items[this.#head];
      first !== undefined;
      first = this.#items[this.#head]
    ) {
      if (first.at >= limits.before && this.size <= limits.keepMax) break;
      this.#head += 1;
      onDrop(first.item);
    }
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Oldest first, from `from` on. */
  since(from: Instant): T[] {
    return this.#items.slice(this.#firstAt(from)).map(({ item }) => item);
  }

  /** From `from` to `until`, both included. Not to be changed meanwhile. */
  *between({ from, until }: Span, order: 'asc' | 'desc'): IterableIterator<T> {
    const first = this.#firstAt(from);
    const end = this.#firstAt((until + 1) as Instant);
    if (order === 'asc') {
      for (let i = first; i < end; i += 1) yield (this.#items[i] as Aged<T>).item;
    } else {
      for (let i = end - 1; i >= first; i -= 1) yield (this.#items[i] as Aged<T>).item;
    }
  }

  /** Index of the first item at or after `at`. */
  #firstAt(at: Instant): number {
    let low = this.#head;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle] as Aged<T>).at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Oldest first, as it is now. */
  held(): readonly Aged<T>[] {
    return this.#items.slice(this.#head);
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = this.#head; i < this.#items.length; i += 1) yield (this.#items[i] as Aged<T>).item;
  }
}
