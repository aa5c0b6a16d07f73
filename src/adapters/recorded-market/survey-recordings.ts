// Scans recordings before they are replayed: the span they cover, and the coarsest grid that contains all
// their prices and sizes.
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type { Disorder } from './in-order.ts';
import { mergeRecordings } from './merge-recordings.ts';
import type { RecordingFile } from './recording-files.ts';
import type { IsWanted } from './row-readers.ts';
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
  /** The first recorded price. */
  readonly price?: string | undefined;
}

export interface Survey {
  readonly symbols: ReadonlyMap<string, SymbolSurvey>;
  readonly rows: number;
  readonly disorders: readonly (Disorder & { readonly path: string })[];
  /** All rows in order, if they were to be kept and are few enough. */
  readonly kept?: readonly (readonly RecordedEvent[])[] | undefined;
}

export interface SurveyOptions {
  readonly isWanted: IsWanted;
  /** Called periodically with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Keep the rows in memory if there are no more than this many, each level of a book counted as one. Default: 0, none. */
  readonly keepMax?: number | undefined;
}

export async function surveyRecordings(
  files: readonly RecordingFile[],
  { isWanted, onRows, keepMax = 0 }: SurveyOptions,
): Promise<Survey> {
  const tallies = new Map<string, Tally>();
  const disorders: (Disorder & { path: string })[] = [];
  const onDisorder = ({ path }: RecordingFile, disorder: Disorder): void => {
    disorders.push({ ...disorder, path });
  };
  let rows = 0;
  let kept: (readonly RecordedEvent[])[] | undefined = keepMax > 0 ? [] : undefined;
  let room = keepMax;
  for await (const batch of mergeRecordings(files, { isWanted, onDisorder })) {
    for (const event of batch) tallyOf(tallies, event.symbol).add(event);
    rows += batch.length;
    if (kept !== undefined) {
      for (const event of batch) room -= sizeOf(event);
      if (room < 0) kept = undefined;
      else kept.push(batch);
    }
    onRows?.(rows);
  }
  const symbols = [...tallies].map(([symbol, tally]) => [symbol, tally.survey(symbol)] as const);
  return { symbols: new Map(symbols), rows, disorders, kept };
}

const sizeOf = (event: RecordedEvent): number =>
  event.kind === 'book' ? 1 + event.bids.length + event.asks.length : 1;

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
  #price: string | undefined;

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
      price: this.#price,
    };
  }

  #see(price: string, amount: string | undefined): void {
    this.#price ??= price;
    this.#prices.add(price);
    if (amount === undefined) this.#hasSizes = false;
    else this.#amounts.add(amount);
  }
}
