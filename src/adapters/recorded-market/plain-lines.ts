// Cuts the bytes of a plain CSV into lines and fields without making text of them: no quotation marks, no empty lines, every
// line as wide as the header. Anything else is left to the reader that understands it.
import { createReadStream } from 'node:fs';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The recording is not plain: it has to be read in the usual way, which also tells what is wrong with it. */
export class NotPlain extends Error {}

const [COMMA, NEWLINE, RETURN, QUOTE] = [44, 10, 13, 34];
const HEADER_MAX = 65_536;
/** Pieces of this size are decompressed in one go. */
const CHUNK_BYTES = 256 * 1_024;

/** The line that was cut last: `bytes` from `starts[i]` to before `starts[i + 1] - 1` is field i. */
export interface PlainLine {
  bytes: Buffer;
  /** One more than there are fields. */
  readonly starts: Int32Array;
}

/** Yields once for each piece of the file; `take` cuts its lines one by one. @throws {@link NotPlain} */
export class PlainLines {
  readonly #path: string;
  #line: PlainLine = { bytes: Buffer.alloc(0), starts: new Int32Array(0) };
  #width = 0;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get line(): PlainLine {
    return this.#line;
  }

  /** The names of the columns, then nothing once for each piece of the file. */
  async *pieces(): AsyncGenerator<readonly string[] | undefined> {
    const source = createReadStream(this.#path, { highWaterMark: CHUNK_BYTES });
    const bytes = this.#path.endsWith('.gz')
      ? createGunzip({ chunkSize: CHUNK_BYTES })
      : new PassThrough();
    pipeline([source, bytes], () => undefined);
    let rest: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        const piece = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const names = this.#begin(piece);
        if (names !== undefined) yield names;
        else if (this.#width === 0) {
          rest = piece;
          continue;
        }
        const end = piece.lastIndexOf(NEWLINE) + 1;
        this.#line.bytes = piece.subarray(0, end);
        yield undefined;
        rest = piece.subarray(end);
        this.#at = 0;
      }
    } catch (error) {
      if (error instanceof NotPlain) throw error;
      throw new NotPlain('the file cannot be read', { cause: error });
    } finally {
      source.destroy();
    }
    if (rest.length > 0) throw new NotPlain('the last line has no end');
  }

  /** Cuts the next line of the piece; false if there is none. */
  take(): boolean {
    const { bytes, starts } = this.#line;
    const { length } = bytes;
    let at = this.#at;
    if (at >= length) return false;
    let field = 0;
    starts[0] = at;
    for (; ; at += 1) {
      const byte = bytes[at];
      if (byte === undefined || byte === QUOTE || byte === RETURN) {
        throw new NotPlain('it has quotation marks or other ends of lines');
      }
      if (byte !== COMMA && byte !== NEWLINE) continue;
      field += 1;
      if (field > this.#width) throw new NotPlain('a line is too wide');
      starts[field] = at + 1;
      if (byte === NEWLINE) break;
    }
    if (field !== this.#width) throw new NotPlain('a line is too short');
    this.#at = at + 1;
    return true;
  }

  /** The names of the columns, when the piece has the whole header. */
  #begin(piece: Buffer): readonly string[] | undefined {
    if (this.#width > 0) return undefined;
    const end = piece.indexOf(NEWLINE);
    if (end < 0) {
      if (piece.length > HEADER_MAX) throw new NotPlain('the header does not end');
      return undefined;
    }
    const text = piece.toString('latin1', 0, end);
    if (!/^[\w.,[\]-]+$/.test(text)) throw new NotPlain('the header is unusual');
    const names = text.split(',');
    this.#width = names.length;
    this.#line = { bytes: piece, starts: new Int32Array(names.length + 1) };
    this.#at = end + 1;
    return names;
  }
}
