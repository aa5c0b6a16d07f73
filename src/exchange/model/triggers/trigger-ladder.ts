// Trigger prices of one direction, sorted so that the next to be met is last: removing the ones that are met
// touches nothing else.

export class TriggerLadder<T> {
  /** +1 if a falling price meets them, −1 if a rising one does. */
  readonly #sign: 1 | -1;
  /** sign × ticks, ascending. */
  readonly #keys: number[] = [];
  readonly #waiting = new Map<number, Set<T>>();

  constructor(met: 'rising' | 'falling') {
    this.#sign = met === 'falling' ? 1 : -1;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  add(ticks: number, entry: T): void {
    const key = this.#sign * ticks;
    const same = this.#waiting.get(key);
    if (same !== undefined) {
      same.add(entry);
      return;
    }
    this.#waiting.set(key, new Set([entry]));
    this.#keys.splice(this.#search(key), 0, key);
  }

  /** No effect if the entry is not there. */
  remove(ticks: number, entry: T): void {
    const key = this.#sign * ticks;
    const same = this.#waiting.get(key);
    if (same === undefined) return;
    same.delete(entry);
    if (same.size > 0) return;
    this.#waiting.delete(key);
    this.#keys.splice(this.#search(key), 1);
  }

  /** Removes and returns all entries that a price of `ticks` meets. */
  take(ticks: number): T[] {
    const reached = this.#sign * ticks;
    const met: T[] = [];
    for (
      let key = this.#keys.at(-1);
      key !== undefined && key >= reached;
      key = this.#keys.at(-1)
    ) {
      met.push(...(this.#waiting.get(key) ?? []));
      this.#waiting.delete(key);
      this.#keys.pop();
    }
    return met;
  }

  /** Index of the first key ≥ `key`. */
  #search(key: number): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
