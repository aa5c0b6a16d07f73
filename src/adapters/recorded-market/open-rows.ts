// Opens the rows of recordings for any number of runs: from the cache if they are there, otherwise from the files, which fills
// the cache. Without a cache, or where a row does not fit into columns, the files are read again for each run.
import type { RecordedBlock } from '../../values/recorded/recorded-block.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type { BlockFileWriter } from './block-file.ts';
import { mergeColumns } from './merge-columns.ts';
import { mergeRecordings } from './merge-recordings.ts';
import { NotPlain } from './plain-lines.ts';
import { type CachedRows, RecordingCache } from './recording-cache.ts';
import type { RecordingFile } from './recording-files.ts';
import type { SymbolsRead } from './row-readers.ts';
import { type Survey, surveyColumns, surveyRecordings } from './survey-recordings.ts';

export interface OpenRowsOptions {
  readonly symbols: ReadonlySet<string>;
  /** Those among them whose prices may be zero or below. Default: none. */
  readonly combos?: ReadonlySet<string> | undefined;
  /** Folder of the cache; absent: none. */
  readonly cache?: string | undefined;
  /** Called now and then with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

export interface OpenedRows {
  readonly survey: Survey;
  /** From the first row. */
  readonly rows: () => AsyncIterator<readonly RecordedEvent[] | RecordedBlock>;
  /** Why nothing was put into the cache, where there was to be one. */
  readonly trouble?: string | undefined;
}

/** Rows are kept in memory up to this size. */
const KEPT_BYTES_MAX = 256 * 2 ** 20;

/** @throws RecordingFault */
export async function openRows(
  files: readonly RecordingFile[],
  options: OpenRowsOptions,
): Promise<OpenedRows> {
  const { cache: folder, symbols, combos } = options;
  if (folder === undefined) return await readRows(files, options);
  const cache = new RecordingCache(folder);
  const path = await cache.pathOf(files, symbols, combos);
  const cached = cache.read(path, files);
  if (cached !== undefined) return fromCache(cached);
  const begun = attempt(() => cache.begin(path));
  if (begun.kind === 'failed') return { ...(await readRows(files, options)), trouble: begun.why };
  const filling = new Filling(begun.value, () => cache.begin(path));
  const read = await readRows(files, options, filling).catch((error: unknown) => {
    filling.abandon();
    throw error;
  });
  const trouble = filling.end((writer) => cache.end(writer, read.survey, files));
  return { ...read, trouble };
}

const fromCache = ({ survey, blocks }: CachedRows): OpenedRows => ({
  survey,
  rows: () => each(blocks()),
});

async function readRows(
  files: readonly RecordingFile[],
  { symbols, combos, onRows }: OpenRowsOptions,
  filling?: Filling,
): Promise<OpenedRows> {
  const read: SymbolsRead = {
    isWanted: (symbol) => symbols.has(symbol),
    isCombo: (symbol) => combos?.has(symbol) ?? false,
  };
  let kept = new Kept();
  const onBlock = (block: RecordedBlock | undefined): void => {
    kept.add(block);
    filling?.add(block);
  };
  const plain = await unlessNotPlain(surveyColumns(mergeColumns(files, read), { onRows, onBlock }));
  if (plain !== undefined) {
    const { blocks } = kept;
    return {
      survey: plain,
      rows: () => (blocks === undefined ? mergeColumns(files, read) : each(blocks)),
    };
  }
  kept = new Kept();
  filling?.again();
  const survey = await surveyRecordings(files, { ...read, onRows, onBlock });
  const { blocks } = kept;
  return {
    survey,
    rows: () => (blocks === undefined ? mergeRecordings(files, read) : each(blocks)),
  };
}

async function unlessNotPlain<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

function each<T>(values: Iterable<T>): AsyncIterator<T> {
  const iterator = values[Symbol.iterator]();
  return { next: () => Promise.resolve(iterator.next()) };
}

/** The blocks of a recording, unless they are too many. */
class Kept {
  blocks: RecordedBlock[] | undefined = [];
  #bytes = 0;

  add(block: RecordedBlock | undefined): void {
    const { columns } = block ?? {};
    this.#bytes += (columns?.atUs.byteLength ?? 0) + (columns?.numbers.byteLength ?? 0);
    if (block === undefined || this.#bytes > KEPT_BYTES_MAX) this.blocks = undefined;
    this.blocks?.push(block as RecordedBlock);
  }
}

/** A file of the cache while it is written. A fault of the disk ends the file, not the reading. */
class Filling {
  readonly #begin: () => BlockFileWriter;
  #writer: BlockFileWriter;
  #trouble: string | undefined;

  constructor(writer: BlockFileWriter, begin: () => BlockFileWriter) {
    this.#writer = writer;
    this.#begin = begin;
  }

  /** Begins again, without the blocks so far. */
  again(): void {
    if (this.#trouble !== undefined) return;
    this.#writer.abandon();
    this.#writer = this.#begin();
  }

  add(block: RecordedBlock | undefined): void {
    if (this.#trouble !== undefined) return;
    if (block === undefined) this.#fail('a number has too many digits');
    else this.#try(() => this.#writer.add(block));
  }

  /** Why there is no file, if there is none. */
  end(how: (writer: BlockFileWriter) => void): string | undefined {
    if (this.#trouble === undefined) this.#try(() => how(this.#writer));
    return this.#trouble;
  }

  abandon(): void {
    if (this.#trouble === undefined) this.#writer.abandon();
  }

  #try(write: () => void): void {
    const tried = attempt(write);
    if (tried.kind === 'failed') this.#fail(tried.why);
  }

  #fail(why: string): void {
    this.#trouble = why;
    this.#writer.abandon();
  }
}

type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly why: string };

/** Errors of the file system as values. */
function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { kind: 'done', value: act() };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { kind: 'failed', why: message };
  }
}
