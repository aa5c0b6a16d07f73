// Limits label values that callers choose: the first names of each kind are kept, later ones are counted as
// `other`.

/** Per kind. */
const NAMES_MAX = 60;

export class BoundedNames {
  readonly #known = new Map<string, Set<string>>();

  /** Returns `name` if it is among the first of its kind, else `other`. */
  of(kind: string, name: string): string {
    let known = this.#known.get(kind);
    if (known === undefined) {
      known = new Set();
      this.#known.set(kind, known);
    }
    if (known.size < NAMES_MAX) known.add(name);
    return known.has(name) ? name : 'other';
  }
}
