// A file of rows in columns: blocks one after the other, then what describes them, as JSON, and its length. Each block carries a
// checksum, and a file is complete or does not exist: it gets its name when it is finished.

import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import process from 'node:process';
import { crc32 } from 'node:zlib';
import { unwritable } from '../../values/errors/unwritable.ts';
import { type BlockColumns, RecordedBlock } from '../../values/recorded/recorded-block.ts';

interface BlockPlace {
  readonly at: number;
  readonly bytes: number;
  readonly rows: number;
  readonly numbers: number;
  readonly crc: number;
}

interface Description {
  readonly names: readonly string[];
  readonly blocks: readonly BlockPlace[];
  /** Whatever the writer wanted to keep with the rows. */
  readonly about: unknown;
}

/** The file is not what was written. */
export class DamagedBlocks extends Error {}

const LENGTH_BYTES = 8;
const ALIGNED = 8;

/** In the order of the file; wide numbers first, so that each column is aligned. */
const layoutOf = (rows: number, numbers: number) =>
  [
    ['atUs', Float64Array, rows],
    ['numbers', Float64Array, numbers],
    ['starts', Uint32Array, rows + 1],
    ['symbols', Uint16Array, rows],
    ['kinds', Uint8Array, rows],
    ['bids', Uint8Array, rows],
    ['places', Uint8Array, numbers],
  ] as const;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;

export class BlockFileWriter {
  readonly #path: string;
  readonly #file: number;
  #isClosed = false;
  readonly #blocks: BlockPlace[] = [];
  #names: readonly string[] = [];
  #at = 0;

  /** Begins the file under a name of its own. @throws if it cannot be written. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(this.#begun, 'w');
  }

  add({ columns }: RecordedBlock): void {
    const [rows, numbers] = [columns.atUs.length, columns.numbers.length];
    const layout = layoutOf(rows, numbers);
    const bytes = layout.reduce(
      (sum, [, { BYTES_PER_ELEMENT }, length]) => sum + aligned(length * BYTES_PER_ELEMENT),
      0,
    );
    const block = new Uint8Array(bytes);
    let to = 0;
    for (const [name] of layout) {
      const column = columns[name];
      block.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), to);
      to += aligned(column.byteLength);
    }
    this.#write(block);
    this.#blocks.push({ at: this.#at, bytes, rows, numbers, crc: crc32(block) });
    this.#at += bytes;
    this.#names = columns.names;
  }

  /** Completes the file and gives it its name. */
  end(about: unknown): void {
    const description: Description = { names: this.#names, blocks: this.#blocks, about };
    const text = Buffer.from(JSON.stringify(description));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeBigUInt64LE(BigInt(text.length));
    this.#write(text);
    this.#write(length);
    this.#close();
    renameSync(this.#begun, this.#path);
  }

  /** Removes what was begun. */
  abandon(): void {
    this.#close();
    rmSync(this.#begun, { force: true });
  }

  /** Once: after that the number may be that of another file or of a socket. */
  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  get #begun(): string {
    return `${this.#path}.${process.pid}.part`;
  }

  #write(bytes: Uint8Array): void {
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#file, bytes, at, bytes.length - at);
      }
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }
}

export class BlockFile {
  readonly #path: string;
  readonly #description: Description;

  /** @throws {@link DamagedBlocks}, or the error of the file system. */
  constructor(path: string) {
    this.#path = path;
    this.#description = reading(path, (file) => {
      const { size } = fstatSync(file);
      const length = read(file, size - LENGTH_BYTES, LENGTH_BYTES).readBigUInt64LE();
      const text = read(file, size - LENGTH_BYTES - Number(length), Number(length)).toString();
      try {
        return JSON.parse(text) as Description;
      } catch (error) {
        throw new DamagedBlocks(`${path} ends without its description`, { cause: error });
      }
    });
  }

  get about(): unknown {
    return this.#description.about;
  }

  /** @throws {@link DamagedBlocks}; then the file is removed. */
  *blocks(): Generator<RecordedBlock, undefined> {
    const { names, blocks } = this.#description;
    for (const place of blocks) {
      const bytes = reading(this.#path, (file) => read(file, place.at, place.bytes));
      if (crc32(bytes) !== place.crc) {
        rmSync(this.#path, { force: true });
        throw new DamagedBlocks(`${this.#path} is damaged`);
      }
      yield new RecordedBlock({ names, ...columnsIn(bytes, place) });
    }
  }
}

function columnsIn(
  { buffer, byteOffset }: Buffer,
  { rows, numbers }: BlockPlace,
): Omit<BlockColumns, 'names'> {
  let at = byteOffset;
  const columns: Record<string, unknown> = {};
  for (const [name, Column, length] of layoutOf(rows, numbers)) {
    columns[name] = new Column(buffer as ArrayBuffer, at, length);
    at += aligned(length * Column.BYTES_PER_ELEMENT);
  }
  return columns as unknown as Omit<BlockColumns, 'names'>;
}

function reading<T>(path: string, how: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return how(file);
  } finally {
    closeSync(file);
  }
}

/** Into memory of its own, where columns are aligned. @throws {@link DamagedBlocks} if the file is too short. */
function read(file: number, at: number, bytes: number): Buffer {
  if (at < 0 || bytes < 0) throw new DamagedBlocks('the file is too short');
  const buffer = Buffer.from(new ArrayBuffer(bytes));
  for (let got = 0; got < bytes; ) {
    const more = readSync(file, buffer, got, bytes - got, at + got);
    if (more === 0) throw new DamagedBlocks('the file is too short');
    got += more;
  }
  return buffer;
}
