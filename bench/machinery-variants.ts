// Machinery of our own, each with a change of source text that puts a library or plain code in its place. The
// bench runs both in processes of their own, in turns; the working tree is never edited.
import type { Change } from '../test/simulation/mutants/mutant.ts';

export interface Variant extends Change {
  /** What is replaced, by what. */
  readonly what: string;
}

/** Part of a committed turn. */
export const LEDGER_VARIANTS: readonly Variant[] = [
  {
    what: 'reused memory of parameters → fresh memory',
    file: 'src/adapters/postgres/commit/commit-lane.ts',
    find: 'new BinaryArrays(this.#arena.take)',
    put: 'new BinaryArrays()',
  },
  {
    what: 'binary arrays → the arrays of pg',
    file: 'src/adapters/postgres/commit/commit-lane.ts',
    find: "import { BinaryArrays } from './binary-array.ts';",
    put: "import { LibraryArrays as BinaryArrays } from '../../../../bench/library-arrays.ts';",
  },
];

/** Part of the telemetry of a slice. */
export const TELEMETRY_VARIANTS: readonly Variant[] = [
  {
    what: 'counters and histograms → prom-client',
    file: 'src/adapters/telemetry/metrics/metric-maker.ts',
    find: `import { Counter, type CounterSeries } from './counter.ts';
import type { Exposition } from './exposition.ts';
import { Histogram, type HistogramSeries } from './histogram.ts';`,
    put: `import type { CounterSeries } from './counter.ts';
import type { Exposition } from './exposition.ts';
import type { HistogramSeries } from './histogram.ts';
import { Counter, Histogram } from '../../../../bench/library-metrics.ts';`,
  },
  {
    what: 'line writer → sonic-boom',
    file: 'src/adapters/telemetry/log/logger.ts',
    find: "import { LineWriter } from './line-writer.ts';",
    put: "import { LineWriter } from '../../../../bench/library-line-writer.ts';",
  },
];
