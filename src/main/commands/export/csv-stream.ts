// Rows as lines of CSV, in pieces, for tables of any length. What a text contains cannot control a terminal.
import { printable } from '../../../values/printable.ts';
import type { Columns, TableRow } from '../../ledger/rows/ledger-columns.ts';
import { type CsvCell, csvLine } from '../terminal/csv-text.ts';
import { type ZoneName, zonedIso } from '../terminal/time-zone.ts';

const LINES_AT_ONCE = 200;

/** The names of the columns, then the rows; times are ISO 8601 with the offset of the zone. */
export async function* csvRows(
  columns: Columns,
  rows: AsyncIterable<TableRow>,
  zone: ZoneName,
): AsyncGenerator<string> {
  const kinds = Object.entries(columns);
  let lines = [csvLine(kinds.map(([name]) => name))];
  for await (const row of rows) {
    const cells = kinds.map(([name, kind]): CsvCell => {
      const cell = row[name];
      if (typeof cell === 'string') return printable(cell);
      return kind === 'time' && typeof cell === 'number' ? zonedIso(cell, zone) : cell;
    });
    lines.push(csvLine(cells));
    if (lines.length < LINES_AT_ONCE) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}
