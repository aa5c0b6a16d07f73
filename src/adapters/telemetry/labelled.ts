// The series of one metric by their labels. The labels of a series are written out once, when it begins.

export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Not a character of any label value. */
const BETWEEN = '\u0000';

export class Labelled<L extends string, S> {
  readonly #names: readonly L[];
  readonly #begin: (labelText: string) => S;
  readonly #series = new Map<string, S>();

  /** `begin` makes a series at zero, given its labels as they stand in the exposition, without braces. */
  constructor(names: readonly L[], begin: (labelText: string) => S) {
    this.#names = names;
    this.#begin = begin;
    if (names.length === 0) this.#add('', '');
  }

  /** The series of these labels; begins it where there is none. */
  at(labels: Labels<L>): S {
    const key = this.#keyOf(labels);
    return this.#series.get(key) ?? this.#add(key, this.#textOf(labels));
  }

  all(): Iterable<S> {
    return this.#series.values();
  }

  #add(key: string, labelText: string): S {
    const series = this.#begin(labelText);
    this.#series.set(key, series);
    return series;
  }

  #keyOf(labels: Labels<L>): string {
    const names = this.#names;
    let key = '';
    for (let index = 0; index < names.length; index += 1) {
      const value = labels[names[index] as L];
      key = index === 0 ? value : key + BETWEEN + value;
    }
    return key;
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
