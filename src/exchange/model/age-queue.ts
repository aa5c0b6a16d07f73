// A first-in first-out record bounded by age and by count; reading from an instant is a binary search.
// Instants must not decrease.
import type { Instant } from '../../values/instant.ts';

export interface Aged<T> {
  readonly at: Instant;
  readonly item: T;
}

/** Both ends are included. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

export class AgeQueue<T> {
  #items: Aged<T>[] = [];
  /** Everything before this index has been dropped. */
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T, at: Instant): void {
    this.#items.push({ at, item });
  }

  /** Drops items older than `before`, and the oldest beyond `keepMax`; calls `onDrop` for each. */
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

  /** The items from `from` on, oldest first. */
  since(from: Instant): T[] {
    return this.#items.slice(this.#firstAt(from)).map(({ item }) => item);
  }

  /** The items from `from` to `until`, both included. The queue must not change during the iteration. */
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

  /** The items as they are now, oldest first. */
  held(): readonly Aged<T>[] {
    return this.#items.slice(this.#head);
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = this.#head; i < this.#items.length; i += 1) yield (this.#items[i] as Aged<T>).item;
  }
}
