// Encodes arrays in PostgreSQL's binary format: no quoting here, no parsing there. Format: dimensions, null
// flag, element type, length, lower bound; then length and bytes of each element.
import { assert } from '../../../values/assert.ts';

const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

/** Element types by their fixed object ids in pg_type. */
const TYPE = { bool: 16, int8: 20, int2: 21, int4: 23, text: 25 } as const;

function header(buffer: Buffer, type: number, length: number): void {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
}

/** An element type of fixed width without nulls. */
interface OfWidth<T> {
  readonly type: number;
  readonly bytes: number;
  readonly write: (buffer: Buffer, value: T, at: number) => void;
}

const INT4: OfWidth<number> = {
  type: TYPE.int4,
  bytes: 4,
  write: (buffer, value, at) => buffer.writeInt32BE(value, at),
};
const INT2: OfWidth<number> = {
  type: TYPE.int2,
  bytes: 2,
  write: (buffer, value, at) => buffer.writeInt16BE(value, at),
};
const BOOL: OfWidth<boolean> = {
  type: TYPE.bool,
  bytes: 1,
  write: (buffer, value, at) => buffer.writeUInt8(value ? 1 : 0, at),
};

/** Allocates uninitialized memory. */
export type Allocate = (bytes: number) => Buffer;

export class BinaryArrays {
  readonly #allocate: Allocate;

  constructor(allocate: Allocate = Buffer.allocUnsafe) {
    this.#allocate = allocate;
  }

  text(values: readonly (string | undefined)[]): Buffer {
    let size = HEADER_BYTES + 4 * values.length;
    for (const value of values) if (value !== undefined) size += Buffer.byteLength(value);
    const buffer = this.#allocate(size);
    header(buffer, TYPE.text, values.length);
    let at = HEADER_BYTES;
    for (const value of values) {
      const bytes = value === undefined ? 0 : buffer.write(value, at + 4);
      buffer.writeInt32BE(value === undefined ? NULL_LENGTH : bytes, at);
      at += 4 + bytes;
    }
    return buffer;
  }

  /** Integers up to 2^53, or `undefined` for null. */
  int8(values: readonly (number | undefined)[]): Buffer {
    const present = values.reduce<number>((n, value) => (value === undefined ? n : n + 1), 0);
    const buffer = this.#allocate(HEADER_BYTES + 4 * values.length + 8 * present);
    header(buffer, TYPE.int8, values.length);
    let at = HEADER_BYTES;
    for (const value of values) {
      if (value === undefined) {
        at = buffer.writeInt32BE(NULL_LENGTH, at);
        continue;
      }
      assert(Number.isSafeInteger(value), `${value} is not a whole number below 2^53`);
      at = buffer.writeInt32BE(8, at);
      const high = Math.floor(value / 2 ** 32);
      at = buffer.writeInt32BE(high, at);
      at = buffer.writeUInt32BE(value - high * 2 ** 32, at);
    }
    return buffer;
  }

  int4(values: readonly number[]): Buffer {
    return this.#ofWidth(INT4, values);
  }

  int2(values: readonly number[]): Buffer {
    return this.#ofWidth(INT2, values);
  }

  bool(values: readonly boolean[]): Buffer {
    return this.#ofWidth(BOOL, values);
  }

  #ofWidth<T>({ type, bytes, write }: OfWidth<T>, values: readonly T[]): Buffer {
    const buffer = this.#allocate(HEADER_BYTES + (4 + bytes) * values.length);
    header(buffer, type, values.length);
    let at = HEADER_BYTES;
    for (const value of values) {
      buffer.writeInt32BE(bytes, at);
      write(buffer, value, at + 4);
      at += 4 + bytes;
    }
    return buffer;
  }
}
