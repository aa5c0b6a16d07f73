// Reads recordings of quotes, books and trades from bytes into columns, an order of magnitude faster than by way of text. It
// accepts only what the usual readers (`row-readers.ts`, `read-recording.ts`) accept and leaves everything unusual to them:
// rows out of order, exponents, numbers of many digits, faults of any kind.
import { BlockBuilder, DIGITS_MAX } from '../../values/recorded/block-builder.ts';
import {
  ABSENT,
  BOOK,
  BOUGHT,
  type RecordedBlock,
  SOLD,
  TRADED,
} from '../../values/recorded/recorded-block.ts';
import { NotPlain, type PlainLine, PlainLines } from './plain-lines.ts';
import { type NextStart, timesOf } from './read-recording.ts';
import { type RecordingFile, readIn } from './recording-files.ts';
import type { SymbolsRead } from './row-readers.ts';

const [ZERO, NINE, DOT, MINUS] = [48, 57, 46, 45];
const TIME_DIGITS = { min: 15, max: 16 } as const;
const END_OF_TIME_US = 4_102_444_800_000_000;
const [BUY, SELL] = [Buffer.from('buy'), Buffer.from('sell')];
const DEPTHS: Readonly<Record<string, number>> = { book_snapshot_5: 5, book_snapshot_25: 25 };

interface Reading extends SymbolsRead {
  readonly next?: NextStart | undefined;
}

/** @throws {@link NotPlain} */
export async function* plainColumns(
  file: RecordingFile,
  reading: Reading,
): AsyncGenerator<RecordedBlock> {
  const lines = new PlainLines(file.path);
  let rows: PlainRows | undefined;
  for await (const names of lines.pieces()) {
    rows ??= new PlainRows(file, names ?? [], reading);
    if (names !== undefined) continue;
    while (lines.take()) {
      rows.add(lines.line);
      if (rows.builder.isFull) yield rows.builder.take();
    }
  }
  if (rows === undefined) throw new NotPlain('the file is empty');
  if (rows.builder.count > 0) yield rows.builder.take();
}

class PlainRows {
  readonly builder = new BlockBuilder();
  readonly #file: RecordingFile;
  readonly #symbols: SymbolsRead;
  readonly #fromUs: number;
  readonly #untilUs: number;
  readonly #symbolAt: number;
  readonly #timeAt: number;
  readonly #sideAt: number;
  /** Columns of prices and amounts: of a trade, or of bids and asks. */
  readonly #trade: readonly [number, number] | undefined;
  readonly #bids: readonly (readonly [number, number])[];
  readonly #asks: readonly (readonly [number, number])[];
  #symbol = Buffer.alloc(0);
  /** Of the latest symbol; -1 if it is not wanted. */
  #number = -1;
  /** Whether it is a combo, whose prices may be zero or below. */
  #isCombo = false;
  #newestUs = 0;
  /** The decimal that was read last. */
  #value = 0;
  #places = 0;

  constructor(file: RecordingFile, names: readonly string[], reading: Reading) {
    const need = (name: string): number => {
      const at = names.indexOf(name);
      if (at < 0) throw new NotPlain(`there is no column ${name}`);
      return at;
    };
    const find = (name: string): number => names.indexOf(name);
    this.#file = file;
    this.#symbols = readIn(file, reading);
    const { fromUs, untilUs } = timesOf(file, reading.next);
    this.#fromUs = fromUs;
    this.#untilUs = Math.min(untilUs, END_OF_TIME_US - 1);
    this.#symbolAt = need('symbol');
    this.#timeAt = need('local_timestamp');
    this.#sideAt = find('side');
    const depth = DEPTHS[file.type];
    const isTrades = file.type === 'trades';
    this.#trade = isTrades ? [need('price'), need('amount')] : undefined;
    if (file.type === 'quotes') {
      this.#bids = [[need('bid_price'), find('bid_amount')]];
      this.#asks = [[need('ask_price'), find('ask_amount')]];
    } else if (depth !== undefined) {
      const side = (name: string) =>
        Array.from({ length: depth }, (_, level) => {
          const price = `${name}[${level}].price`;
          return [
            level === 0 ? need(price) : find(price),
            find(`${name}[${level}].amount`),
          ] as const;
        });
      this.#bids = side('bids');
      this.#asks = side('asks');
    } else {
      if (!isTrades) throw new NotPlain(`${file.type} is read as text`);
      this.#bids = [];
      this.#asks = [];
    }
  }

  add(line: PlainLine): void {
    if (!this.#isOfSymbol(line)) this.#toSymbol(line);
    if (this.#number < 0) return;
    const atUs = this.#time(line);
    if (this.#trade !== undefined) {
      this.builder.begin(atUs, this.#number, this.#side(line));
      for (const at of this.#trade) {
        const mayBeNegative = this.#isCombo && at === this.#trade[0];
        if (!this.#decimal(line, at, mayBeNegative))
          throw new NotPlain('a trade without price or amount');
        this.builder.number(this.#value, this.#places);
      }
      return;
    }
    this.builder.begin(atUs, this.#number, BOOK);
    for (const at of this.#bids) this.#level(line, at);
    this.builder.endBids();
    for (const at of this.#asks) this.#level(line, at);
  }

  #level(line: PlainLine, [priceAt, amountAt]: readonly [number, number]): void {
    const isCombo = this.#isCombo;
    if (!this.#decimal(line, priceAt, isCombo) || (this.#value === 0 && !isCombo)) {
      // The usual reader does not look at the amount either.
      return;
    }
    const [price, pricePlaces] = [this.#value, this.#places];
    const hasAmount = this.#decimal(line, amountAt, false);
    if (hasAmount ? this.#value === 0 : price === 0) return;
    this.builder.number(price, pricePlaces);
    this.builder.number(hasAmount ? this.#value : 0, hasAmount ? this.#places : ABSENT);
  }

  #isOfSymbol({ bytes, starts }: PlainLine): boolean {
    const from = starts[this.#symbolAt] ?? 0;
    const to = (starts[this.#symbolAt + 1] ?? 0) - 1;
    return from < to && isText(bytes, [from, to], this.#symbol);
  }

  #toSymbol({ bytes, starts }: PlainLine): void {
    const from = starts[this.#symbolAt] ?? 0;
    this.#symbol = Buffer.from(bytes.subarray(from, (starts[this.#symbolAt + 1] ?? 0) - 1));
    const name = this.#symbol.toString('utf8');
    const { isWanted, isCombo } = this.#symbols;
    const number = isWanted(name) ? this.builder.numberOf(name) : -1;
    if (number === undefined) throw new NotPlain('there are too many symbols');
    this.#number = number;
    this.#isCombo = isCombo?.(name) ?? false;
  }

  #time({ bytes, starts }: PlainLine): number {
    const from = starts[this.#timeAt] ?? 0;
    const to = (starts[this.#timeAt + 1] ?? 0) - 1;
    if (to - from < TIME_DIGITS.min || to - from > TIME_DIGITS.max) {
      throw new NotPlain('a time is unusual');
    }
    let us = 0;
    for (let at = from; at < to; at += 1) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) throw new NotPlain('a time is unusual');
      us = us * 10 + digit;
    }
    if (us < this.#newestUs) throw new NotPlain('rows are out of order');
    if (us < this.#fromUs || us > this.#untilUs) throw new NotPlain('a time is out of place');
    this.#newestUs = us;
    return us;
  }

  #side({ bytes, starts }: PlainLine): number {
    if (this.#sideAt < 0) return TRADED;
    const from = starts[this.#sideAt] ?? 0;
    const to = (starts[this.#sideAt + 1] ?? 0) - 1;
    if (isText(bytes, [from, to], BUY)) return BOUGHT;
    if (isText(bytes, [from, to], SELL)) return SOLD;
    const text = bytes.toString('latin1', from, to);
    if (text === 'unknown' || text === '') return TRADED;
    throw new NotPlain(`a side is unusual in ${this.#file.path}`);
  }

  /** False if there is no such column or nothing in it. */
  #decimal({ bytes, starts }: PlainLine, column: number, mayBeNegative: boolean): boolean {
    if (column < 0) return false;
    let from = starts[column] ?? 0;
    const to = (starts[column + 1] ?? 0) - 1;
    if (from === to) return false;
    const isNegative = mayBeNegative && bytes[from] === MINUS;
    if (isNegative) from += 1;
    let value = 0;
    let digits = 0;
    let point = -1;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + byte - ZERO;
        if (value > 0) digits += 1;
      } else if (byte === DOT && point < 0) point = at;
      else throw new NotPlain('a number is unusual');
    }
    const whole = (point < 0 ? to : point) - from;
    const places = point < 0 ? 0 : to - point - 1;
    const isGrammar =
      whole > 0 &&
      (whole === 1 || bytes[from] !== ZERO) &&
      (point < 0 || (places > 0 && places <= 18));
    if (!isGrammar || digits > DIGITS_MAX) throw new NotPlain('a number is unusual');
    this.#value = isNegative && value > 0 ? -value : value;
    this.#places = places;
    return true;
  }
}

function isText(bytes: Buffer, [from, to]: readonly [number, number], text: Buffer): boolean {
  if (to - from !== text.length) return false;
  for (let at = 0; at < text.length; at += 1) {
    if (bytes[from + at] !== text[at]) return false;
  }
  return true;
}
