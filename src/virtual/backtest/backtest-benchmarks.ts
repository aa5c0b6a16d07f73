// What the market did while the portfolio was at work, for every instrument. Rows are seen ahead of
// their time; where nobody knows beforehand when the portfolio is over, each waits until its time has come.
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import type { Instant } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { type Interval, type MarketFigures, MarketStatistics } from './backtest-statistics.ts';

export interface BenchmarkOptions {
  readonly instruments: readonly RecordedInstrument[];
  readonly holeMs: number;
  /** Its end is the latest there can be where `isOpen`. */
  readonly interval: Interval;
  readonly isOpen: boolean;
}

export class Benchmarks {
  readonly #of: ReadonlyMap<string, MarketStatistics>;
  readonly #isOpen: boolean;
  #waiting: RecordedEvent[] = [];

  constructor({ instruments, interval, holeMs, isOpen }: BenchmarkOptions) {
    this.#isOpen = isOpen;
    this.#of = new Map(
      instruments.map((each) => [
        each.instrument.name as string,
        new MarketStatistics(each, interval, holeMs),
      ]),
    );
  }

  /** In the order of their time. */
  note(row: RecordedEvent): void {
    if (this.#isOpen) this.#waiting.push(row);
    else this.#of.get(row.symbol)?.note(row);
  }

  /** Time has come to `now`. */
  passTo(now: Instant): void {
    const [next] = this.#waiting;
    if (next === undefined || next.at > now) return;
    const later = this.#waiting.findIndex(({ at }) => at > now);
    const passed = this.#waiting.splice(0, later < 0 ? this.#waiting.length : later);
    for (const row of passed) this.#of.get(row.symbol)?.note(row);
  }

  /** By instrument, of the time until `to`. To be asked once. */
  figures(to: Instant): ReadonlyMap<string, MarketFigures> {
    this.passTo(to);
    return new Map([...this.#of].map(([symbol, each]) => [symbol, each.figures(to)]));
  }
}
