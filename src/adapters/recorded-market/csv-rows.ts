// Streams the rows of a CSV file, gzipped or not, in batches: only the batches requested are in memory. A row is a line, split
// at its commas; only a line with a quotation mark needs a parser, which costs ten times as much.
import { createReadStream } from 'node:fs';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { RecordingFault } from './recording-fault.ts';

export interface CsvRow {
  /** Numbered from 1, including the header. */
  readonly line: number;
  readonly fields: readonly string[];
  /** The last line, without an end of its own: the file may have been cut off in the middle of it. */
  readonly isUnended?: true;
}

const BATCH_ROWS = 1_024;
const BYTE_ORDER_MARK = 0xfeff;

/** The first row is the header. @throws RecordingFault if the file cannot be opened, unpacked or split. */
export async function* csvRows(path: string): AsyncGenerator<readonly CsvRow[]> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz') ? createGunzip() : new PassThrough();
  // The error reaches the consumer of the text, which the pipeline destroys with it.
  pipeline([source, text], () => undefined);
  text.setEncoding('utf8');
  const lines = new Lines(path);
  let batch: CsvRow[] = [];
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      for (const row of lines.take(chunk)) {
        batch.push(row);
        if (batch.length < BATCH_ROWS) continue;
        yield batch;
        batch = [];
      }
    }
  } catch (error) {
    throw fault(path, lines.count, error);
  } finally {
    source.destroy();
  }
  batch.push(...lines.rest());
  if (batch.length > 0) yield batch;
}

/** Cuts text that arrives in pieces into rows; empty lines are counted and left out. */
class Lines {
  readonly #path: string;
  /** The number of complete lines so far. */
  count = 0;
  #begun = '';

  constructor(path: string) {
    this.#path = path;
  }

  *take(chunk: string): IterableIterator<CsvRow> {
    const text = this.#begun === '' ? chunk : this.#begun + chunk;
    let from = 0;
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      const row = this.#row(text.slice(from, to));
      from = to + 1;
      if (row !== undefined) yield row;
    }
    this.#begun = text.slice(from);
  }

  /** The last line, if it has no end. */
  *rest(): IterableIterator<CsvRow> {
    const row = this.#begun === '' ? undefined : this.#row(this.#begun);
    if (row !== undefined) yield { ...row, isUnended: true };
  }

  #row(written: string): CsvRow | undefined {
    const isFirst = this.count === 0;
    const bare = written.endsWith('\r') ? written.slice(0, -1) : written;
    const text = isFirst && bare.charCodeAt(0) === BYTE_ORDER_MARK ? bare.slice(1) : bare;
    const fields = text.includes('"') ? this.#quoted(text) : text.split(',');
    this.count += 1;
    return text === '' ? undefined : { line: this.count, fields };
  }

  #quoted(text: string): readonly string[] {
    try {
      return parse(text, { relax_column_count: true })[0] ?? [];
    } catch (error) {
      throw fault(this.#path, this.count, error);
    }
  }
}

/** What zlib means by its messages. */
const FAULTS_OF_GZIP: Readonly<Record<string, string>> = {
  'unexpected end of file': 'cannot be read: unexpected end of file, which was cut off here',
  'incorrect header check': 'is not gzipped, although its name says so',
};

function fault(path: string, line: number, error: unknown): unknown {
  if (error instanceof RecordingFault) return error;
  if (error instanceof CsvError) {
    return new RecordingFault(path, line + 1, `is not valid CSV: ${error.message}`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const where = line === 0 ? undefined : line + 1;
  // After whole members, what has no header is something else that was appended or written over.
  const isLater = line > 0 && message === 'incorrect header check';
  const is = isLater
    ? 'cannot be read: what follows is not gzipped'
    : (FAULTS_OF_GZIP[message] ?? `cannot be read: ${message}`);
  return new RecordingFault(path, where, `${is}; accepted: CSV, or gzipped, whole`);
}
