// Writes rows as a Parquet file, a group of rows at a time. Amounts are DECIMAL(38, 18), which holds every amount exactly that is
// accepted anywhere, and times are TIMESTAMP in milliseconds, UTC (decision 36).

import { rmSync } from 'node:fs';
import type { parquetWriteRows as WriteRows } from 'hyparquet-writer';
import { CommandFailure } from '../../command-failure.ts';
import type { ColumnKind, Columns, TableRow } from '../../ledger/rows/ledger-columns.ts';
import { VERSION } from '../../version.ts';
import { type NamedPath, newFile } from '../output-path.ts';
import { writingFailed } from './output-target.ts';

type SchemaElement = NonNullable<Parameters<typeof WriteRows>[0]['schema']>[number];

const SCALE = 18;
const PRECISION = 38;
const UNSCALED_LIMIT = 10n ** BigInt(PRECISION);
/** Bounds the memory of an export. */
const ROWS_AT_ONCE = 20_000;

const TYPES: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  amount: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    precision: PRECISION,
    scale: SCALE,
    logical_type: { type: 'DECIMAL', precision: PRECISION, scale: SCALE },
  },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  count: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
};

export interface ParquetTable {
  readonly name: string;
  readonly columns: Columns;
  readonly rows: Iterable<TableRow> | AsyncIterable<TableRow>;
}

/** Creates the file and resolves once it is complete. @throws CommandFailure */
export async function writeParquet(file: NamedPath, table: ParquetTable): Promise<void> {
  // Loaded only here, so that the other commands start fast.
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer');
  const path = newFile(file);
  const columns = Object.entries(table.columns);
  try {
    await parquetWriteRows({
      writer: fileWriter(path),
      rows: stored(table),
      columns: columns.map(([name]) => ({ name })),
      schema: [
        { name: table.name, num_children: columns.length },
        ...columns.map(
          ([name, kind]): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...TYPES[kind] }),
        ),
      ],
      rowGroupSize: ROWS_AT_ONCE,
      createdBy: `twapd ${VERSION}`,
    });
  } catch (error) {
    rmSync(path, { force: true });
    throw writingFailed(error, file);
  }
}

async function* stored({ columns, rows }: ParquetTable): AsyncGenerator<Record<string, unknown>> {
  const kinds = Object.entries(columns);
  for await (const row of rows) {
    yield Object.fromEntries(kinds.map(([name, kind]) => [name, cellOf(name, kind, row[name])]));
  }
}

function cellOf(name: string, kind: ColumnKind, cell: TableRow[string] | undefined): unknown {
  if (cell === null || cell === undefined) return undefined;
  if (kind === 'amount') return unscaled(name, String(cell));
  return kind === 'time' || kind === 'count' ? BigInt(cell) : cell;
}

/** The decimal times 10^18. */
function unscaled(name: string, text: string): bigint {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const units = BigInt(`${whole}${places.padEnd(SCALE, '0')}`);
  if (whole === '' || places.length > SCALE || units >= UNSCALED_LIMIT) {
    throw new CommandFailure('refused', [
      `${name}: ${text} does not fit a DECIMAL(${PRECISION}, ${SCALE}) of Parquet; accepted: --csv`,
    ]);
  }
  return sign === '-' ? -units : units;
}
