// What GET /metrics answers: the metrics of the library's registry, and behind them the families that are
// kept by us because slices pass them.
import { Registry } from 'prom-client';

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram';
  /** Lines of the text format. */
  samples(): Iterable<string>;
}

export class Exposition extends Registry {
  readonly #families: Family[] = [];

  /** Names must differ; the library looks after its own alone. */
  add(family: Family): void {
    const isTaken = this.#families.some(({ name }) => name === family.name);
    if (isTaken || this.getSingleMetric(family.name) !== undefined) {
      throw new Error(`the metric ${family.name} exists twice`);
    }
    this.#families.push(family);
  }

  override async metrics(): Promise<string> {
    let text = await super.metrics();
    for (const family of this.#families) {
      text += `\n# HELP ${family.name} ${family.help}\n# TYPE ${family.name} ${family.type}\n`;
      for (const lines of family.samples()) text += lines;
    }
    return text;
  }
}
