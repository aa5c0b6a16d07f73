// Scans recordings before they are replayed: the span they cover, and the coarsest grid that contains all
// their prices and sizes.

import { must } from '../../values/assert.ts';
import { BlockBuilder } from '../../values/recorded/block-builder.ts';
import { ABSENT, BOOK, type RecordedBlock, TICKER } from '../../values/recorded/recorded-block.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type { Disorder } from './in-order.ts';
import { mergeRecordings } from './merge-recordings.ts';
import type { RecordingFile } from './recording-files.ts';
import type { SymbolsRead } from './row-readers.ts';
import { SeenGrid } from './seen-grid.ts';

export interface SymbolSurvey {
  readonly symbol: string;
  readonly books: number;
  readonly trades: number;
  /** First and last row of the book, milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The step of all prices and of all sizes; absent if none were recorded. */
  readonly tick?: string | undefined;
  readonly amountStep?: string | undefined;
  /** False if prices were recorded without sizes. */
  readonly hasSizes: boolean;
  /** Whether an index price or, of an option, the price of its underlying is recorded. */
  readonly hasIndex: boolean;
  /** The first recorded price. */
  readonly price?: string | undefined;
  /** Rows of the book whose best bid is above the best offer, and the `local_timestamp` of the first of them. */
  readonly crossed: number;
  readonly crossedUs?: number | undefined;
}

export interface Survey {
  readonly symbols: ReadonlyMap<string, SymbolSurvey>;
  readonly rows: number;
  readonly disorders: readonly (Disorder & { readonly path: string })[];
  /** Last rows without an end of line, which are left out. */
  readonly unended: readonly { readonly path: string; readonly line: number }[];
}

export interface SurveyOptions extends SymbolsRead {
  /** Called periodically with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Receives all rows in order, as columns; last of all `undefined` if there is a row that does not fit into columns. */
  readonly onBlock?: ((block: RecordedBlock | undefined) => void) | undefined;
}

export async function surveyRecordings(
  files: readonly RecordingFile[],
  { isWanted, isCombo, onRows, onBlock }: SurveyOptions,
): Promise<Survey> {
  const tallies = new Map<string, Tally>();
  const disorders: (Disorder & { path: string })[] = [];
  const onDisorder = ({ path }: RecordingFile, disorder: Disorder): void => {
    disorders.push({ ...disorder, path });
  };
  const unended: { path: string; line: number }[] = [];
  const onUnended = ({ path }: RecordingFile, line: number): void => {
    unended.push({ path, line });
  };
  let rows = 0;
  const blocks = onBlock && new Blocks(onBlock);
  const options = { isWanted, isCombo, onDisorder, onUnended };
  for await (const batch of mergeRecordings(files, options)) {
    for (const event of batch) tallyOf(tallies, event.symbol).add(event);
    rows += batch.length;
    blocks?.add(batch);
    onRows?.(rows);
  }
  blocks?.end();
  const symbols = [...tallies].map(([symbol, tally]) => [symbol, tally.survey(symbol)] as const);
  return { symbols: new Map(symbols), rows, disorders, unended };
}

/** {@link surveyRecordings} of rows that come as columns. @throws what the rows throw */
export async function surveyColumns(
  blocks: AsyncIterable<RecordedBlock>,
  { onRows, onBlock }: Pick<SurveyOptions, 'onRows' | 'onBlock'>,
): Promise<Survey> {
  const tallies = new Map<string, Tally>();
  let rows = 0;
  for await (const block of blocks) {
    const { names, symbols } = block.columns;
    const each = names.map((name) => ({ name, tally: tallies.get(name) }));
    for (let row = 0; row < block.count; row += 1) {
      const of = must(each[symbols[row] ?? 0], 'a row has a symbol');
      of.tally ??= tallyOf(tallies, of.name);
      of.tally.addRow(block, row);
    }
    rows += block.count;
    onBlock?.(block);
    onRows?.(rows);
  }
  const symbols = [...tallies].map(([symbol, tally]) => [symbol, tally.survey(symbol)] as const);
  return { symbols: new Map(symbols), rows, disorders: [], unended: [] };
}

/** Rows on their way into columns. */
class Blocks {
  readonly #onBlock: (block: RecordedBlock | undefined) => void;
  #builder: BlockBuilder | undefined = new BlockBuilder();

  constructor(onBlock: (block: RecordedBlock | undefined) => void) {
    this.#onBlock = onBlock;
  }

  add(batch: readonly RecordedEvent[]): void {
    for (const event of batch) {
      if (this.#builder === undefined) return;
      if (!this.#builder.add(event)) {
        this.#builder = undefined;
        this.#onBlock(undefined);
      } else if (this.#builder.isFull) this.#onBlock(this.#builder.take());
    }
  }

  end(): void {
    if (this.#builder !== undefined && this.#builder.count > 0) this.#onBlock(this.#builder.take());
  }
}

function tallyOf(tallies: Map<string, Tally>, symbol: string): Tally {
  const known = tallies.get(symbol);
  if (known !== undefined) return known;
  const tally = new Tally();
  tallies.set(symbol, tally);
  return tally;
}

class Tally {
  readonly #prices = new SeenGrid();
  readonly #amounts = new SeenGrid();
  #books = 0;
  #trades = 0;
  #firstAt = 0;
  #lastAt = 0;
  #hasSizes = true;
  #hasIndex = false;
  #price: string | undefined;
  #crossed = 0;
  #crossedUs: number | undefined;

  add(event: RecordedEvent): void {
    if (event.kind === 'trade') {
      this.#trades += 1;
      this.#see(event.price, event.amount);
    } else if (event.kind === 'book') {
      if (this.#books === 0) this.#firstAt = event.at;
      this.#books += 1;
      this.#lastAt = event.at;
      for (const { price, amount } of event.bids) this.#see(price, amount);
      for (const { price, amount } of event.asks) this.#see(price, amount);
      const [[bid], [ask]] = [event.bids, event.asks];
      if (bid !== undefined && ask !== undefined && Number(bid.price) > Number(ask.price)) {
        this.#cross(event.atUs);
      }
    } else if (event.index !== undefined || event.underlying !== undefined) this.#hasIndex = true;
  }

  addRow(block: RecordedBlock, row: number): void {
    const { kinds, starts, numbers, places } = block.columns;
    if (kinds[row] === TICKER) {
      this.add(block.event(row));
      return;
    }
    const [from = 0, to = 0] = [starts[row], starts[row + 1]];
    if (kinds[row] === BOOK) {
      const at = block.at(row);
      if (this.#books === 0) this.#firstAt = at;
      this.#books += 1;
      this.#lastAt = at;
      if (isCrossed(block, row)) this.#cross(block.columns.atUs[row] ?? 0);
    } else this.#trades += 1;
    for (let at = from; at < to; at += 2) {
      this.#price ??= priceOf(block.event(row));
      this.#prices.addNumber(numbers[at] ?? 0, places[at] ?? 0);
      const amountPlaces = places[at + 1] ?? ABSENT;
      if (amountPlaces === ABSENT) this.#hasSizes = false;
      else this.#amounts.addNumber(numbers[at + 1] ?? 0, amountPlaces);
    }
  }

  survey(symbol: string): SymbolSurvey {
    return {
      symbol,
      books: this.#books,
      trades: this.#trades,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      tick: this.#prices.step(),
      amountStep: this.#amounts.step(),
      hasSizes: this.#hasSizes,
      hasIndex: this.#hasIndex,
      price: this.#price,
      crossed: this.#crossed,
      crossedUs: this.#crossedUs,
    };
  }

  #cross(atUs: number): void {
    this.#crossed += 1;
    this.#crossedUs ??= atUs;
  }

  #see(price: string, amount: string | undefined): void {
    this.#price ??= price;
    this.#prices.add(price);
    if (amount === undefined) this.#hasSizes = false;
    else this.#amounts.add(amount);
  }
}

/** Whether the best bid of a book is above its best offer. */
function isCrossed(
  { columns: { bids, starts, numbers, places } }: RecordedBlock,
  row: number,
): boolean {
  const [bid = 0, end = 0] = [starts[row], starts[row + 1]];
  const ask = bid + 2 * (bids[row] ?? 0);
  if (ask === bid || ask >= end) return false;
  const [bidPlaces = 0, askPlaces = 0] = [places[bid], places[ask]];
  const [bidNumber = 0, askNumber = 0] = [numbers[bid], numbers[ask]];
  return bidPlaces === askPlaces
    ? bidNumber > askNumber
    : bidNumber * 10 ** askPlaces > askNumber * 10 ** bidPlaces;
}

/** The first price of a row. */
function priceOf(event: RecordedEvent): string | undefined {
  if (event.kind === 'trade') return event.price;
  return event.kind === 'book' ? (event.bids[0] ?? event.asks[0])?.price : undefined;
}
