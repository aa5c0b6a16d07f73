// Reads a Parquet file with a reader of its own. Amounts are decoded here from their bytes, as exact text: the reader would make
// floats of them.
import { readFileSync } from 'node:fs';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';

export interface ParquetRead {
  /** Of the columns, by name. */
  readonly schema: ReadonlyMap<string, SchemaElement>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowGroups: number;
}

export async function readParquet(path: string): Promise<ParquetRead> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(file);
  const [, ...columns] = metadata.schema;
  const schema = new Map(columns.map((column) => [column.name, { ...column }]));
  const amounts = columns.filter(({ converted_type: type }) => type === 'DECIMAL');
  for (const column of amounts) {
    delete column.converted_type;
    delete column.logical_type;
  }
  const read = await parquetReadObjects({ file, metadata, utf8: false });
  const rows = read.map((row) => ({
    ...row,
    ...Object.fromEntries(
      amounts.map(({ name, scale }) => [name, decimalText(row[name], scale ?? 0)]),
    ),
  }));
  return { schema, rows, rowGroups: metadata.row_groups.length };
}

/** Two's complement, the highest byte first. */
function decimalText(bytes: unknown, scale: number): string | null {
  if (!(bytes instanceof Uint8Array)) return null;
  const unsigned = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const units = BigInt.asIntN(bytes.length * 8, unsigned);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const places = digits.slice(-scale).replace(/0+$/, '');
  const whole = digits.slice(0, -scale);
  return `${units < 0n ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`;
}
