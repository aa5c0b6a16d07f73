// Streams the events of one file in order of arrival, in batches.
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { Columns } from './columns.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { DISORDER_MAX_US, type Disorder, InOrder } from './in-order.ts';
import { RecordingFault } from './recording-fault.ts';
import type { RecordingFile } from './recording-files.ts';
import { type IsWanted, type ReadRow, rowReader } from './row-readers.ts';

export interface ReadOptions {
  readonly isWanted: IsWanted;
  /** Called once, at the end of a file that had rows out of order. */
  readonly onDisorder?: ((file: RecordingFile, disorder: Disorder) => void) | undefined;
}

/** @throws RecordingFault at the first unreadable row, with its line. */
export async function* readRecording(
  file: RecordingFile,
  { isWanted, onDisorder }: ReadOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const order = new InOrder((line, lateUs) => tooLate(file.path, line, lateUs));
  let read: ReadRow | undefined;
  for await (const rows of csvRows(file.path)) {
    let body: readonly CsvRow[] = rows;
    if (read === undefined) {
      const [header, ...rest] = rows;
      read = rowReader(file.type, new Columns(file.path, header?.fields ?? []), isWanted);
      body = rest;
    }
    for (const row of body) for (const event of read(row)) order.add(event, row.line);
    const settled = order.takeSettled();
    if (settled.length > 0) yield settled;
  }
  if (read === undefined) {
    throw new RecordingFault(file.path, undefined, 'is empty; accepted: a header and rows');
  }
  const rest = order.takeAll();
  if (rest.length > 0) yield rest;
  if (order.disorder.rows > 0) onDisorder?.(file, order.disorder);
}

const tooLate = (path: string, line: number, lateUs: number): RecordingFault =>
  new RecordingFault(
    path,
    line,
    `arrived ${lateUs / 1_000_000} s before a row above it; accepted: rows by local_timestamp, ` +
      `at most ${DISORDER_MAX_US / 1_000_000} s out of order`,
  );
