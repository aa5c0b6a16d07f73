// Reads a file that describes a recording: `instruments.csv`, `combos.csv`, `gaps.csv`. Another header may stand further down: a
// later version of the recorder continued with the file, with other columns.
import { Columns } from './columns.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { RecordingFault } from './recording-fault.ts';

/** Each row below a header, with the columns of that header. @throws RecordingFault */
export async function* describedRows(
  path: string,
): AsyncGenerator<{ readonly columns: Columns; readonly row: CsvRow }> {
  let columns: Columns | undefined;
  for await (const rows of csvRows(path)) {
    for (const row of rows) {
      if (columns === undefined || isHeader(row)) columns = new Columns(path, row.fields);
      else {
        columns.checkWidth(row);
        yield { columns, row };
      }
    }
  }
  if (columns !== undefined) return;
  throw new RecordingFault(path, undefined, 'is empty; accepted: a header and rows');
}

/** No exchange is called exchange. */
const isHeader = ({ fields: [first, second] }: CsvRow): boolean =>
  first === 'exchange' && second === 'symbol';
