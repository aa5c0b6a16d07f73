// The series of one metric by labels. The labels of a series are formatted once, when it is created.

export type Labels<L extends string> = Readonly<Record<L, string>>;

/** A tree over the label values, so that a lookup builds no string. */
class Branch<S> {
  readonly next = new Map<string, Branch<S>>();
  series: S | undefined;
}

export class Labelled<L extends string, S> {
  readonly #names: readonly L[];
  readonly #begin: (labelText: string) => S;
  readonly #root = new Branch<S>();
  readonly #series: S[] = [];

  /** `begin` creates a series at zero, given its labels in exposition format, without braces. */
  constructor(names: readonly L[], begin: (labelText: string) => S) {
    this.#names = names;
    this.#begin = begin;
    if (names.length === 0) this.at({} as Labels<L>);
  }

  /** Returns the series of these labels and creates it if necessary. */
  at(labels: Labels<L>): S {
    let branch = this.#root;
    for (const name of this.#names) {
      const value = labels[name];
      let next = branch.next.get(value);
      if (next === undefined) {
        next = new Branch();
        branch.next.set(value, next);
      }
      branch = next;
    }
    branch.series ??= this.#add(this.#textOf(labels));
    return branch.series;
  }

  all(): Iterable<S> {
    return this.#series;
  }

  #add(labelText: string): S {
    const series = this.#begin(labelText);
    this.#series.push(series);
    return series;
  }

  #textOf(labels: Labels<L>): string {
    return this.#names.map((name) => `${name}="${escaped(labels[name])}"`).join(',');
  }
}

/** Escapes a label value for the text format of Prometheus. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** A sample's name with its labels. */
export const sampleName = (name: string, labelText: string): string =>
  labelText === '' ? name : `${name}{${labelText}}`;
