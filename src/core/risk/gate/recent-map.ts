// A bounded map of recent entries: at least half as many as allowed, and never more. Two halves alternate, because
// removing the oldest entry one by one makes a map iterate over its deleted entries.

export class RecentMap<V> {
  readonly #halfMax: number;
  #current = new Map<string, V>();
  #before = new Map<string, V>();

  constructor(max: number) {
    this.#halfMax = Math.ceil(max / 2);
  }

  has(name: string): boolean {
    return this.#current.has(name) || this.#before.has(name);
  }

  get(name: string): V | undefined {
    return this.#current.get(name) ?? this.#before.get(name);
  }

  set(name: string, value: V): void {
    this.#current.set(name, value);
    if (this.#current.size < this.#halfMax) return;
    this.#before = this.#current;
    this.#current = new Map();
  }

  clear(): void {
    this.#current.clear();
    this.#before.clear();
  }
}
