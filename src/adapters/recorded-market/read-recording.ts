// Streams the events of one file in order of arrival, in batches.
import { DAY_MS, HOUR_MS } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { Columns } from './columns.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { DISORDER_MAX_US, type Disorder, InOrder } from './in-order.ts';
import { RecordingFault } from './recording-fault.ts';
import { type RecordingFile, readIn } from './recording-files.ts';
import { type ReadRow, rowReader, type SymbolsRead } from './row-readers.ts';

export interface ReadOptions extends SymbolsRead {
  /** Called once, at the end of a file that had rows out of order. */
  readonly onDisorder?: ((file: RecordingFile, disorder: Disorder) => void) | undefined;
  /** Called for a last row that has no end of line: it may have been cut off within a number, and is left out. */
  readonly onUnended?: ((file: RecordingFile, line: number) => void) | undefined;
}

/** Where the next file of the same series begins. */
export interface NextStart {
  readonly path: string;
  readonly atUs: number;
}

/** How far beyond the day in its name, UTC, a file may reach: some recorders cut days in a time zone of their own. */
const DAY_SLACK_MS = 14 * HOUR_MS;
const US_PER_MS = 1_000;
const US_PER_S = 1_000_000;

/** @throws RecordingFault at the first row that is unreadable, of another day or repeated in the next file, with its line. */
export async function* readRecording(
  file: RecordingFile,
  {
    isWanted,
    isCombo,
    onDisorder,
    onUnended,
    next,
  }: ReadOptions & { readonly next?: NextStart | undefined },
): AsyncGenerator<readonly RecordedEvent[]> {
  const order = new InOrder((line, lateUs) => tooLate(file.path, line, lateUs));
  const checkTime = timeCheck(file, next);
  let reading: { readonly columns: Columns; readonly read: ReadRow } | undefined;
  for await (const rows of csvRows(file.path)) {
    let body: readonly CsvRow[] = rows;
    if (reading === undefined) {
      const [header, ...rest] = rows;
      const columns = new Columns(file.path, header?.fields ?? []);
      const read = rowReader(file.type, columns, readIn(file, { isWanted, isCombo }));
      reading = { columns, read };
      body = rest;
    }
    const { columns, read } = reading;
    for (const row of body) {
      columns.checkWidth(row);
      if (row.isUnended) {
        onUnended?.(file, row.line);
        continue;
      }
      for (const event of read(row)) {
        checkTime(event.atUs, row.line);
        order.add(event, row.line);
      }
    }
    const settled = order.takeSettled();
    if (settled.length > 0) yield settled;
  }
  if (reading === undefined) {
    throw new RecordingFault(file.path, undefined, 'is empty; accepted: a header and rows');
  }
  const rest = order.takeAll();
  if (rest.length > 0) yield rest;
  if (order.disorder.rows > 0) onDisorder?.(file, order.disorder);
}

const overlapOf = (next: NextStart | undefined): number =>
  next === undefined ? Number.POSITIVE_INFINITY : next.atUs + DISORDER_MAX_US;

function dayOf({ date }: RecordingFile): { readonly fromUs: number; readonly untilUs: number } {
  const day = Date.parse(`${date}T00:00:00Z`);
  return {
    fromUs: (day - DAY_SLACK_MS) * US_PER_MS,
    untilUs: (day + DAY_MS + DAY_SLACK_MS) * US_PER_MS,
  };
}

/** The first and the last time that a row of the file may have, in microseconds. */
export function timesOf(
  file: RecordingFile,
  next: NextStart | undefined,
): { readonly fromUs: number; readonly untilUs: number } {
  const { fromUs, untilUs } = dayOf(file);
  return { fromUs, untilUs: Math.min(untilUs, overlapOf(next)) };
}

/** Refuses rows of another day than the name of the file says, and rows from times that the next file covers as well. */
function timeCheck(
  file: RecordingFile,
  next: NextStart | undefined,
): (atUs: number, line: number) => void {
  const { path, date } = file;
  const { fromUs, untilUs } = dayOf(file);
  const overlapUs = overlapOf(next);
  return (atUs, line) => {
    if (atUs < fromUs || atUs > untilUs) {
      const is = new Date(atUs / US_PER_MS).toISOString();
      const message = `is of ${is}; accepted: rows of ${date}, the day in the file's name`;
      throw new RecordingFault(path, line, message);
    }
    if (atUs <= overlapUs || next === undefined) return;
    const by = ((atUs - next.atUs) / US_PER_S).toFixed(1);
    const message =
      `is ${by} s later than the first row of ${next.path}; accepted: files that do not overlap, ` +
      `each with the rows before the next`;
    throw new RecordingFault(path, line, message);
  };
}

/** When the first wanted row of a file arrived; `undefined` if it has none. */
export async function startOf(
  file: RecordingFile,
  read: SymbolsRead,
): Promise<NextStart | undefined> {
  for await (const events of readRecording(file, read)) {
    const [first] = events;
    if (first !== undefined) return { path: file.path, atUs: first.atUs };
  }
  return undefined;
}

const tooLate = (path: string, line: number, lateUs: number): RecordingFault =>
  new RecordingFault(
    path,
    line,
    `arrived ${lateUs / US_PER_S} s before a row above it; accepted: rows by local_timestamp, ` +
      `at most ${DISORDER_MAX_US / US_PER_S} s out of order`,
  );
