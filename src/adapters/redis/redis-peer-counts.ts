// Shares counts between processes through Redis pub/sub. While Redis is away nothing is sent or received, and
// each process limits by its own counts.
import { Redis } from 'ioredis';
import { type Counts, type PeerCounts, positiveCounts } from '../../ports/peer-counts.ts';
import { FanOut } from '../../values/fan-out.ts';

export interface RedisPeerCountsOptions {
  readonly url: string;
  /** First part of the channel name, one per deployment. */
  readonly prefix: string;
  readonly onFault: (error: unknown) => void;
}

interface Message {
  readonly from: string;
  readonly counts: Counts;
}

const RETRY_MS_MAX = 5_000;
const COMMAND_TIMEOUT_MS = 2_000;
/** A subscriber only listens: without regular pings it would never notice a dead connection. */
const PING_EVERY_MS = 5_000;

export class RedisPeerCounts implements PeerCounts {
  readonly #options: RedisPeerCountsOptions;
  readonly #instance = crypto.randomUUID();
  readonly #channel: string;
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #fanOut: FanOut<Counts>;
  readonly #ping: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: RedisPeerCountsOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:counts`;
    this.#fanOut = new FanOut(options.onFault);
    this.#publisher = this.#connect('twapd-counts-out', false);
    this.#subscriber = this.#connect('twapd-counts-in', true);
    this.#subscriber.on('message', (_channel, text) => this.#receive(text));
    this.#subscriber.subscribe(this.#channel).catch((error: unknown) => this.#fault(error));
    this.#ping = setInterval(() => {
      if (this.#subscriber.status !== 'ready') return;
      this.#subscriber.ping().catch((error: unknown) => this.#fault(error));
    }, PING_EVERY_MS);
    this.#ping.unref();
  }

  /** False while Redis is away. */
  get isReady(): boolean {
    return this.#publisher.status === 'ready' && this.#subscriber.status === 'ready';
  }

  publish(counts: Counts): void {
    if (this.#isClosed || this.#publisher.status !== 'ready') return;
    const message: Message = { from: this.#instance, counts };
    this.#publisher
      .publish(this.#channel, JSON.stringify(message))
      .catch((error: unknown) => this.#fault(error));
  }

  listen(listener: (counts: Counts) => void): () => void {
    return this.#fanOut.add(listener);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#ping);
    this.#fanOut.clear();
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
    return Promise.resolve();
  }

  #receive(text: string): void {
    const message = readMessage(text);
    if (message === undefined) this.#fault(new Error('a message of shared counts is not readable'));
    else if (message.from !== this.#instance) this.#fanOut.send([message.counts]);
  }

  #fault(error: unknown): void {
    if (!this.#isClosed) this.#options.onFault(error);
  }

  #connect(connectionName: string, isSubscriber: boolean): Redis {
    const client = new Redis(this.#options.url, {
      connectionName,
      retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times - 1, 10), RETRY_MS_MAX),
      maxRetriesPerRequest: isSubscriber ? null : 0,
      enableOfflineQueue: isSubscriber,
      ...(isSubscriber ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
    });
    client.on('error', (error) => this.#fault(error));
    return client;
  }
}

/** Returns `undefined` for a message of another program or another version. */
function readMessage(text: string): Message | undefined {
  let message: Partial<Message> | null;
  try {
    message = JSON.parse(text) as Partial<Message> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  if (typeof message?.from !== 'string' || typeof message.counts !== 'object') return undefined;
  return { from: message.from, counts: positiveCounts(message.counts ?? {}) };
}
