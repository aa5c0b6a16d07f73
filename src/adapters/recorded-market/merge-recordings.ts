// Merges many files into one stream by arrival time; at the same microsecond books precede tickers and
// tickers precede trades, then files come in the given order, and rows of one file keep their order.
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { type NextStart, type ReadOptions, readRecording, startOf } from './read-recording.ts';
import { RecordingFault } from './recording-fault.ts';
import type { RecordingFile, RecordingType } from './recording-files.ts';
import type { SymbolsRead } from './row-readers.ts';

/** All files are open at the same time. */
const FILES_MAX = 400;
const BATCH_ROWS = 4_096;

const RANKS: Readonly<Record<RecordingType, number>> = {
  book_snapshot_25: 0,
  book_snapshot_5: 0,
  quotes: 1,
  derivative_ticker: 2,
  options_chain: 2,
  trades: 3,
};

class Cursor {
  readonly #batches: AsyncIterator<readonly RecordedEvent[]>;
  #batch: readonly RecordedEvent[] = [];
  #at = 0;

  constructor(batches: AsyncIterator<readonly RecordedEvent[]>) {
    this.#batches = batches;
  }

  get head(): RecordedEvent | undefined {
    return this.#batch[this.#at];
  }

  /** Advances past the head; true if the next batch has to be fetched. */
  skip(): boolean {
    this.#at += 1;
    return this.#at >= this.#batch.length;
  }

  async fetch(): Promise<void> {
    const next = await this.#batches.next();
    this.#batch = next.done ? [] : next.value;
    this.#at = 0;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

/** @throws RecordingFault from any of the files. */
export async function* mergeRecordings(
  files: readonly RecordingFile[],
  options: ReadOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const ranked = inRank(files);
  const nexts = await nextStarts(files, options);
  const cursors = ranked.map(
    (file) => new Cursor(readRecording(file, { ...options, next: nexts.get(file) })),
  );
  try {
    for (const cursor of cursors) await cursor.fetch();
    let batch: RecordedEvent[] = [];
    for (let first = earliest(cursors); first !== undefined; first = earliest(cursors)) {
      batch.push(first.event);
      if (first.cursor.skip()) await first.cursor.fetch();
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

/** In the order of rows that arrived in the same microsecond. @throws RecordingFault if there are too many files. */
export function inRank(files: readonly RecordingFile[]): readonly RecordingFile[] {
  if (files.length > FILES_MAX) {
    const message = `has ${files.length} of the requested recordings; accepted: at most ${FILES_MAX} at once`;
    throw new RecordingFault('the folder', undefined, message);
  }
  return files.toSorted((a, b) => RANKS[a.type] - RANKS[b.type]);
}

/** Where the file begins that follows each in its series: the same exchange, type and symbol. */
export async function nextStarts(
  files: readonly RecordingFile[],
  { isWanted, isCombo }: SymbolsRead,
): Promise<ReadonlyMap<RecordingFile, NextStart>> {
  const nexts = new Map<RecordingFile, NextStart>();
  const series = Map.groupBy(
    files,
    ({ exchange, type, symbol }) => `${exchange} ${type} ${symbol}`,
  );
  for (const days of series.values()) {
    const inOrder = days.toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
    let next: NextStart | undefined;
    for (const file of inOrder.toReversed()) {
      if (next !== undefined) nexts.set(file, next);
      if (file !== inOrder[0]) next = (await startOf(file, { isWanted, isCombo })) ?? next;
    }
  }
  return nexts;
}

/** The earliest; at the same microsecond the first in rank. */
function earliest(
  cursors: readonly Cursor[],
): { readonly cursor: Cursor; readonly event: RecordedEvent } | undefined {
  let found: { cursor: Cursor; event: RecordedEvent } | undefined;
  for (const cursor of cursors) {
    const event = cursor.head;
    if (event !== undefined && (found === undefined || event.atUs < found.event.atUs)) {
      found = { cursor, event };
    }
  }
  return found;
}
