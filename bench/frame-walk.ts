// Parses the bytes that a WebSocket server sends frame by frame (RFC 6455, 5.2), and copies only headers that
// are split between two reads.

const LENGTH_MASK = 0x7f;
const LENGTH_IN_TWO = 126;
const LENGTH_IN_EIGHT = 127;
/** The least that a listener must see of a message. */
const SEEN_BYTES = 64;

export class FrameWalk {
  readonly #receive: (frame: Buffer) => void;
  #held = Buffer.alloc(0);
  #toSkip = 0;

  /**
   * `receive` receives the available bytes of each frame after its header, at least {@link SEEN_BYTES} unless
   * the frame is shorter.
   */
  constructor(receive: (frame: Buffer) => void) {
    this.#receive = receive;
  }

  take(read: Buffer): void {
    const skipped = Math.min(this.#toSkip, read.length);
    this.#toSkip -= skipped;
    let bytes = read.subarray(skipped);
    if (this.#held.length > 0) bytes = Buffer.concat([this.#held, bytes]);
    let at = 0;
    while (at < bytes.length) {
      const next = this.#next(bytes, at);
      if (next === undefined) break;
      at = next;
    }
    // The buffer is reused for the next read.
    this.#held = at < bytes.length ? Buffer.from(bytes.subarray(at)) : EMPTY;
    this.#toSkip += Math.max(0, at - bytes.length);
  }

  /**
   * Where the next frame starts, possibly beyond the available bytes; `undefined` until enough of this one is
   * available.
   */
  #next(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < 2) return undefined;
    const short = (bytes[at + 1] as number) & LENGTH_MASK;
    const header = short === LENGTH_IN_TWO ? 4 : short === LENGTH_IN_EIGHT ? 10 : 2;
    if (bytes.length - at < header) return undefined;
    const length =
      header === 4
        ? bytes.readUInt16BE(at + 2)
        : header === 10
          ? Number(bytes.readBigUInt64BE(at + 2))
          : short;
    const from = at + header;
    if (bytes.length - from < Math.min(length, SEEN_BYTES)) return undefined;
    this.#receive(bytes.subarray(from, from + length));
    return from + length;
  }
}

const EMPTY = Buffer.alloc(0);
