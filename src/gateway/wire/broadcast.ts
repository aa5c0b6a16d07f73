// Frames on their way to clients. What many hear at the same moment is framed once and written in as few
// pieces as the moment allows: a write per client and message would be most of the work.
import type { Duplex } from 'node:stream';

/** A rest between two rounds, so that messages gather while there is much to write. */
const ROUND_EVERY_MS = 10;
/** More for one client is on its way at once: whether it reads shows at its socket. */
const GATHERED_BYTES_MAX = 64 * 1_024;
/** Rounds take at most half of the time. */
const REST_PER_ROUND = 1;
/** Clients written to in a row. What comes in between still goes to those whose turn is to come. */
const IN_A_ROW = 64;

/** Everything that is to be written by one process to all clients of a stream. */
export class Broadcast {
  readonly #filled = new Set<Outbox>();
  #isScheduled = false;
  #nextRoundAtMs = 0;
  #latest: { readonly text: string; readonly frame: Buffer } | undefined;

  open(socket: Duplex): Outbox {
    return new Outbox(socket, this);
  }

  /** The frame of a text; the same text in a row is framed once. */
  frameOf(text: string): Buffer {
    if (this.#latest?.text !== text) this.#latest = { text, frame: textFrame(text) };
    return this.#latest.frame;
  }

  /** `outbox` has something to write. */
  fill(outbox: Outbox): void {
    this.#filled.add(outbox);
    if (!this.#isScheduled) this.#schedule();
  }

  leave(outbox: Outbox): void {
    this.#filled.delete(outbox);
  }

  #schedule(): void {
    this.#isScheduled = true;
    const waitMs = this.#nextRoundAtMs - performance.now();
    if (waitMs <= 0) setImmediate(() => this.#begin());
    else setTimeout(() => this.#begin(), Math.ceil(waitMs));
  }

  #begin(): void {
    const outboxes = [...this.#filled];
    this.#filled.clear();
    this.#goOn({ outboxes, next: 0, tookMs: 0, shared: NOTHING });
  }

  /** The next few of a round; others have their turn in between. */
  #goOn(round: Round): void {
    const from = performance.now();
    const end = Math.min(round.next + IN_A_ROW, round.outboxes.length);
    for (; round.next < end; round.next += 1) {
      round.shared = round.outboxes[round.next]?.flush(round.shared) ?? round.shared;
    }
    const now = performance.now();
    round.tookMs += now - from;
    if (end < round.outboxes.length) {
      setImmediate(() => this.#goOn(round));
      return;
    }
    this.#nextRoundAtMs = now + Math.max(ROUND_EVERY_MS, REST_PER_ROUND * round.tookMs);
    this.#isScheduled = false;
    if (this.#filled.size > 0) this.#schedule();
  }
}

/** Everybody who had something to be written when it began. */
interface Round {
  readonly outboxes: readonly Outbox[];
  next: number;
  tookMs: number;
  shared: Piece;
}

/** Frames, and the same as one run of bytes. */
interface Piece {
  readonly frames: readonly Buffer[];
  readonly bytes: Buffer;
}

const NOTHING: Piece = { frames: [], bytes: Buffer.alloc(0) };

export class Outbox {
  readonly #socket: Duplex;
  readonly #all: Broadcast;
  #frames: Buffer[] = [];
  #waitingBytes = 0;

  constructor(socket: Duplex, all: Broadcast) {
    this.#socket = socket;
    this.#all = all;
  }

  /** Bytes that are not with the operating system yet. */
  get bufferedBytes(): number {
    return this.#waitingBytes + this.#socket.writableLength;
  }

  /** Is written soon, behind everything sent before. */
  send(text: string): void {
    const frame = this.#all.frameOf(text);
    this.#frames.push(frame);
    this.#waitingBytes += frame.length;
    if (this.#waitingBytes > GATHERED_BYTES_MAX) this.flush();
    else this.#all.fill(this);
  }

  /** Writes at once what waits. */
  flush(shared: Piece = NOTHING): Piece {
    const frames = this.#frames;
    const [first] = frames;
    if (first === undefined) return shared;
    this.#frames = [];
    this.#waitingBytes = 0;
    this.#all.leave(this);
    const bytes = isSame(frames, shared.frames)
      ? shared.bytes
      : frames.length === 1
        ? first
        : Buffer.concat(frames);
    this.#socket.write(bytes);
    return { frames, bytes };
  }

  /** Forgets what waits. */
  drop(): void {
    this.#frames = [];
    this.#waitingBytes = 0;
    this.#all.leave(this);
  }
}

const isSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
  some.length === others.length && some.every((frame, index) => frame === others[index]);

const FINAL_TEXT = 0x81;
const LENGTH_IN_TWO = 126;
const LENGTH_IN_EIGHT = 127;
const TWO_BYTES_MAX = 0xffff;

/** A whole message of a server in one frame (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = textHeader(length, length);
  frame.write(text, frame.length - length);
  return frame;
}

/** The beginning of such a frame, not masked, its length in 1, 2 or 8 bytes; with room for `behind` bytes behind it. */
export function textHeader(length: number, behind = 0): Buffer {
  const inHeader = length < LENGTH_IN_TWO ? 0 : length <= TWO_BYTES_MAX ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + inHeader + behind);
  frame.writeUInt8(FINAL_TEXT, 0);
  if (inHeader === 0) frame.writeUInt8(length, 1);
  else if (inHeader === 2) {
    frame.writeUInt8(LENGTH_IN_TWO, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(LENGTH_IN_EIGHT, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  return frame;
}
