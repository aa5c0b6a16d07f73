// Reads `gaps.csv` next to recordings: the times in which `twapd record` recorded nothing, or not everything. A CSV with
// the columns exchange,symbol,type,from,to,reason,detail; `*` means every symbol or type.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, instant } from '../../values/instant.ts';
import type { Columns } from './columns.ts';
import type { CsvRow } from './csv-rows.ts';
import { describedRows } from './described-rows.ts';

export interface RecordedGap {
  readonly exchange: string;
  readonly symbol: string;
  readonly type: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly reason: string;
  readonly detail: string;
}

/** In the order of the file; none if the folder has no such file. @throws RecordingFault for a faulty row. */
export async function readGaps(folder: string): Promise<readonly RecordedGap[]> {
  const path = join(folder, 'gaps.csv');
  if (!existsSync(path)) return [];
  const gaps: RecordedGap[] = [];
  for await (const { columns, row } of describedRows(path)) gaps.push(gapOf(columns, row));
  return gaps;
}

function gapOf(columns: Columns, row: CsvRow): RecordedGap {
  const text = (name: string): string => columns.text(row, columns.need(name));
  const at = (name: string): Instant =>
    instant(columns.microseconds(row, columns.need(name)) / 1_000);
  return {
    exchange: text('exchange'),
    symbol: text('symbol'),
    type: text('type'),
    from: at('from'),
    to: at('to'),
    reason: text('reason'),
    detail: text('detail'),
  };
}
