// Distinguishes a sender's new messages from repeats. Remembers a bounded number of senders, the most recent
// ones; a forgotten sender counts as new.

const SENDERS_MAX = 1_000;

export class SeenSequences {
  readonly #highest = new Map<string, number>();

  /** Returns true once for each increasing number of a sender. */
  isNew(from: string, sequence: number): boolean {
    const highest = this.#highest.get(from);
    if (highest !== undefined && sequence <= highest) return false;
    this.#highest.delete(from);
    this.#highest.set(from, sequence);
    if (this.#highest.size > SENDERS_MAX) {
      const oldest = this.#highest.keys().next();
      if (!oldest.done) this.#highest.delete(oldest.value);
    }
    return true;
  }
}
