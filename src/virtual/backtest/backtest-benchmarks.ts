// Computes market benchmarks for every instrument over the lifetime of the portfolio. Rows are read ahead of time;
// if the portfolio's end is not known in advance, each row is counted only when its time comes.
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import { steps, stepsIn } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { RecordedBlock } from '../../values/recorded/recorded-block.ts';
import { countUpTo, newestAt, type RecordedRows } from '../../values/recorded/row-batch.ts';
import { type Interval, type MarketFigures, MarketStatistics } from './backtest-statistics.ts';
import { LegWindows } from './trade-support.ts';

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
  readonly #implied: readonly RecordedInstrument[];
  /** Batches that wait for their time, and the first row of the first of them that does. */
  readonly #waiting: RecordedRows[] = [];
  #next = 0;

  constructor({ instruments, interval, holeMs, isOpen }: BenchmarkOptions) {
    this.#isOpen = isOpen;
    this.#implied = instruments.filter(({ isImplied }) => isImplied === true);
    this.#of = new Map(
      instruments.map((each) => [
        each.instrument.name as string,
        new MarketStatistics(each, interval, holeMs),
      ]),
    );
  }

  /** Rows must come in time order. */
  note(rows: RecordedRows): void {
    if (rows.count === 0) return;
    if (this.#isOpen) this.#waiting.push(rows);
    else this.#count(rows, 0, rows.count);
  }

  /** Counts the rows up to `now`. */
  passTo(now: Instant): void {
    for (let rows = this.#waiting[0]; rows !== undefined; rows = this.#waiting[0]) {
      if (rows.at(this.#next) > now) return;
      const isPassed = (newestAt(rows) ?? now) <= now;
      const to = isPassed ? rows.count : countUpTo(rows, now);
      this.#count(rows, this.#next, to);
      this.#next = to;
      if (!isPassed) return;
      this.#waiting.shift();
      this.#next = 0;
    }
  }

  #count(rows: RecordedRows, from: number, to: number): void {
    if (rows instanceof RecordedBlock) this.#countIn(rows, from, to);
    else {
      for (let row = from; row < to; row += 1) {
        const event = rows.event(row);
        this.#of.get(event.symbol)?.note(event);
      }
    }
  }

  #countIn(block: RecordedBlock, from: number, to: number): void {
    const { names, symbols } = block.columns;
    const each = names.map((name) => this.#of.get(name));
    for (let row = from; row < to; row += 1) each[symbols[row] ?? 0]?.noteRow(block, row);
  }

  /** The figures by instrument, up to `to`. Call once. */
  figures(to: Instant): ReadonlyMap<string, MarketFigures> {
    this.passTo(to);
    const all = new Map([...this.#of].map(([symbol, each]) => [symbol, each.figures(to)]));
    for (const { instrument } of this.#implied) {
      const own = must(all.get(instrument.name), 'a combo has figures');
      all.set(instrument.name, { ...own, ...tradedByLegsOf(instrument, all) });
    }
    return all;
  }
}

/** What the trades of its legs would have made of a combo whose own trades are not recorded. */
function tradedByLegsOf(
  { legs: parts = [], amountStep }: Instrument,
  figures: ReadonlyMap<string, MarketFigures>,
): Pick<MarketFigures, 'traded' | 'trades' | 'windows'> {
  const legs = parts.map(({ instrument, ratio }) => ({
    ratio,
    of: must(figures.get(instrument), () => `${instrument} is a leg and has figures`),
  }));
  const lots = legs.map(({ ratio, of }) => stepsIn(of.traded, amountStep) / Math.abs(ratio));
  return {
    traded: steps(amountStep, Math.floor(Math.min(...lots))),
    trades: Math.min(...legs.map(({ of }) => of.trades)),
    windows: new LegWindows(legs.map(({ ratio, of: { windows } }) => ({ ratio, windows }))),
  };
}
