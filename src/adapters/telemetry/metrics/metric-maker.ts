// Creates metrics whose label values are known in advance, with every series at zero from the start, so that
// a rate over the first event is correct and a missing series means a missing process.
import { Gauge } from 'prom-client';
import { Counter, type CounterSeries } from './counter.ts';
import type { Exposition } from './exposition.ts';
import { Histogram, type HistogramSeries } from './histogram.ts';
import type { Labels } from './labelled.ts';

/** The values each label can take; an empty list for those known only at run time. */
export type LabelValues<L extends string> = Readonly<Record<L, readonly string[]>>;

interface Buckets {
  /** Upper bounds, ascending, in the metric's unit. */
  readonly buckets: readonly number[];
}

export interface LazyGauge<L extends string> {
  /** From now on `value` supplies the value of the series. */
  read(series: Labels<L>, value: () => number): void;
}

export class MetricMaker {
  readonly #exposition: Exposition;

  constructor(exposition: Exposition) {
    this.#exposition = exposition;
  }

  /** Without labels there is one series, which is returned. */
  counter(name: string, help: string): CounterSeries;
  counter<L extends string>(name: string, help: string, labels: LabelValues<L>): Counter<L>;
  counter<L extends string>(name: string, help: string, labels?: LabelValues<L>) {
    const counter = new Counter<L>(name, help, namesOf(labels));
    this.#exposition.add(counter);
    for (const series of combinations(labels)) counter.at(series);
    return labels === undefined ? counter.at(NO_LABELS) : counter;
  }

  gauge<L extends string = never>(name: string, help: string, labels?: LabelValues<L>): Gauge<L> {
    const labelNames = namesOf(labels);
    const gauge = new Gauge<L>({ name, help, labelNames, registers: [this.#exposition] });
    for (const series of combinations(labels)) gauge.set(series, 0);
    return gauge;
  }

  /** A gauge whose values are computed at the scrape. */
  askedGauge<L extends string>(name: string, help: string, labels: LabelValues<L>): LazyGauge<L> {
    const asked: (() => void)[] = [];
    const gauge = new Gauge<L>({
      name,
      help,
      labelNames: namesOf(labels),
      registers: [this.#exposition],
      collect: () => {
        for (const sample of asked) sample();
      },
    });
    for (const series of combinations(labels)) gauge.set(series, 0);
    return { read: (series, value) => void asked.push(() => gauge.set(series, value())) };
  }

  /** Without labels there is one series, which is returned. */
  histogram(name: string, help: string, of: Buckets): HistogramSeries;
  histogram<L extends string>(name: string, help: string, of: Buckets & Of<L>): Histogram<L>;
  histogram<L extends string>(name: string, help: string, of: Buckets & Partial<Of<L>>) {
    const { buckets: bounds, labels } = of;
    const histogram = new Histogram<L>(name, help, { bounds, labels: namesOf(labels) });
    this.#exposition.add(histogram);
    for (const series of combinations(labels)) histogram.at(series);
    return labels === undefined ? histogram.at(NO_LABELS) : histogram;
  }
}

interface Of<L extends string> {
  readonly labels: LabelValues<L>;
}

const NO_LABELS = {} as Labels<string>;

const namesOf = <L extends string>(labels: LabelValues<L> | undefined): L[] =>
  Object.keys(labels ?? {}) as L[];

/** Every combination of the known values; none if a label has no known value. */
function combinations<L extends string>(labels: LabelValues<L> | undefined): Record<L, string>[] {
  if (labels === undefined) return [];
  return namesOf(labels).reduce<Record<L, string>[]>(
    (series, name) =>
      series.flatMap((one) => labels[name].map((value) => ({ ...one, [name]: value }))),
    [{} as Record<L, string>],
  );
}
