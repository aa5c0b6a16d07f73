// A reference-counted set of instruments: a name is a member while at least one reference is left.
import type { InstrumentName } from '../../../values/ids.ts';

export class CountedNames {
  readonly #counts = new Map<InstrumentName, number>();

  /** Adds one reference until the returned function is called, once. */
  add(name: InstrumentName): () => void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    };
  }

  has(name: InstrumentName): boolean {
    return this.#counts.has(name);
  }

  get size(): number {
    return this.#counts.size;
  }

  names(): Iterable<InstrumentName> {
    return this.#counts.keys();
  }
}
