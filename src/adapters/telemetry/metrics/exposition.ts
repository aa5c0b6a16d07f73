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

  /** Made in pieces, so that a scrape holds up nothing else for long. */
  override async metrics(): Promise<string> {
    const rest = rests();
    const known: string[] = [];
    for (const { name } of this.getMetricsAsArray()) {
      known.push(await this.getSingleMetricAsString(name));
      await rest();
    }
    let text = `${known.join('\n\n')}\n`;
    for (const family of this.#families) {
      text += `\n# HELP ${family.name} ${family.help}\n# TYPE ${family.name} ${family.type}\n`;
      for (const lines of family.samples()) text += lines;
      await rest();
    }
    return text;
  }
}

/** Milliseconds of a piece. */
const PIECE_MS = 2;

/** Waits for the next turn of the event loop where a piece was long enough. */
function rests(): () => Promise<void> {
  let fromMs = performance.now();
  return async () => {
    if (performance.now() - fromMs < PIECE_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    fromMs = performance.now();
  };
}
