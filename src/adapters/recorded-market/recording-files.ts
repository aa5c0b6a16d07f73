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
  /** `OPTIONS` for the chains of a whole venue. */
  readonly symbol: string;
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

/** The terms of the instruments beside the recordings, as `twapd record` writes them; `undefined` if there are none. */
export function instrumentsBeside(folder: string): string | undefined {
  const path = join(folder, 'instruments.csv');
  return existsSync(path) ? path : undefined;
}

/** Drops shallower books of a day that was also recorded deeper. */
export function withoutShallower(files: readonly RecordingFile[]): readonly RecordingFile[] {
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
