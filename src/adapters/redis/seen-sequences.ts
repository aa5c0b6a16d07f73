// Tells a sender's new messages from repeated ones. Remembers a bounded number of senders, those heard
// last; a sender forgotten and heard again counts as new.

const SENDERS_MAX = 1_000;

export class SeenSequences {
  readonly #highest = new Map<string, number>();

  /** True once for each rising number of a sender. */
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
