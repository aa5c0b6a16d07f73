// Streams the rows of a CSV file, gzipped or not, in batches: only the batches requested are in memory.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { RecordingFault } from './recording-fault.ts';

export interface CsvRow {
  /** Numbered from 1, including the header. */
  readonly line: number;
  readonly fields: readonly string[];
}

const BATCH_ROWS = 1_024;

/** The first row is the header. @throws RecordingFault if the file cannot be opened, unpacked or split. */
export async function* csvRows(path: string): AsyncGenerator<readonly CsvRow[]> {
  const parser = parse({ bom: true, relax_column_count: true });
  const source = createReadStream(path);
  const parts = path.endsWith('.gz') ? [source, createGunzip(), parser] : [source, parser];
  // The error reaches the consumer of the parser, which the pipeline destroys with it.
  pipeline(parts, () => undefined);
  let batch: CsvRow[] = [];
  let line = 0;
  try {
    for await (const fields of parser as AsyncIterable<string[]>) {
      line += 1;
      if (fields.length === 1 && fields[0] === '') continue;
      batch.push({ line, fields });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw fault(path, line, error);
  } finally {
    source.destroy();
  }
  if (batch.length > 0) yield batch;
}

function fault(path: string, line: number, error: unknown): unknown {
  if (error instanceof CsvError) {
    return new RecordingFault(path, line + 1, `is not valid CSV: ${error.message}`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const where = line === 0 ? undefined : line + 1;
  return new RecordingFault(path, where, `cannot be read: ${message}; accepted: CSV, or gzipped`);
}
