// Makes metrics whose label values are known beforehand, with every series at zero from the start, so
// that a rate over the first event is right and a missing series means a missing process.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The values each label can take; an empty list for those only known at run time. */
export type LabelValues<L extends string> = Readonly<Record<L, readonly string[]>>;

export interface Buckets<L extends string> {
  /** Upper bounds, ascending, in the metric's unit. */
  readonly buckets: readonly number[];
  readonly labels?: LabelValues<L>;
}

export interface AskedGauge {
  /** From now on this says the value. */
  read(value: () => number): void;
}

export class MetricMaker {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<L extends string = never>(
    name: string,
    help: string,
    labels?: LabelValues<L>,
  ): Counter<L> {
    const labelNames = namesOf(labels);
    const counter = new Counter<L>({ name, help, labelNames, registers: this.#registers });
    for (const series of combinations(labels)) counter.inc(series, 0);
    return counter;
  }

  gauge<L extends string = never>(name: string, help: string, labels?: LabelValues<L>): Gauge<L> {
    const labelNames = namesOf(labels);
    const gauge = new Gauge<L>({ name, help, labelNames, registers: this.#registers });
    for (const series of combinations(labels)) gauge.set(series, 0);
    return gauge;
  }

  /** A gauge whose value is asked for at the scrape. */
  askedGauge(name: string, help: string): AskedGauge {
    let ask = (): number => 0;
    // `collect` is called by the registry; the gauge itself is never touched from elsewhere.
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: this.#registers,
      collect: () => gauge.set(ask()),
    });
    return {
      read: (value) => {
        ask = value;
      },
    };
  }

  histogram<L extends string = never>(
    name: string,
    help: string,
    { buckets, labels }: Buckets<L>,
  ): Histogram<L> {
    const histogram = new Histogram<L>({
      name,
      help,
      labelNames: namesOf(labels),
      buckets: [...buckets],
      registers: this.#registers,
    });
    for (const series of combinations(labels)) histogram.zero(series);
    return histogram;
  }
}

const namesOf = <L extends string>(labels: LabelValues<L> | undefined): L[] =>
  Object.keys(labels ?? {}) as L[];

/** Every combination of the known values; none when a label has no known value. */
function combinations<L extends string>(labels: LabelValues<L> | undefined): Record<L, string>[] {
  if (labels === undefined) return [];
  return namesOf(labels).reduce<Record<L, string>[]>(
    (series, name) =>
      series.flatMap((one) => labels[name].map((value) => ({ ...one, [name]: value }))),
    [{} as Record<L, string>],
  );
}
