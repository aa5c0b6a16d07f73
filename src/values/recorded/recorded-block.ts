// Rows of a recording as columns: numbers instead of text, so that a row that concerns nobody costs next to nothing. Every
// decimal is a whole number and its decimal places, exactly as it was written, apart from zeros in front.

import { type Instant, instant } from '../instant.ts';
import type { Side } from '../instrument.ts';
import type { Greeks } from '../quote.ts';
import type { RecordedEvent, RecordedLevel } from '../recorded-event.ts';
import { countUpTo, type RecordedRows } from './row-batch.ts';

/** Values of {@link BlockColumns.kinds}. */
export const BOOK = 0;
export const TICKER = 1;
export const BOUGHT = 2;
export const SOLD = 3;
export const TRADED = 4;

/** In the place of a number of decimal places: there is no number. */
export const ABSENT = 255;
/** In the place of a number of decimal places: the number is a float. */
export const FLOAT = 254;
/** In the place of the decimal places of a mark volatility: the ticker says nothing of it, nor of greeks. */
export const UNSAID = 253;

export interface BlockColumns {
  /** Symbols by their number. */
  readonly names: readonly string[];
  /** When each row arrived, microseconds since the epoch. */
  readonly atUs: Float64Array;
  readonly symbols: Uint16Array;
  /** A book, a ticker, or a trade with the side of its taker. */
  readonly kinds: Uint8Array;
  /** Of a book: the number of its bids, which precede the asks. */
  readonly bids: Uint8Array;
  /** Where the numbers of each row begin, and where those of the last one end. */
  readonly starts: Uint32Array;
  /** A level is its price and its amount; a trade likewise; for a ticker see {@link tickerOf}. */
  readonly numbers: Float64Array;
  readonly places: Uint8Array;
}

const SIDES: Readonly<Record<number, Side | undefined>> = { [BOUGHT]: 'buy', [SOLD]: 'sell' };

export class RecordedBlock implements RecordedRows {
  readonly count: number;
  readonly columns: BlockColumns;

  constructor(columns: BlockColumns, count = columns.atUs.length) {
    this.columns = columns;
    this.count = count;
  }

  at(row: number): Instant {
    return instant(Math.ceil((this.columns.atUs[row] as number) / 1_000));
  }

  upTo(until: Instant): RecordedRows {
    const count = countUpTo(this, until);
    return count === this.count ? this : new RecordedBlock(this.columns, count);
  }

  event(row: number): RecordedEvent {
    const { names, atUs, symbols, kinds, bids, starts } = this.columns;
    const stamp = {
      symbol: names[symbols[row] as number] as string,
      atUs: atUs[row] as number,
      at: this.at(row),
    };
    const [from, to] = [starts[row] as number, starts[row + 1] as number];
    const kind = kinds[row] as number;
    if (kind === TICKER) return { ...stamp, kind: 'ticker', ...this.#ticker(from) };
    if (kind === BOOK) {
      const split = from + 2 * (bids[row] as number);
      return {
        ...stamp,
        kind: 'book',
        bids: this.#levels(from, split),
        asks: this.#levels(split, to),
      };
    }
    return {
      ...stamp,
      kind: 'trade',
      side: SIDES[kind],
      price: this.#decimal(from) ?? '0',
      amount: this.#decimal(from + 1) ?? '0',
    };
  }

  #levels(from: number, to: number): RecordedLevel[] {
    const levels: RecordedLevel[] = [];
    for (let at = from; at < to; at += 2) {
      levels.push({ price: this.#decimal(at) ?? '0', amount: this.#decimal(at + 1) });
    }
    return levels;
  }

  #ticker(from: number) {
    const [mark, index] = [this.#decimal(from), this.#decimal(from + 1)];
    const underlying = this.#decimal(from + 2);
    return {
      ...(mark !== undefined && { mark }),
      ...(index !== undefined && { index }),
      ...(underlying !== undefined && { underlying }),
      // An option's ticker replaces both, whether they are known or not.
      ...(this.columns.places[from + 3] !== UNSAID && {
        markIv: this.#float(from + 3),
        greeks: this.#greeks(from + 4),
      }),
    };
  }

  #greeks(from: number): Greeks | undefined {
    const [delta, gamma, vega] = [this.#float(from), this.#float(from + 1), this.#float(from + 2)];
    const [theta, rho] = [this.#float(from + 3), this.#float(from + 4)];
    const greeks = { delta, gamma, vega, theta, rho };
    return Object.values(greeks).every((greek) => greek === undefined) ? undefined : greeks;
  }

  #float(at: number): number | undefined {
    return this.columns.places[at] === ABSENT ? undefined : this.columns.numbers[at];
  }

  #decimal(at: number): string | undefined {
    const places = this.columns.places[at] as number;
    if (places === ABSENT) return undefined;
    const number = this.columns.numbers[at] as number;
    if (places === 0) return String(number);
    const padded = String(Math.abs(number)).padStart(places + 1, '0');
    return `${number < 0 ? '-' : ''}${padded.slice(0, -places)}.${padded.slice(-places)}`;
  }
}
