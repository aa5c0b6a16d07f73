// One client of the portfolio stream: what it listens to, how long it has been silent, and how much
// waits to be read by it. A client that does not keep up is cut, so that it costs nobody memory.
import type { RawData, WebSocket } from 'ws';
import { REJECTION_CODES } from '../core/rejection.ts';
import type { SocketEnd } from './counts.ts';
import { readWith } from './faults.ts';
import { MalformedJson, parseJsonText } from './json.ts';
import { type ApiKey, owns } from './key-store.ts';
import type { StreamLimits } from './limits.ts';
import {
  CHANNELS,
  type Channel,
  type ChannelAnswer,
  echoedId,
  type Frame,
  type FrameAnswer,
  frameSchema,
  isChannel,
} from './stream-frames.ts';
import { type Bucket, fullBucket, takeToken } from './token-bucket.ts';

/** Why the gateway ends a connection: close code, what the client is told, and what is counted. */
const ENDS = {
  binary: { code: 1003, reason: 'text frames only', count: 'protocol' },
  silent: { code: 1008, reason: 'no heartbeat', count: 'silent' },
  flood: { code: 1008, reason: 'too many frames', count: 'protocol' },
  shutdown: { code: 1012, reason: 'restarting', count: 'shutdown' },
  slow: { code: 1013, reason: 'reading too slowly', count: 'slow' },
  revoked: { code: 4401, reason: 'key no longer in force', count: 'unauthorised' },
} as const satisfies Record<string, { code: number; reason: string; count: SocketEnd }>;

/** A close frame behind a full buffer is never read: the socket ends soon after all the same. */
const TERMINATE_AFTER_MS = 1_000;

/** `all` stands for every account of the key. */
type Listening = ReadonlySet<string>;
const ALL = 'all';

export interface ConnectionParts {
  readonly key: ApiKey;
  readonly limits: StreamLimits;
  readonly nowMs: () => number;
  /** Told when the gateway ends the connection. */
  readonly dropped: (why: SocketEnd) => void;
}

export class StreamConnection {
  readonly key: ApiKey;
  readonly #socket: WebSocket;
  readonly #limits: StreamLimits;
  readonly #nowMs: () => number;
  readonly #dropped: (why: SocketEnd) => void;
  readonly #channels = new Map<Channel, Listening>();
  #bucket: Bucket;
  #heardAtMs: number;

  constructor(socket: WebSocket, parts: ConnectionParts) {
    this.key = parts.key;
    this.#socket = socket;
    this.#limits = parts.limits;
    this.#nowMs = parts.nowMs;
    this.#dropped = parts.dropped;
    this.#heardAtMs = parts.nowMs();
    this.#bucket = fullBucket(parts.limits.rate, this.#heardAtMs);
    socket.on('message', (raw, isBinary) => this.#receive(raw, isBinary));
    socket.on('ping', () => this.#allowed());
    // Broken frames and resets: ws closes the connection itself, with the code that fits.
    socket.on('error', () => socket.terminate());
  }

  /** True when the client asked for this channel and account, and may see the account. */
  wants(channel: Channel, account: string): boolean {
    const listening = this.#channels.get(channel);
    if (listening === undefined || !owns(this.key, account)) return false;
    return listening.has(ALL) || listening.has(account);
  }

  /** Sends text, or cuts the client when too much is waiting already. */
  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#limits.bufferedBytesMax) {
      this.close('slow');
    } else this.#socket.send(text);
  }

  close(why: keyof typeof ENDS): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const { code, reason, count } = ENDS[why];
    this.#dropped(count);
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), TERMINATE_AFTER_MS).unref();
  }

  /** To be called now and then: ends the connection when it has been silent too long. */
  checkIdle(): void {
    if (this.#nowMs() - this.#heardAtMs > this.#limits.idleMs) {
      this.close('silent');
    }
  }

  /** Counts something heard; false and closed when there is too much of it. */
  #allowed(): boolean {
    this.#heardAtMs = this.#nowMs();
    const taking = takeToken(this.#bucket, this.#limits.rate, this.#heardAtMs);
    this.#bucket = taking.bucket;
    if (taking.kind === 'empty') this.close('flood');
    return taking.kind === 'taken';
  }

  #receive(raw: RawData, isBinary: boolean): void {
    if (!this.#allowed()) return;
    if (isBinary) this.close('binary');
    else this.send(JSON.stringify(this.#answer(raw.toString())));
  }

  #answer(text: string): FrameAnswer {
    let input: unknown;
    try {
      input = parseJsonText(text);
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      return faulty('error', `the frame ${error.message}`);
    }
    const read = readWith(frameSchema, input);
    if ('value' in read) return this.#obey(read.value);
    const [first] = read.rejections;
    return faulty('error', `${first?.field ?? ''}: ${first?.message ?? ''}`);
  }

  #obey(frame: Frame): FrameAnswer {
    const id = echoedId(frame.id);
    if (frame.op === 'heartbeat') return { id, op: 'heartbeat', code: 0 };
    const data = frame.data.map(({ channel }) =>
      frame.op === 'subscribe'
        ? this.#subscribe(channel, frame)
        : this.#unsubscribe(channel, frame),
    );
    if (data.length > 0) return { id, op: frame.op, code: 0, data };
    const message = `data: is missing; accepted: channels among ${CHANNELS.join(', ')}`;
    return { ...faulty(frame.op, message), id };
  }

  #subscribe(channel: string, { accountId }: Frame): ChannelAnswer {
    if (!isChannel(channel)) return refused(channel, `accepted: ${CHANNELS.join(', ')}`);
    if (accountId === undefined && channel === 'order.change.any') {
      return refused(channel, 'accountId: is missing; accepted: an account of this key');
    }
    if (accountId !== undefined && !owns(this.key, accountId)) {
      return refused(channel, 'accountId: is not an account of this key');
    }
    const listening = this.#channels.get(channel) ?? new Set<string>();
    this.#channels.set(channel, new Set([...listening, accountId ?? ALL]));
    return { channel, success: true, errorMsg: null };
  }

  /** Without an account everything of the channel ends. */
  #unsubscribe(channel: string, { accountId }: Frame): ChannelAnswer {
    if (!isChannel(channel)) return refused(channel, `accepted: ${CHANNELS.join(', ')}`);
    const rest = new Set(this.#channels.get(channel));
    if (accountId === undefined) rest.clear();
    else rest.delete(accountId);
    if (rest.size === 0) this.#channels.delete(channel);
    else this.#channels.set(channel, rest);
    return { channel, success: true, errorMsg: null };
  }
}

const refused = (channel: string, errorMsg: string): ChannelAnswer => ({
  channel,
  success: false,
  errorMsg,
});

const faulty = (op: string, message: string): FrameAnswer => ({
  id: null,
  op,
  code: REJECTION_CODES.invalid_parameter,
  message,
});
