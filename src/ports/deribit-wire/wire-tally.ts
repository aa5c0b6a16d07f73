// Counts what the venue sends beyond what this adapter knows, and what it cannot read. New fields and words are no
// faults; that they came is worth knowing when a venue changes.

export class WireTally {
  readonly #counts = new Map<string, number>();
  readonly #onFirst: (what: string) => void;

  /** `onFirst` is called once for each kind. */
  constructor(onFirst: (what: string) => void) {
    this.#onFirst = onFirst;
  }

  count(what: string): void {
    const counted = this.#counts.get(what) ?? 0;
    // Words of a stranger must not fill the memory.
    if (counted === 0 && this.#counts.size >= KINDS_MAX) return;
    this.#counts.set(what, counted + 1);
    if (counted === 0) this.#onFirst(what);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

const KINDS_MAX = 1_000;
