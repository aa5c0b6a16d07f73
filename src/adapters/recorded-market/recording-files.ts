// Finds the recordings of a folder by their file names: `<exchange>_<type>_<date>_<SYMBOL>.csv[.gz]`, as
// provided by tardis.dev.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { RecordingFault } from './recording-fault.ts';

/** The types of recordings that are read. */
export const RECORDING_TYPES = [
  'quotes',
  'book_snapshot_5',
  'book_snapshot_25',
  'trades',
  'derivative_ticker',
  'options_chain',
] as const;

export type RecordingType = (typeof RECORDING_TYPES)[number];

export interface RecordingFile {
  readonly path: string;
  readonly exchange: string;
  readonly type: RecordingType;
  /** UTC day, `2021-07-01`. */
  readonly date: string;
  /** Of a file of many symbols its group, such as `OPTIONS`. */
  readonly symbol: string;
  /** Of a group: symbols that are left out, because they have a file of their own. */
  readonly without?: ReadonlySet<string> | undefined;
}

const NAME = new RegExp(
  `^([a-z0-9-]+)_(${RECORDING_TYPES.join('|')})_(\\d{4}-\\d{2}-\\d{2})_(.+)\\.csv(?:\\.gz)?$`,
);

/** Types of book rows, the deepest first: only one of them is read per symbol and day. */
const BOOK_TYPES: readonly RecordingType[] = ['book_snapshot_25', 'book_snapshot_5', 'quotes'];

/** All recordings of a folder, by date, then name. @throws RecordingFault if it cannot be read. */
export function recordingFiles(folder: string): readonly RecordingFile[] {
  const files = namesIn(folder).flatMap((name): RecordingFile[] => {
    const match = NAME.exec(name);
    if (match === null) return [];
    const [, exchange = '', type = '', date = '', symbol = ''] = match;
    return [{ path: join(folder, name), exchange, type: type as RecordingType, date, symbol }];
  });
  return files.sort((a, b) => compareText(a.date, b.date) || compareText(a.path, b.path));
}

/** The terms of the instruments next to the recordings, as `twapd record` writes them; `undefined` if there are none. */
export function instrumentsBeside(folder: string): string | undefined {
  const path = join(folder, 'instruments.csv');
  return existsSync(path) ? path : undefined;
}

/** Drops shallower books of a day that was also recorded deeper. */
function withoutShallower(files: readonly RecordingFile[]): readonly RecordingFile[] {
  const key = ({ exchange, symbol, date }: RecordingFile): string =>
    `${exchange} ${symbol} ${date}`;
  const deepest = new Map<string, number>();
  for (const file of files) {
    const rank = BOOK_TYPES.indexOf(file.type);
    if (rank >= 0) deepest.set(key(file), Math.min(rank, deepest.get(key(file)) ?? rank));
  }
  return files.filter((file) => {
    const rank = BOOK_TYPES.indexOf(file.type);
    return rank < 0 || rank === deepest.get(key(file));
  });
}

/** Files of many symbols, as tardis.dev calls them: their column symbol tells which. */
const GROUPS: ReadonlySet<string> = new Set(['OPTIONS', 'FUTURES', 'PERPETUALS', 'SPOT']);
export const isGrouped = ({ symbol }: Pick<RecordingFile, 'symbol'>): boolean => GROUPS.has(symbol);

const isOption = (symbol: string): boolean => /-[CP]$/.test(symbol);

/** Whether a file may have rows of the symbol; of a group only reading tells. */
export const mayHave = (file: Pick<RecordingFile, 'symbol'>, symbol: string): boolean =>
  file.symbol === symbol || (isGrouped(file) && (file.symbol === 'OPTIONS') === isOption(symbol));

/** The files that may have rows of the symbols, or of any; what a symbol has in a file of its own is not read from a group. */
export function recordingsOf(
  files: readonly RecordingFile[],
  wanted?: ReadonlySet<string>,
): readonly RecordingFile[] {
  const kindOf = ({ exchange, date, type }: RecordingFile): string =>
    `${exchange} ${date} ${BOOK_TYPES.includes(type) ? 'book' : type}`;
  const own = Map.groupBy(
    files.filter((file) => !isGrouped(file)),
    kindOf,
  );
  return withoutShallower(files).flatMap((file): RecordingFile[] => {
    const without = new Set(own.get(kindOf(file))?.map(({ symbol }) => symbol));
    const isWanted = (symbol: string): boolean => mayHave(file, symbol) && !without.has(symbol);
    if (!isGrouped(file)) return wanted?.has(file.symbol) === false ? [] : [file];
    return wanted === undefined || [...wanted].some(isWanted) ? [{ ...file, without }] : [];
  });
}

/** `read` without the symbols that the file leaves out. */
export const readIn = <R extends { readonly isWanted: (symbol: string) => boolean }>(
  { without }: Pick<RecordingFile, 'without'>,
  read: R,
): R =>
  without === undefined || without.size === 0
    ? read
    : { ...read, isWanted: (symbol) => !without.has(symbol) && read.isWanted(symbol) };

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    throw new RecordingFault(
      folder,
      undefined,
      `cannot be read (${code}); accepted: a folder of recordings`,
    );
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
