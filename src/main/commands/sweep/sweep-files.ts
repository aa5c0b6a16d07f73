// Writes the tables of a sweep into its folder, each as CSV, JSON and Parquet. The files are made again from the kept runs each
// time, so they hold the sweep that was requested last and nothing else.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import type { Sweep } from '../../../core/report/sweep/sweep-shapes.ts';
import { printableJson } from '../../../values/printable.ts';
import type { TableRow } from '../../ledger/rows/ledger-columns.ts';
import { jsonText } from '../command.ts';
import { csvRows } from '../export/csv-stream.ts';
import { toTarget } from '../export/output-target.ts';
import { writeParquet } from '../export/parquet-file.ts';
import { type CellRun, rowsOf, SWEEP_TABLES, type SweepTableName } from './sweep-tables.ts';

const OF_SUMMARY = 'sweep.json';
const ENDINGS = ['csv', 'json', 'parquet'] as const;
const TABLES = Object.keys(SWEEP_TABLES) as SweepTableName[];

/** Removes the tables; the kept runs stay. */
export function removeSweepFiles(folder: string): void {
  const names = TABLES.flatMap((table) => ENDINGS.map((ending) => `${table}.${ending}`));
  for (const name of [OF_SUMMARY, ...names]) rmSync(join(folder, name), { force: true });
}

/** `runs` reads them one after the other: only one is in memory. */
export async function writeSweepFiles(
  folder: string,
  sweep: Sweep,
  runs: () => Iterable<CellRun>,
): Promise<void> {
  writeWhole(join(folder, OF_SUMMARY), `${jsonText(sweep)}\n`);
  for (const table of TABLES) {
    const columns = SWEEP_TABLES[table];
    const rows = async function* (): AsyncGenerator<TableRow> {
      for (const run of runs()) yield* rowsOf(table, run);
    };
    const fileOf = (ending: (typeof ENDINGS)[number]): string => join(folder, `${table}.${ending}`);
    await written(fileOf('csv'), csvRows(columns, rows(), 'UTC'));
    await written(fileOf('json'), jsonRows(`twapd.sweep-${table}/1`, rows()));
    const parquet = fileOf('parquet');
    rmSync(parquet, { force: true });
    await writeParquet({ option: '--out', name: parquet }, { name: table, columns, rows: rows() });
  }
}

/** In place of the table of an earlier sweep. */
function written(path: string, text: AsyncIterable<string>): Promise<void> {
  rmSync(path, { force: true });
  return toTarget(Readable.from(text), { option: '--out', name: path });
}

/** One document, a row a line. */
async function* jsonRows(format: string, rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  yield `{"format":${JSON.stringify(format)},"rows":[`;
  let isFirst = true;
  for await (const row of rows) {
    yield `${isFirst ? '' : ','}\n${printableJson(JSON.stringify(row))}`;
    isFirst = false;
  }
  yield '\n]}\n';
}
