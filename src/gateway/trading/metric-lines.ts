// Parses the text of the metrics, for clients that show some of its figures.

interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="([^"]*)"/g;

export class MetricLines {
  readonly #figures = new Map<string, Figure[]>();

  /** Keeps the metrics with these names. */
  constructor(text: string, names: readonly string[]) {
    for (const name of names) this.#figures.set(name, []);
    for (const line of text.split('\n')) {
      const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
      this.#figures.get(name)?.push({
        labels: Object.fromEntries(
          [...labels.matchAll(LABEL)].map(([, key = '', is = '']) => [key, is]),
        ),
        value: Number(value),
      });
    }
  }

  /** Returns every series of the metric that carries all these labels. */
  of(name: string, labels: Readonly<Record<string, string>> = {}): readonly Figure[] {
    const wanted = Object.entries(labels);
    return (this.#figures.get(name) ?? []).filter((figure) =>
      wanted.every(([label, is]) => figure.labels[label] === is),
    );
  }

  /** Returns their sum, or `undefined` if there is none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.of(name, labels);
    return found.length === 0 ? undefined : found.reduce((total, { value }) => total + value, 0);
  }
}
