// Parquet files of plain columns: written in groups of rows, so that a day of any size fits in memory, and read group by
// group. Compressed with Zstandard, which every current reader of the format knows.
import { type FileHandle, open } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { ByteWriter, ParquetWriter, type Writer } from 'hyparquet-writer';
import type {
  ArchiveColumn,
  ArchiveRow,
  ArchiveValue,
} from '../../ports/archive/archive-tables.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const TYPES = {
  int64: { type: 'INT64' },
  int32: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const;

export class ParquetFileWriter {
  readonly #columns: readonly ArchiveColumn[];
  readonly #file: FileHandle;
  readonly #writer: ParquetWriter;

  private constructor(columns: readonly ArchiveColumn[], file: FileHandle) {
    this.#columns = columns;
    this.#file = file;
    const schema: SchemaElement[] = [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type, isOptional }) => ({
        name,
        ...TYPES[type],
        repetition_type: isOptional === true ? ('OPTIONAL' as const) : ('REQUIRED' as const),
      })),
    ];
    this.#writer = new ParquetWriter({
      writer: writerTo(file),
      schema,
      createdBy: 'twapd',
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
    });
  }

  /** @throws Error if the file exists. */
  static async create(path: string, columns: readonly ArchiveColumn[]): Promise<ParquetFileWriter> {
    return new ParquetFileWriter(columns, await open(path, 'wx', 0o600));
  }

  /** The rows become one group. */
  async write(rows: readonly ArchiveRow[]): Promise<void> {
    if (rows.length === 0) return;
    const columnData = this.#columns.map(({ name }, index) => ({
      name,
      offsetIndex: false,
      data: rows.map((row) => row[index]),
    }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }

  /** The file is whole and on disk when this resolves. */
  async finish(): Promise<void> {
    await this.#writer.finish();
    await this.#file.sync();
    await this.#file.close();
  }

  /** Leaves the file as it is. */
  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Passes on to the file what was gathered, after each group. */
function writerTo(file: FileHandle): Writer {
  const writer: Writer & { index?: number } = new ByteWriter();
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(new Uint8Array(writer.buffer, 0, writer.index ?? 0));
    writer.index = 0;
    await file.appendFile(bytes);
  };
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}

export class ParquetFileReader {
  readonly #file: FileHandle;
  readonly #buffer: AsyncBuffer;
  readonly #metadata: FileMetaData;
  /** Another file of the same name has another one. */
  readonly identity: string;

  private constructor(
    file: FileHandle,
    {
      buffer,
      metadata,
      identity,
    }: { buffer: AsyncBuffer; metadata: FileMetaData; identity: string },
  ) {
    this.#file = file;
    this.#buffer = buffer;
    this.#metadata = metadata;
    this.identity = identity;
  }

  /** @throws Error if there is no such file, or it is damaged. */
  static async open(path: string): Promise<ParquetFileReader> {
    const file = await open(path, 'r');
    try {
      const { size, ino, mtimeMs } = await file.stat();
      const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
        if (bytesRead !== bytes.length) throw new Error(`${path} is shorter than it was`);
        return bytes.buffer;
      };
      const buffer = { byteLength: size, slice };
      const metadata = await parquetMetadataAsync(buffer);
      return new ParquetFileReader(file, {
        buffer,
        metadata,
        identity: `${ino} ${mtimeMs} ${size}`,
      });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get groups(): number {
    return this.#metadata.row_groups.length;
  }

  /** The least and the greatest value of a column in a group; `undefined` if the file does not say. */
  bounds(group: number, column: string): readonly [ArchiveValue, ArchiveValue] | undefined {
    const found = this.#metadata.row_groups[group]?.columns.find(
      ({ meta_data: of }) => of?.path_in_schema[0] === column,
    );
    const { min_value: least, max_value: greatest } = found?.meta_data?.statistics ?? {};
    return isValue(least) && isValue(greatest) ? [least, greatest] : undefined;
  }

  /** The rows of a group, each an object with the columns that are requested; all by default. */
  async read(
    group: number,
    columns?: readonly string[],
  ): Promise<readonly Record<string, ArchiveValue>[]> {
    const sizes = this.#metadata.row_groups.map(({ num_rows: rows }) => Number(rows));
    const rowStart = sizes.slice(0, group).reduce((sum, rows) => sum + rows, 0);
    const rows = await parquetReadObjects({
      file: this.#buffer,
      metadata: this.#metadata,
      rowStart,
      rowEnd: rowStart + (sizes[group] ?? 0),
      ...(columns !== undefined && { columns: [...columns] }),
      compressors: { ZSTD: (input, length) => unpacked(input, length) },
    });
    return rows;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const unpacked = (input: Uint8Array, length: number): Uint8Array =>
  zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) });

const isValue = (value: unknown): value is ArchiveValue =>
  ['bigint', 'number', 'string'].includes(typeof value);
