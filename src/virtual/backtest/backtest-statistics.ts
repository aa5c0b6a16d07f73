// Statistics of the recorded market over an interval, independent of our own trading: arrival price, time-weighted
// mid, volume-weighted trades, gaps. Sums are whole numbers of ticks and lots and therefore exact.
import { Grid } from '../../exchange/book/grid.ts';
import { RecordedGrid } from '../../exchange/market/recorded-grid.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import { type Price, type Quantity, ratioOf, scaled, toNumber } from '../../values/amounts.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { isPricedInversely } from '../../values/instrument.ts';
import { BOOK, type RecordedBlock, TICKER } from '../../values/recorded/recorded-block.ts';
import type { RecordedBook, RecordedEvent, RecordedTrade } from '../../values/recorded-event.ts';
import { type TradedNear, TradedWindows } from './trade-support.ts';

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
  readonly windows: TradedNear;
}

interface SeenTrade {
  readonly at: Instant;
  readonly price: number;
  readonly ticks: number;
  readonly lots: number;
}

const MILLIONTH = ratioOf(0.000_001);
const HALF_MILLIONTH = ratioOf(0.000_000_5);

export class MarketStatistics {
  #interval: Interval;
  readonly #holeMs: number;
  readonly #grid: Grid;
  readonly #recorded: RecordedGrid;
  readonly #isHarmonic: boolean;
  readonly #lowestTicks: number;
  readonly #lot: number;
  readonly #holes: Interval[] = [];
  readonly #windows = new TradedWindows();
  #rowAt: number | undefined;
  /** Bid plus ask in ticks; absent while one side is empty. */
  #twice: number | undefined;
  #arrivalTwice: number | undefined;
  readonly #weighted = new WholeSum();
  #coveredMs = 0;
  readonly #valueTicks = new WholeSum();
  #inverse = 0;
  readonly #lots = new WholeSum();
  #trades = 0;
  #books = 0;

  constructor(of: RecordedInstrument, interval: Interval, holeMs: number) {
    const { instrument, recordedStep } = of;
    this.#interval = interval;
    this.#holeMs = holeMs;
    this.#grid = new Grid(instrument);
    this.#recorded = new RecordedGrid(instrument.tickSize, recordedStep);
    this.#lot = toNumber(instrument.amountStep);
    this.#isHarmonic = isPricedInversely(instrument);
    this.#lowestTicks = this.#grid.lowestTicks;
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
      vwap: this.#lots.value === 0n ? undefined : this.#vwap(),
      traded: this.#grid.quantityOf(Number(this.#lots.value)),
      trades: this.#trades,
      books: this.#books,
      holes: this.#holes,
      windows: this.#windows,
    };
  }

  /** {@link note} of a row in columns. */
  noteRow(block: RecordedBlock, row: number): void {
    const { kinds, starts, bids, numbers, places } = block.columns;
    const kind = kinds[row];
    if (kind === TICKER) return;
    const [from = 0, to = 0] = [starts[row], starts[row + 1]];
    const ticksAt = (at: number, side: 'buy' | 'sell'): number =>
      this.#recorded.restingTicksOf(numbers[at] ?? 0, places[at] ?? 0, side);
    if (kind === BOOK) {
      const split = from + 2 * (bids[row] ?? 0);
      const isWhole = split > from && to > split;
      this.#seeBook(
        block.at(row),
        isWhole ? ticksAt(from, 'buy') + ticksAt(split, 'sell') : undefined,
      );
      return;
    }
    const price = (numbers[from] ?? 0) / 10 ** (places[from] ?? 0);
    const lots = this.#recorded.lotsOf(numbers[from + 1] ?? 0, places[from + 1] ?? 0);
    this.#seeTrade({ at: block.at(row), price, ticks: ticksAt(from, 'buy'), lots });
  }

  #noteBook({ at, bids: [bid], asks: [ask] }: RecordedBook): void {
    const isWhole = bid !== undefined && ask !== undefined;
    const twice = isWhole
      ? this.#recorded.restingTicks(bid.price, 'buy') +
        this.#recorded.restingTicks(ask.price, 'sell')
      : undefined;
    this.#seeBook(at, twice);
  }

  #seeBook(at: Instant, twice: number | undefined): void {
    const { from, to } = this.#interval;
    if (at > to) return;
    this.#integrateTo(at);
    if (this.#rowAt === undefined) {
      if (at > from + this.#holeMs) this.#holes.push({ from, to: at });
    } else this.#noteHole(this.#rowAt, at);
    this.#rowAt = at;
    this.#twice = twice;
    if (at >= from) this.#books += 1;
    if (at <= from) this.#arrivalTwice = twice ?? this.#arrivalTwice;
    else this.#arrivalTwice ??= twice;
  }

  #noteTrade({ at, price, amount }: RecordedTrade): void {
    this.#seeTrade({
      at,
      price: Number(price),
      ticks: this.#recorded.restingTicks(price, 'buy'),
      lots: this.#recorded.lots(amount),
    });
  }

  #seeTrade({ at, price, ticks, lots }: SeenTrade): void {
    const { from, to } = this.#interval;
    if (at < from || at > to || ticks < this.#lowestTicks || lots <= 0) return;
    this.#trades += 1;
    this.#windows.add({ at, price, amount: lots * this.#lot });
    this.#lots.add(lots);
    this.#valueTicks.addProduct(ticks, lots);
    this.#inverse += lots / ticks;
  }

  /** Counts the mid of the last row until `at`, but not beyond the time for which a row is considered valid. */
  #integrateTo(at: number): void {
    if (this.#rowAt === undefined || this.#twice === undefined) return;
    const from = Math.max(this.#rowAt, this.#interval.from);
    const to = Math.min(at, this.#rowAt + this.#holeMs, this.#interval.to);
    if (to <= from) return;
    this.#weighted.addProduct(this.#twice, to - from);
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
    const millionths = nearest(this.#weighted.value * 1_000_000n, BigInt(this.#coveredMs));
    return scaled(this.#grid.priceOf(Number(millionths)), HALF_MILLIONTH);
  }

  #vwap(): Price {
    if (this.#isHarmonic) {
      const ticks = Number(this.#lots.value) / this.#inverse;
      return scaled(this.#grid.priceOf(Math.round(ticks * 1_000_000)), MILLIONTH);
    }
    const millionths = nearest(this.#valueTicks.value * 1_000_000n, this.#lots.value);
    return scaled(this.#grid.priceOf(Number(millionths)), MILLIONTH);
  }
}

/** The integer nearest to a / b; b is positive. */
const nearest = (a: bigint, b: bigint): bigint =>
  a < 0n ? -nearest(-a, b) : (2n * a + b) / (2n * b);

/** An exact sum of whole numbers that does not become a BigInt with each of them, which would cost more than the sum. */
class WholeSum {
  #big = 0n;
  #small = 0;

  /** The sum of everything added. */
  get value(): bigint {
    return this.#big + BigInt(this.#small);
  }

  /** A whole number, exact as a float. */
  add(number: number): void {
    const sum = this.#small + number;
    if (Number.isSafeInteger(sum)) this.#small = sum;
    else this.#carry(BigInt(number));
  }

  /** The product of two such numbers, however large it is. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    if (Number.isSafeInteger(product)) this.add(product);
    else this.#carry(BigInt(a) * BigInt(b));
  }

  #carry(number: bigint): void {
    this.#big += BigInt(this.#small) + number;
    this.#small = 0;
  }
}
