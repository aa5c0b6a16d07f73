// One side of a book. The levels are kept in a sorted array with the best level at the end, where almost all
// changes happen, so that inserting or dropping a level moves few elements.
import type { Side } from '../../values/instrument.ts';
import { PriceLevel, type Resting } from './price-level.ts';

export class BookSide {
  /** +1 for bids, −1 for asks: a higher key is a better price. */
  readonly #sign: 1 | -1;
  /** sign × ticks, ascending; parallel to the levels, because searching plain numbers is fast. */
  readonly #keys: number[] = [];
  readonly #levels: PriceLevel[] = [];

  constructor(side: Side) {
    this.#sign = side === 'buy' ? 1 : -1;
  }

  get best(): PriceLevel | undefined {
    return this.#levels[this.#levels.length - 1];
  }

  /** Best first. */
  *levels(): IterableIterator<PriceLevel> {
    for (let i = this.#levels.length - 1; i >= 0; i -= 1) yield this.#levels[i] as PriceLevel;
  }

  /** True if an order of the opposite side with this limit may trade at `ticks`. */
  isWithin(ticks: number, limitTicks: number): boolean {
    return this.#sign * ticks >= this.#sign * limitTicks;
  }

  /** Adds the entry at the end of its level's queue. */
  add(entry: Resting, ticks: number): void {
    const level = this.#levelFor(ticks);
    level.insertAfter(level.tail, entry);
  }

  /** Inserts the entry behind the last one that `isBefore` accepts; used to rebuild a queue. */
  addBehind(entry: Resting, ticks: number, isBefore: (other: Resting) => boolean): void {
    const level = this.#levelFor(ticks);
    let before = level.tail;
    while (before !== undefined && !isBefore(before)) before = before.previous;
    level.insertAfter(before, entry);
  }

  remove(entry: Resting, level: PriceLevel): void {
    level.leave(entry);
    if (level.count > 0) return;
    const at = this.#search(this.#sign * level.ticks);
    if (at === this.#levels.length - 1) {
      this.#keys.pop();
      this.#levels.pop();
    } else {
      this.#keys.splice(at, 1);
      this.#levels.splice(at, 1);
    }
  }

  #levelFor(ticks: number): PriceLevel {
    const key = this.#sign * ticks;
    const at = this.#search(key);
    if (at < this.#keys.length && this.#keys[at] === key) return this.#levels[at] as PriceLevel;
    const level = new PriceLevel(ticks);
    if (at === this.#keys.length) {
      this.#keys.push(key);
      this.#levels.push(level);
    } else {
      this.#keys.splice(at, 0, key);
      this.#levels.splice(at, 0, level);
    }
    return level;
  }

  /** Index of the first key ≥ `key`. Gallops from the best price, where most of the traffic is. */
  #search(key: number): number {
    const keys = this.#keys;
    let high = keys.length;
    let stride = 1;
    let low = high - 1;
    while (low >= 0 && (keys[low] as number) >= key) {
      high = low;
      stride *= 2;
      low -= stride;
    }
    low = Math.max(low + 1, 0);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
