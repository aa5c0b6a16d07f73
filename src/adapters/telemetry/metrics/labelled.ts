// The series of one metric by their labels. The labels of a series are written out once, when it begins.

export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Where the values of the labels lead, one after the other: to find a series makes no text. */
class Branch<S> {
  readonly next = new Map<string, Branch<S>>();
  series: S | undefined;
}

export class Labelled<L extends string, S> {
  readonly #names: readonly L[];
  readonly #begin: (labelText: string) => S;
  readonly #root = new Branch<S>();
  readonly #series: S[] = [];

  /** `begin` makes a series at zero, given its labels as they stand in the exposition, without braces. */
  constructor(names: readonly L[], begin: (labelText: string) => S) {
    this.#names = names;
    this.#begin = begin;
    if (names.length === 0) this.at({} as Labels<L>);
  }

  /** The series of these labels; begins it where there is none. */
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

/** As the text format of Prometheus wants label values. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** A sample's name with its labels. */
export const sampleName = (name: string, labelText: string): string =>
  labelText === '' ? name : `${name}{${labelText}}`;
