// Merges recordings in columns into one stream by arrival time, in the order of `merge-recordings.ts`.
import { BlockBuilder } from '../../values/recorded/block-builder.ts';
import type { RecordedBlock } from '../../values/recorded/recorded-block.ts';
import { inRank, nextStarts } from './merge-recordings.ts';
import { plainColumns } from './plain-columns.ts';
import { NotPlain } from './plain-lines.ts';
import type { RecordingFile } from './recording-files.ts';
import type { SymbolsRead } from './row-readers.ts';

class BlockCursor {
  readonly #blocks: AsyncIterator<RecordedBlock>;
  #block: RecordedBlock | undefined;
  #row = 0;
  /** The numbers in the merged blocks of the symbols here. */
  readonly #symbols: number[] = [];
  /** Of the row at the cursor; without end if there is none. */
  atUs = Number.POSITIVE_INFINITY;

  constructor(blocks: AsyncIterator<RecordedBlock>) {
    this.#blocks = blocks;
  }

  async fetch(): Promise<void> {
    const next = await this.#blocks.next();
    this.#block = next.done === true ? undefined : next.value;
    this.#row = 0;
    this.#see();
  }

  /** Adds the row to the builder and continues; true if the next block has to be fetched. */
  moveTo(builder: BlockBuilder): boolean {
    const block = this.#block;
    if (block === undefined) return false;
    const here = block.columns.symbols[this.#row] ?? 0;
    let symbol = this.#symbols[here];
    if (symbol === undefined) {
      symbol = builder.numberOf(block.columns.names[here] ?? '');
      if (symbol === undefined) throw new NotPlain('there are too many symbols');
      this.#symbols[here] = symbol;
    }
    builder.copy(block, this.#row, symbol);
    this.#row += 1;
    this.#see();
    return this.#row >= block.count;
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  #see(): void {
    const atUs = this.#block?.columns.atUs[this.#row];
    this.atUs = atUs ?? Number.POSITIVE_INFINITY;
  }
}

/** @throws NotPlain if one of the files is not plain: then all are to be read in the usual way. */
export async function* mergeColumns(
  files: readonly RecordingFile[],
  read: SymbolsRead,
): AsyncGenerator<RecordedBlock> {
  const nexts = await nextStarts(files, read);
  const cursors = inRank(files).map(
    (file) => new BlockCursor(plainColumns(file, { ...read, next: nexts.get(file) })),
  );
  const builder = new BlockBuilder();
  try {
    for (const cursor of cursors) await cursor.fetch();
    for (let first = earliest(cursors); first !== undefined; first = earliest(cursors)) {
      if (first.moveTo(builder)) await first.fetch();
      if (builder.isFull) yield builder.take();
    }
    if (builder.count > 0) yield builder.take();
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

/** At the same microsecond the first in rank. */
function earliest(cursors: readonly BlockCursor[]): BlockCursor | undefined {
  let found: BlockCursor | undefined;
  for (const cursor of cursors) {
    if (cursor.atUs < (found?.atUs ?? Number.POSITIVE_INFINITY)) found = cursor;
  }
  return found;
}
