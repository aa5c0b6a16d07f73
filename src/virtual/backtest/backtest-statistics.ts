// What the recorded market did over an interval, whatever we did in it: arrival, time-weighted mid,
// volume-weighted trades, silences. Sums are whole numbers of ticks and lots and therefore exact.
import { Grid } from '../../exchange/book/grid.ts';
import { RecordedGrid } from '../../exchange/market/recorded-grid.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import { type Price, type Quantity, ratioOf, scaled } from '../../values/amounts.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { RecordedBook, RecordedEvent, RecordedTrade } from '../../values/recorded-event.ts';

export interface Interval {
  readonly from: Instant;
  readonly to: Instant;
}

export interface MarketFigures {
  /** Mid at the start; the first one after it where there was none. */
  readonly arrivalMid?: Price | undefined;
  /** Mid in force at the end. */
  readonly finalMid?: Price | undefined;
  /** Mean of the mid over time, silences and one-sided moments left out. */
  readonly twap?: Price | undefined;
  /** Share of the interval that the mean covers. */
  readonly twapCoverage: number;
  /** Mean price of the recorded trades by volume; harmonic for USD-sized contracts. */
  readonly vwap?: Price | undefined;
  readonly traded: Quantity;
  readonly trades: number;
  readonly books: number;
  /** Spans without a row of the book for longer than the limit. */
  readonly holes: readonly Interval[];
}

const MILLIONTH = ratioOf(0.000_001);
const HALF_MILLIONTH = ratioOf(0.000_000_5);

export class MarketStatistics {
  #interval: Interval;
  readonly #holeMs: number;
  readonly #grid: Grid;
  readonly #recorded: RecordedGrid;
  readonly #isHarmonic: boolean;
  readonly #holes: Interval[] = [];
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
    this.#isHarmonic = instrument.amountUnit === 'usd';
  }

  /** Rows come in the order of their time. */
  note(event: RecordedEvent): void {
    if (event.kind === 'book') this.#noteBook(event);
    else if (event.kind === 'trade') this.#noteTrade(event);
  }

  /** To be asked once, after the last row; of the interval until `to`, which no row is after. */
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
    this.#lots += BigInt(lots);
    this.#valueTicks += BigInt(ticks) * BigInt(lots);
    this.#inverse += lots / ticks;
  }

  /** The mid in force since the last row counts until `at`, but not beyond what is believed of a row. */
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

/** The whole number nearest to a / b, both above zero. */
const nearest = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);
