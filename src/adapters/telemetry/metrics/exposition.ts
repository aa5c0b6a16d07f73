// The reply to GET /metrics: the metrics of the library's registry, followed by our own families, which every
// slice updates.
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

  /** Names must be unique; the library checks only its own. */
  add(family: Family): void {
    const isTaken = this.#families.some(({ name }) => name === family.name);
    if (isTaken || this.getSingleMetric(family.name) !== undefined) {
      throw new Error(`the metric ${family.name} exists twice`);
    }
    this.#families.push(family);
  }

  /** Generated in pieces, so that a scrape blocks nothing else for long. */
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

/** Maximum duration of a piece in milliseconds. */
const PIECE_MS = 2;

/** Yields to the event loop once a piece has taken long enough. */
function rests(): () => Promise<void> {
  let fromMs = performance.now();
  return async () => {
    if (performance.now() - fromMs < PIECE_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    fromMs = performance.now();
  };
}
