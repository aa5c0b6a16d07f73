// Statistics of the recorded market over an interval, independent of our own trading: arrival price, time-weighted
// mid, volume-weighted trades, gaps. Sums are whole numbers of ticks and lots and therefore exact.
import { Grid } from '../../exchange/book/grid.ts';
import { RecordedGrid } from '../../exchange/market/recorded-grid.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import { type Price, type Quantity, ratioOf, scaled, toNumber } from '../../values/amounts.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { RecordedBook, RecordedEvent, RecordedTrade } from '../../values/recorded-event.ts';
import { TradedWindows } from './trade-support.ts';

export interface Interval {
  readonly from: Instant;
  readonly to: Instant;
}

export interface MarketFigures {
  /** The mid at the start, or the first one after it if there was none. */
  readonly arrivalMid?: Price | undefined;
  /** The mid in force at the end. */
  readonly finalMid?: Price | undefined;
  /** The time-weighted mean of the mid, without gaps and one-sided moments. */
  readonly twap?: Price | undefined;
  /** The share of the interval that the mean covers. */
  readonly twapCoverage: number;
  /** The mean price of the recorded trades by volume; harmonic for USD-sized contracts. */
  readonly vwap?: Price | undefined;
  readonly traded: Quantity;
  readonly trades: number;
  readonly books: number;
  /** Spans longer than the limit without a row of the book. */
  readonly holes: readonly Interval[];
  /** What was traded when, to hold fills against. */
  readonly windows: TradedWindows;
}

const MILLIONTH = ratioOf(0.000_001);
const HALF_MILLIONTH = ratioOf(0.000_000_5);

export class MarketStatistics {
  #interval: Interval;
  readonly #holeMs: number;
  readonly #grid: Grid;
  readonly #recorded: RecordedGrid;
  readonly #isHarmonic: boolean;
  readonly #lot: number;
  readonly #holes: Interval[] = [];
  readonly #windows = new TradedWindows();
  #rowAt: number | undefined;
  /** Bid plus ask in ticks; absent while one side is empty. */
  #twice: number | undefined;
  #arrivalTwice: number | undefined;
  #weighted = 0n;
  #coveredMs = 0;
  #valueTicks = 0n;
  #inverse = 0;
  #lots = 0n;
  #trades = 0;
  #books = 0;

  constructor(of: RecordedInstrument, interval: Interval, holeMs: number) {
    const { instrument, recordedStep } = of;
    this.#interval = interval;
    this.#holeMs = holeMs;
    this.#grid = new Grid(instrument);
    this.#recorded = new RecordedGrid(instrument.tickSize, recordedStep);
    this.#lot = toNumber(instrument.amountStep);
    this.#isHarmonic = instrument.amountUnit === 'usd';
  }

  /** Rows must come in time order. */
  note(event: RecordedEvent): void {
    if (event.kind === 'book') this.#noteBook(event);
    else if (event.kind === 'trade') this.#noteTrade(event);
  }

  /** The figures of the interval up to `to`; no row may be later than `to`. Call once, after the last row. */
  figures(to: Instant = this.#interval.to): MarketFigures {
    this.#interval = { from: this.#interval.from, to };
    return this.#figures();
  }

  #figures(): MarketFigures {
    this.#integrateTo(this.#interval.to);
    if (this.#rowAt === undefined) this.#holes.push(this.#interval);
    else this.#noteHole(this.#rowAt, this.#interval.to);
    const { from, to } = this.#interval;
    return {
      arrivalMid: this.#midOf(this.#arrivalTwice),
      finalMid: this.#midOf(this.#twice),
      twap: this.#coveredMs === 0 ? undefined : this.#twap(),
      twapCoverage: this.#coveredMs / Math.max(1, to - from),
      vwap: this.#lots === 0n ? undefined : this.#vwap(),
      traded: this.#grid.quantityOf(Number(this.#lots)),
      trades: this.#trades,
      books: this.#books,
      holes: this.#holes,
      windows: this.#windows,
    };
  }

  #noteBook(row: RecordedBook): void {
    const { from, to } = this.#interval;
    if (row.at > to) return;
    this.#integrateTo(row.at);
    if (this.#rowAt === undefined) {
      if (row.at > from + this.#holeMs) this.#holes.push({ from, to: row.at });
    } else this.#noteHole(this.#rowAt, row.at);
    this.#rowAt = row.at;
    const [bid] = row.bids;
    const [ask] = row.asks;
    const isWhole = bid !== undefined && ask !== undefined;
    this.#twice = isWhole
      ? this.#recorded.restingTicks(bid.price, 'buy') +
        this.#recorded.restingTicks(ask.price, 'sell')
      : undefined;
    if (row.at >= from) this.#books += 1;
    if (row.at <= from) this.#arrivalTwice = this.#twice ?? this.#arrivalTwice;
    else this.#arrivalTwice ??= this.#twice;
  }

  #noteTrade(row: RecordedTrade): void {
    const { from, to } = this.#interval;
    if (row.at < from || row.at > to) return;
    const ticks = this.#recorded.restingTicks(row.price, 'buy');
    const lots = this.#recorded.lots(row.amount);
    if (ticks <= 0 || lots <= 0) return;
    this.#trades += 1;
    const amount = lots * this.#lot;
    this.#windows.add({ at: row.at, price: Number(row.price), amount });
    this.#lots += BigInt(lots);
    this.#valueTicks += BigInt(ticks) * BigInt(lots);
    this.#inverse += lots / ticks;
  }

  /** Counts the mid of the last row until `at`, but not beyond the time for which a row is considered valid. */
  #integrateTo(at: number): void {
    if (this.#rowAt === undefined || this.#twice === undefined) return;
    const from = Math.max(this.#rowAt, this.#interval.from);
    const to = Math.min(at, this.#rowAt + this.#holeMs, this.#interval.to);
    if (to <= from) return;
    this.#weighted += BigInt(this.#twice) * BigInt(to - from);
    this.#coveredMs += to - from;
  }

  #noteHole(last: number, next: number): void {
    const { from, to } = this.#interval;
    if (next - last <= this.#holeMs || next <= from || last >= to) return;
    this.#holes.push({ from: instant(Math.max(last, from)), to: instant(Math.min(next, to)) });
  }

  #midOf(twice: number | undefined): Price | undefined {
    return twice === undefined ? undefined : scaled(this.#grid.priceOf(twice), ratioOf(0.5));
  }

  #twap(): Price {
    const millionths = nearest(this.#weighted * 1_000_000n, BigInt(this.#coveredMs));
    return scaled(this.#grid.priceOf(Number(millionths)), HALF_MILLIONTH);
  }

  #vwap(): Price {
    if (this.#isHarmonic) {
      const ticks = Number(this.#lots) / this.#inverse;
      return scaled(this.#grid.priceOf(Math.round(ticks * 1_000_000)), MILLIONTH);
    }
    const millionths = nearest(this.#valueTicks * 1_000_000n, this.#lots);
    return scaled(this.#grid.priceOf(Number(millionths)), MILLIONTH);
  }
}

/** The integer nearest to a / b, both of them positive. */
const nearest = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);
