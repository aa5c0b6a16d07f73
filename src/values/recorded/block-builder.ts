// Builds blocks of columns from the rows of a recording, or says that a row does not fit into columns.

import type { RecordedEvent, RecordedLevel, RecordedTicker } from '../recorded-event.ts';
import {
  ABSENT,
  BOOK,
  BOUGHT,
  FLOAT,
  RecordedBlock,
  SOLD,
  TICKER,
  TRADED,
  UNSAID,
} from './recorded-block.ts';

const SYMBOLS_MAX = 65_535;
/** Beyond these a whole number is no longer exact, or its places do not fit. */
export const DIGITS_MAX = 15;
const PLACES_MAX = 22;
const LEVELS_MAX = 200;
const ROWS = 16_384;
const NUMBERS = 4 * ROWS;

export class BlockBuilder {
  readonly #names: string[] = [];
  readonly #numbered = new Map<string, number>();
  readonly #atUs = new Float64Array(ROWS);
  readonly #symbols = new Uint16Array(ROWS);
  readonly #kinds = new Uint8Array(ROWS);
  readonly #bids = new Uint8Array(ROWS);
  readonly #starts = new Uint32Array(ROWS + 1);
  #numbers = new Float64Array(NUMBERS);
  #places = new Uint8Array(NUMBERS);
  #rows = 0;
  #used = 0;

  get count(): number {
    return this.#rows;
  }

  /** True if the next row needs a block of its own: `take` the rows first. */
  get isFull(): boolean {
    return this.#rows >= ROWS;
  }

  /** False if the row has a number of too many digits, or more than fits otherwise; then the builder is of no more use. */
  add(event: RecordedEvent): boolean {
    const symbol = this.numberOf(event.symbol);
    if (symbol === undefined) return false;
    switch (event.kind) {
      case 'book':
        this.begin(event.atUs, symbol, BOOK);
        if (event.bids.length > LEVELS_MAX || !this.#levels(event.bids)) return false;
        this.endBids();
        return this.#levels(event.asks);
      case 'ticker':
        this.begin(event.atUs, symbol, TICKER);
        return this.#ticker(event);
      case 'trade':
        this.begin(
          event.atUs,
          symbol,
          event.side === undefined ? TRADED : event.side === 'buy' ? BOUGHT : SOLD,
        );
        return this.#decimal(event.price) && this.#decimal(event.amount);
    }
  }

  /** Begins a row, whose numbers follow. */
  begin(atUs: number, symbol: number, kind: number): void {
    const row = this.#rows;
    this.#atUs[row] = atUs;
    this.#symbols[row] = symbol;
    this.#kinds[row] = kind;
    this.#bids[row] = 0;
    this.#starts[row] = this.#used;
    this.#rows = row + 1;
  }

  /** Adds `number` × 10^-places to the row. */
  number(number: number, places: number): void {
    const at = this.#used;
    if (at >= this.#numbers.length) this.#grow();
    this.#numbers[at] = number;
    this.#places[at] = places;
    this.#used = at + 1;
  }

  /** The levels of the row so far were its bids. */
  endBids(): void {
    const row = this.#rows - 1;
    this.#bids[row] = (this.#used - (this.#starts[row] ?? 0)) / 2;
  }

  /** Adds a row of a block that names its symbol by `symbol` here. */
  copy({ columns }: RecordedBlock, row: number, symbol: number): void {
    const { atUs, kinds, bids, starts, numbers, places } = columns;
    this.begin(atUs[row] ?? 0, symbol, kinds[row] ?? 0);
    this.#bids[this.#rows - 1] = bids[row] ?? 0;
    const to = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < to; at += 1)
      this.number(numbers[at] ?? 0, places[at] ?? 0);
  }

  /** The rows since the last call. */
  take(): RecordedBlock {
    const [rows, used] = [this.#rows, this.#used];
    this.#starts[rows] = used;
    this.#rows = 0;
    this.#used = 0;
    return new RecordedBlock({
      names: this.#names,
      atUs: this.#atUs.slice(0, rows),
      symbols: this.#symbols.slice(0, rows),
      kinds: this.#kinds.slice(0, rows),
      bids: this.#bids.slice(0, rows),
      starts: this.#starts.slice(0, rows + 1),
      numbers: this.#numbers.slice(0, used),
      places: this.#places.slice(0, used),
    });
  }

  /** The number of a symbol; `undefined` if there are too many. */
  numberOf(symbol: string): number | undefined {
    const known = this.#numbered.get(symbol);
    if (known !== undefined) return known;
    const number = this.#names.length;
    if (number >= SYMBOLS_MAX) return undefined;
    this.#names.push(symbol);
    this.#numbered.set(symbol, number);
    return number;
  }

  #grow(): void {
    const [numbers, places] = [this.#numbers, this.#places];
    this.#numbers = new Float64Array(numbers.length * 2);
    this.#numbers.set(numbers);
    this.#places = new Uint8Array(places.length * 2);
    this.#places.set(places);
  }

  #levels(levels: readonly RecordedLevel[]): boolean {
    for (const { price, amount } of levels) {
      if (!this.#decimal(price) || !this.#decimal(amount)) return false;
    }
    return true;
  }

  #ticker(ticker: RecordedTicker): boolean {
    const { mark, index, underlying, markIv, greeks } = ticker;
    if (!this.#decimal(mark) || !this.#decimal(index) || !this.#decimal(underlying)) return false;
    if ('markIv' in ticker || 'greeks' in ticker) this.#float(markIv);
    else this.number(0, UNSAID);
    this.#float(greeks?.delta);
    this.#float(greeks?.gamma);
    this.#float(greeks?.vega);
    this.#float(greeks?.theta);
    this.#float(greeks?.rho);
    return true;
  }

  #float(value: number | undefined): void {
    this.number(value ?? 0, value === undefined ? ABSENT : FLOAT);
  }

  /** False if it does not fit. */
  #decimal(text: string | undefined): boolean {
    if (text === undefined) {
      this.number(0, ABSENT);
      return true;
    }
    const isNegative = text.charCodeAt(0) === MINUS;
    let number = 0;
    let places = -1;
    let digits = 0;
    for (let at = isNegative ? 1 : 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === DOT && places < 0) places = 0;
      else if (code >= ZERO && code <= NINE) {
        number = number * 10 + code - ZERO;
        if (number > 0) digits += 1;
        if (places >= 0) places += 1;
      } else return false;
    }
    this.number(isNegative ? -number : number, Math.max(0, places));
    return digits <= DIGITS_MAX && places <= PLACES_MAX;
  }
}

const [ZERO, NINE, DOT, MINUS] = [48, 57, 46, 45];
