// A counter cheap enough for every slice: frequent callers keep the series itself.
import type { Family } from './exposition.ts';
import { Labelled, type Labels, sampleName } from './labelled.ts';

export interface CounterSeries {
  /** @throws RangeError for a value that is not a number of at least zero. */
  inc(by?: number): void;
}

class Series implements CounterSeries {
  readonly #name: string;
  #value = 0;

  constructor(name: string) {
    this.#name = name;
  }

  inc(by = 1): void {
    if (!(by >= 0 && by < Number.POSITIVE_INFINITY)) throw new RangeError(`${this.#name}: ${by}`);
    this.#value += by;
  }

  text(): string {
    return `${this.#name} ${this.#value}\n`;
  }
}

export class Counter<L extends string> implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = 'counter';
  readonly #series: Labelled<L, Series>;

  constructor(name: string, help: string, labels: readonly L[]) {
    this.name = name;
    this.help = help;
    this.#series = new Labelled(labels, (text) => new Series(sampleName(name, text)));
  }

  inc(labels: Labels<L>, by?: number): void {
    this.#series.at(labels).inc(by);
  }

  at(labels: Labels<L>): CounterSeries {
    return this.#series.at(labels);
  }

  *samples(): Iterable<string> {
    for (const series of this.#series.all()) yield series.text();
  }
}
