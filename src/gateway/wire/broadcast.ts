// Writes frames to clients. A message for many clients is framed once and written in as few pieces as possible:
// one write per client and message would dominate the cost.
import type { Duplex } from 'node:stream';

/** Pause between two rounds, so that messages accumulate under load. */
const ROUND_EVERY_MS = 10;
/** A larger backlog for one client is written at once: whether it reads shows at its socket. */
const GATHERED_BYTES_MAX = 64 * 1_024;
/** Pause relative to the length of a round: rounds take at most half of the time. */
const REST_PER_ROUND = 1;
/**
 * Clients written to without yielding. Messages that arrive in between still reach the clients later in the
 * round.
 */
const IN_A_ROW = 64;

/** All pending writes of one process to the clients of a stream. */
export class Broadcast {
  readonly #filled = new Set<Outbox>();
  #isScheduled = false;
  #nextRoundAtMs = 0;
  #latest: { readonly text: string; readonly frame: Buffer } | undefined;

  open(socket: Duplex): Outbox {
    return new Outbox(socket, this);
  }

  /** Frames a text; the same text in a row is framed once. */
  frameOf(text: string): Buffer {
    if (this.#latest?.text !== text) this.#latest = { text, frame: textFrame(text) };
    return this.#latest.frame;
  }

  /** Schedules `outbox` for writing. */
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

  /** Writes to the next clients of a round, then yields. */
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

/** The clients that had pending frames when the round started. */
interface Round {
  readonly outboxes: readonly Outbox[];
  next: number;
  tookMs: number;
  shared: Piece;
}

/** Frames, and their concatenation. */
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

  /** Bytes not yet handed to the operating system. */
  get bufferedBytes(): number {
    return this.#waitingBytes + this.#socket.writableLength;
  }

  /** Queues text to be written soon, after everything sent before. */
  send(text: string): void {
    const frame = this.#all.frameOf(text);
    this.#frames.push(frame);
    this.#waitingBytes += frame.length;
    if (this.#waitingBytes > GATHERED_BYTES_MAX) this.flush();
    else this.#all.fill(this);
  }

  /** Writes the pending frames at once. */
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

  /** Drops the pending frames. */
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

/** A complete server message in one frame (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = textHeader(length, length);
  frame.write(text, frame.length - length);
  return frame;
}

/**
 * The header of such a frame, unmasked, with a length of 1, 2 or 8 bytes; leaves room for `behind` bytes after
 * it.
 */
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
