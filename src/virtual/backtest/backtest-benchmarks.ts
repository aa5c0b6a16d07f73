// Computes market benchmarks for every instrument over the lifetime of the portfolio. Rows are read ahead of time;
// if the portfolio's end is not known in advance, each row is counted only when its time comes.
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import type { Instant } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { type Interval, type MarketFigures, MarketStatistics } from './backtest-statistics.ts';

export interface BenchmarkOptions {
  readonly instruments: readonly RecordedInstrument[];
  readonly holeMs: number;
  /** If `isOpen`, the end is the latest possible one. */
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

  /** Rows must come in time order. */
  note(row: RecordedEvent): void {
    if (this.#isOpen) this.#waiting.push(row);
    else this.#of.get(row.symbol)?.note(row);
  }

  /** Counts the rows up to `now`. */
  passTo(now: Instant): void {
    const [next] = this.#waiting;
    if (next === undefined || next.at > now) return;
    const later = this.#waiting.findIndex(({ at }) => at > now);
    const passed = this.#waiting.splice(0, later < 0 ? this.#waiting.length : later);
    for (const row of passed) this.#of.get(row.symbol)?.note(row);
  }

  /** The figures by instrument, up to `to`. Call once. */
  figures(to: Instant): ReadonlyMap<string, MarketFigures> {
    this.passTo(to);
    return new Map([...this.#of].map(([symbol, each]) => [symbol, each.figures(to)]));
  }
}
