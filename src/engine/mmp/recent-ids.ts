// Remembers recent ids, so that a duplicate is processed only once; beyond the maximum the oldest is dropped.

export class RecentIds {
  readonly #max: number;
  readonly #names = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
    if (this.#names.size <= this.#max) return;
    const [oldest] = this.#names;
    if (oldest !== undefined) this.#names.delete(oldest);
  }
}
