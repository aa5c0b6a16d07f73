// The tables of a report as Parquet files in a new folder, one file each.
import { join } from 'node:path';
import type { Columns, TableRow } from '../../ledger/rows/ledger-columns.ts';
import type { Terminal } from '../command.ts';
import { writeParquet } from '../export/parquet-file.ts';
import { newFolder } from '../output-path.ts';
import type { CsvRow } from '../terminal/csv-text.ts';

export interface ReportTableRows {
  readonly name: string;
  readonly columns: Columns;
  readonly rows: readonly CsvRow[];
}

export const parquetOption = [
  '--parquet <folder>',
  'write its tables as Parquet files into a new folder',
] as const;

/** Creates the folder and resolves once every file in it is complete. @throws CommandFailure */
export async function writeReportFolder(
  name: string,
  tables: readonly ReportTableRows[],
  terminal: Terminal,
): Promise<void> {
  const folder = newFolder({ option: '--parquet', name });
  for (const { name: table, columns, rows } of tables) {
    const file = { option: '--parquet', name: join(folder, `${table}.parquet`) };
    await writeParquet(file, {
      name: table,
      columns,
      rows: rows.map((row) => typed(row, columns)),
    });
  }
  terminal.complain(`written: ${folder}`);
}

/** Reports have times and computed amounts as text. */
const typed = (row: CsvRow, columns: Columns): TableRow =>
  Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => {
      const cell = row[name] ?? null;
      if (typeof cell !== 'string') return [name, cell];
      if (kind === 'time') return [name, Date.parse(cell)];
      return [name, kind === 'number' ? Number(cell) : cell];
    }),
  );
