// Counters and histograms of prom-client with the interface of ours, put in their place by the bench of
// machinery. A series is held as the library holds it: bound to its labels.
import { Counter as LibraryCounter, Histogram as LibraryHistogram, Registry } from 'prom-client';
import type { CounterSeries } from '../src/adapters/telemetry/metrics/counter.ts';
import type { Family } from '../src/adapters/telemetry/metrics/exposition.ts';
import type { HistogramSeries } from '../src/adapters/telemetry/metrics/histogram.ts';
import type { Labels } from '../src/adapters/telemetry/metrics/labelled.ts';

const registers = [new Registry()];
/** Scrapes are not measured with these. */
const NO_SAMPLES: readonly string[] = [];

export class Counter<L extends string> implements Family {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #counter: LibraryCounter<L>;

  constructor(name: string, help: string, labelNames: readonly L[]) {
    this.name = name;
    this.help = help;
    this.#counter = new LibraryCounter({ name, help, labelNames: [...labelNames], registers });
  }

  inc(labels: Labels<L>, by?: number): void {
    this.#counter.inc(labels, by);
  }

  at(labels: Labels<L>): CounterSeries {
    return Object.keys(labels).length === 0 ? this.#counter : this.#counter.labels(labels);
  }

  samples(): Iterable<string> {
    return NO_SAMPLES;
  }
}

export class Histogram<L extends string> implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #histogram: LibraryHistogram<L>;

  constructor(
    name: string,
    help: string,
    of: { readonly bounds: readonly number[]; readonly labels: readonly L[] },
  ) {
    this.name = name;
    this.help = help;
    const [buckets, labelNames] = [[...of.bounds], [...of.labels]];
    this.#histogram = new LibraryHistogram({ name, help, buckets, labelNames, registers });
  }

  observe(labels: Labels<L>, value: number): void {
    this.#histogram.observe(labels, value);
  }

  at(labels: Labels<L>): HistogramSeries {
    return Object.keys(labels).length === 0 ? this.#histogram : this.#histogram.labels(labels);
  }

  samples(): Iterable<string> {
    return NO_SAMPLES;
  }
}
