// One client of the portfolio stream: its subscriptions, idle time and backlog. A client that does not keep up
// is disconnected, so that it does not use up memory.
import { setTimeout as rest } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { REJECTION_CODES } from '../../core/rejection.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { StreamLimits } from '../limits/limits.ts';
import { type Bucket, fullBucket, takeToken } from '../limits/token-bucket.ts';
import type { OpenConnection } from '../order-api/session/open-connections.ts';
import type { Outbox } from '../wire/broadcast.ts';
import { ClientSocket, readFrameJson } from '../wire/client-socket.ts';
import { readWith } from '../wire/faults.ts';
import type { SocketEnd } from '../wire/gateway-counts-port.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { type Granted, type Outlet, refusedChannel, type StreamChannel } from './stream-channel.ts';
import {
  CHANNELS,
  type Channel,
  echoedId,
  type Frame,
  type FrameAnswer,
  frameSchema,
  isChannel,
} from './stream-frames.ts';

/** Why the gateway closes a connection: the reason sent to the client. */
const REASONS = {
  binary: 'text frames only',
  silent: 'no heartbeat',
  flood: 'too many frames',
  shutdown: 'restarting',
  slow: 'reading too slowly',
  fault: 'internal error',
  away: 'the ledger is out of reach',
  revoked: 'key no longer in force',
} as const;

const ROOM_CHECK_MS = 10;

export interface StreamConnectionOptions {
  readonly key: ApiKey;
  /** The client's address. */
  readonly from: string;
  /** The socket below the WebSocket, for frames that are already serialised. */
  readonly outbox: Outbox;
  readonly limits: StreamLimits;
  readonly nowMs: () => number;
  /** Called when the gateway closes the connection. */
  readonly dropped: (why: SocketEnd) => void;
  readonly report: ReportError;
  readonly channels: (outlet: Outlet) => Readonly<Record<Channel, StreamChannel>>;
}

export class StreamConnection implements OpenConnection {
  readonly key: ApiKey;
  readonly from: string;
  readonly #socket: ClientSocket<keyof typeof REASONS>;
  readonly #outbox: Outbox;
  readonly #limits: StreamLimits;
  readonly #nowMs: () => number;
  readonly #report: ReportError;
  readonly #channels: Readonly<Record<Channel, StreamChannel>>;
  /** Frames are answered one after another. */
  #line: Promise<void> = Promise.resolve();
  #bucket: Bucket;
  #heardAtMs: number;

  constructor(client: WebSocket, parts: StreamConnectionOptions) {
    this.key = parts.key;
    this.from = parts.from;
    this.#outbox = parts.outbox;
    this.#limits = parts.limits;
    this.#nowMs = parts.nowMs;
    this.#report = parts.report;
    this.#heardAtMs = parts.nowMs();
    this.#channels = parts.channels({
      key: parts.key,
      send: (text) => this.send(text),
      room: () => this.#room(),
      giveUp: (error) => this.#giveUp(error, 'away'),
    });
    this.#bucket = fullBucket(parts.limits.rate, this.#heardAtMs);
    this.#socket = new ClientSocket({
      client,
      reasons: REASONS,
      heard: () => this.#allowed(),
      received: (frame) => this.#receive(frame),
      leaving: () => this.#outbox.flush(),
      dropped: parts.dropped,
    });
    client.on('close', () => {
      this.#outbox.drop();
      for (const channel of CHANNELS) this.#channels[channel].close();
    });
  }

  get keys(): Iterable<ApiKey> {
    return [this.key];
  }

  /** Sends text, or disconnects the client if its backlog is too large. */
  send(text: string): void {
    if (!this.#socket.isOpen) return;
    if (this.#outbox.bufferedBytes > this.#limits.bufferedBytesMax) {
      this.end('slow');
    } else this.#outbox.send(text);
  }

  end(why: keyof typeof REASONS): void {
    this.#socket.end(why);
  }

  /** Nothing is left to do. */
  gone(): Promise<void> {
    return Promise.resolve();
  }

  /** Bytes the client has not read yet. */
  get backlogBytes(): number {
    return this.#outbox.bufferedBytes;
  }

  /** Must be called periodically: closes the connection after too long a silence. */
  check(): void {
    if (this.#nowMs() - this.#heardAtMs > this.#limits.idleMs) {
      this.end('silent');
    }
  }

  /** Counts a received frame; returns false and closes the connection if there are too many. */
  #allowed(): boolean {
    this.#heardAtMs = this.#nowMs();
    const taking = takeToken(this.#bucket, this.#limits.rate, this.#heardAtMs);
    this.#bucket = taking.bucket;
    if (taking.kind === 'empty') this.end('flood');
    return taking.kind === 'taken';
  }

  #receive(frame: Buffer): void {
    this.#line = this.#line
      .then(() => this.#obeyFrame(frame))
      .catch((error: unknown) => this.#giveUp(error, 'fault'));
  }

  async #obeyFrame(frame: Buffer): Promise<void> {
    if (!this.#socket.isOpen) return;
    const { answer, begins } = await this.#answer(frame);
    this.send(JSON.stringify(answer));
    for (const begin of begins) begin();
  }

  async #answer(frame: Buffer): Promise<Obeyed> {
    const input = readFrameJson(frame);
    if ('fault' in input) return only(faulty('error', input.fault));
    const read = readWith(frameSchema, input.value);
    if ('value' in read) return await this.#obey(read.value);
    const [first] = read.rejections;
    return only(faulty('error', `${first?.field ?? ''}: ${first?.message ?? ''}`));
  }

  async #obey(frame: Frame): Promise<Obeyed> {
    const id = echoedId(frame.id);
    if (frame.op === 'heartbeat') return only({ id, op: 'heartbeat', code: 0 });
    const granted: Granted[] = [];
    for (const { channel } of frame.data) granted.push(await this.#change(frame, channel));
    if (granted.length === 0) {
      const message = `data: is missing; accepted: a list of channels (${CHANNELS.join(', ')})`;
      return only({ ...faulty(frame.op, message), id });
    }
    const data = granted.map(({ answer }) => answer);
    const begins = granted.flatMap(({ begin }) => begin ?? []);
    return { answer: { id, op: frame.op, code: 0, data }, begins };
  }

  async #change({ op, accountId, after }: Frame, channel: string): Promise<Granted> {
    if (!isChannel(channel)) {
      return { answer: refusedChannel(channel, `accepted: ${CHANNELS.join(', ')}`) };
    }
    if (op === 'subscribe') return await this.#channels[channel].subscribe({ accountId, after });
    this.#channels[channel].unsubscribe(accountId);
    return { answer: { channel, success: true, errorMsg: null } };
  }

  /** Waits until the client has read; disconnects it if it does not. */
  async #room(): Promise<void> {
    const { bufferedBytesMax, roomMs } = this.#limits;
    const until = performance.now() + roomMs;
    while (this.#socket.isOpen && this.#outbox.bufferedBytes > bufferedBytesMax / 2) {
      if (performance.now() > until) return this.end('slow');
      await rest(ROOM_CHECK_MS);
    }
  }

  #giveUp(error: unknown, why: 'away' | 'fault'): void {
    this.#report(error, 'stream');
    this.end(why);
  }
}

/** An answer, and the subscriptions to start once it has been sent. */
interface Obeyed {
  readonly answer: FrameAnswer;
  readonly begins: readonly (() => void)[];
}

const only = (answer: FrameAnswer): Obeyed => ({ answer, begins: [] });

const faulty = (op: string, message: string): FrameAnswer => ({
  id: null,
  op,
  code: REJECTION_CODES.invalid_parameter,
  message,
});
