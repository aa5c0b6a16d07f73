// A histogram cheap enough for every slice: frequent callers keep the series itself.
import type { Family } from './exposition.ts';
import { Labelled, type Labels, sampleName } from './labelled.ts';

export interface HistogramSeries {
  /** @throws RangeError for a value that is not a finite number. */
  observe(value: number): void;
}

class Series implements HistogramSeries {
  readonly #bounds: readonly number[];
  /** Number of values in each bucket alone; the last bucket is unbounded. */
  readonly #counts: number[];
  readonly #names: readonly string[];
  readonly #sumName: string;
  readonly #countName: string;
  #sum = 0;

  constructor(name: string, bounds: readonly number[], labelText: string) {
    const bucketName = (bound: string): string =>
      sampleName(`${name}_bucket`, `le="${bound}"${labelText === '' ? '' : `,${labelText}`}`);
    this.#bounds = bounds;
    this.#counts = [...bounds, 0].map(() => 0);
    this.#names = [...bounds.map(String), '+Inf'].map(bucketName);
    this.#sumName = sampleName(`${name}_sum`, labelText);
    this.#countName = sampleName(`${name}_count`, labelText);
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`${this.#sumName}: ${value}`);
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  text(): string {
    let text = '';
    let count = 0;
    for (const [index, name] of this.#names.entries()) {
      count += this.#counts[index] ?? 0;
      text += `${name} ${count}\n`;
    }
    return `${text}${this.#sumName} ${this.#sum}\n${this.#countName} ${count}\n`;
  }
}

export class Histogram<L extends string> implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #series: Labelled<L, Series>;

  /** `bounds` are the upper bounds of the buckets, ascending, in the unit of the metric. */
  constructor(
    name: string,
    help: string,
    of: { readonly bounds: readonly number[]; readonly labels: readonly L[] },
  ) {
    this.name = name;
    this.help = help;
    this.#series = new Labelled(of.labels, (text) => new Series(name, of.bounds, text));
  }

  observe(labels: Labels<L>, value: number): void {
    this.#series.at(labels).observe(value);
  }

  at(labels: Labels<L>): HistogramSeries {
    return this.#series.at(labels);
  }

  *samples(): Iterable<string> {
    for (const series of this.#series.all()) yield series.text();
  }
}
