// News across the processes of a deployment through Redis pub/sub. Listeners in this process get it
// immediately, whatever the state of Redis; other processes get it while Redis is up, at most once and in
// order. News have a channel of their own, to which a process subscribes only while it has listeners: where nobody
// listens none are sent. Nudges and greetings reach every process.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { EventBus, PortfolioNews } from '../../ports/event-bus.ts';
import { type Nudges, nudgeFault } from '../../ports/nudges.ts';
import { FanOut } from '../../values/fan-out.ts';
import {
  decodeNews,
  encodeHello,
  encodeNews,
  encodeNudge,
  messageStart,
  type NudgeMessage,
} from './news-codec.ts';
import { OutgoingBuffer } from './outgoing-buffer.ts';
import { SeenSequences } from './seen-sequences.ts';

export interface RedisEventBusOptions {
  readonly url: string;
  /** First part of the channel name, one per deployment. */
  readonly prefix: string;
  /** Called for a lost connection, or for an exception of a listener. */
  readonly onFault: (error: unknown) => void;
  /** Called with the number of messages dropped because Redis was away for too long. */
  readonly onDropped: (count: number) => void;
  /** Called if a message of another process could not be read. */
  readonly onBadMessage: (why: string) => void;
  /** Messages kept while Redis is away, 10 000 by default. */
  readonly bufferMax?: number;
}

const BATCH_MAX = 200;
const COMMAND_TIMEOUT_MS = 2_000;
/** A subscriber only listens: without regular pings it would never notice a dead connection. */
const PING_EVERY_MS = 5_000;
const RETRY_MS_MAX = 5_000;
/** How long closing waits for messages that are still to be sent. */
const FLUSH_MS_MAX = 1_000;
const FLUSH_LOOK_MS = 5;

export class RedisEventBus implements EventBus, Nudges {
  readonly #options: RedisEventBusOptions;
  readonly #instance = crypto.randomUUID();
  /** Of nudges and greetings, and of the news of processes of earlier versions. */
  readonly #channel: string;
  readonly #newsChannel: string;
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #fanOut: FanOut<PortfolioNews>;
  readonly #nudges: FanOut<NudgeMessage>;
  readonly #outgoing: OutgoingBuffer<Outgoing>;
  readonly #seen = new SeenSequences();
  readonly #ping: NodeJS.Timeout;
  /** Starts every message of this process, which is thereby recognised as our own without being parsed. */
  readonly #ownStart: string;
  #sequence = 0;
  /** False while no other process listens: then nothing is sent. A new process says hello. */
  #hasPeers = true;
  /** False while no other process listens to news. One that begins to says hello. */
  #hasReaders = true;
  /** Whether this process has listeners to news. */
  #isReader = false;
  /** The channels that Redis has confirmed: only where this process counts itself is a count of the others right. */
  readonly #confirmed = new Set<string>();
  /** A hello is to be sent; it takes no place among what waits. */
  #owesHello = false;
  /** How often a process has said hello; a count that was taken before is out of date. */
  #hellos = 0;
  #sending = false;
  #closed = false;

  constructor(options: RedisEventBusOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:news`;
    this.#newsChannel = `${options.prefix}:turns`;
    this.#ownStart = messageStart(this.#instance);
    this.#fanOut = new FanOut(options.onFault);
    this.#nudges = new FanOut(options.onFault);
    this.#outgoing = new OutgoingBuffer(options.bufferMax ?? 10_000, options.onDropped);
    this.#publisher = this.#connect('twapd-news-out', {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: COMMAND_TIMEOUT_MS + 1_000,
    });
    this.#publisher.on('ready', () => {
      // The others may not have subscribed again yet: a count would miss them.
      this.#mayBeHeard();
      void this.#send();
    });
    this.#subscriber = this.#connect('twapd-news-in', {
      maxRetriesPerRequest: null,
      socketTimeout: PING_EVERY_MS + COMMAND_TIMEOUT_MS,
    });
    this.#subscriber.on('message', (_channel, text) => this.#receive(text));
    this.#subscriber.on('ready', () => {
      void this.#listenTo(this.#channel);
      if (this.#isReader) void this.#listenTo(this.#newsChannel);
    });
    this.#subscriber.on('close', () => {
      this.#confirmed.clear();
      this.#mayBeHeard();
    });
    this.#ping = setInterval(() => this.#checkSubscriber(), PING_EVERY_MS);
    this.#ping.unref();
  }

  get isHeard(): boolean {
    return this.#fanOut.isHeard || this.#hasReaders;
  }

  publish(news: readonly PortfolioNews[]): void {
    if (this.#closed || news.length === 0) return;
    this.#fanOut.send(news);
    if (!this.#hasReaders) return;
    const messages = news.map((each) => {
      this.#sequence += 1;
      const text = encodeNews({ from: this.#instance, sequence: this.#sequence, news: each });
      return { channel: this.#newsChannel, text };
    });
    this.#outgoing.add(messages);
    void this.#send();
  }

  subscribe(listener: (news: PortfolioNews) => void): () => void {
    const leave = this.#fanOut.add(listener);
    this.#readNews();
    return () => {
      leave();
      this.#readNews();
    };
  }

  nudge(topic: string, text = ''): void {
    const fault = nudgeFault(topic, text);
    if (fault !== undefined) return this.#options.onFault(fault);
    if (this.#closed || !this.#hasPeers) return;
    this.#outgoing.add([this.#toAll(encodeNudge(this.#instance, { nudge: topic, text }))]);
    void this.#send();
  }

  onNudge(topic: string, listener: (text: string) => void): () => void {
    return this.#nudges.add(({ nudge, text }) => {
      if (nudge === topic) listener(text);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#ping);
    this.#fanOut.clear();
    this.#nudges.clear();
    const until = performance.now() + FLUSH_MS_MAX;
    while (this.#unsent && performance.now() < until) await sleep(FLUSH_LOOK_MS);
    if (this.#outgoing.size > 0) this.#options.onDropped(this.#outgoing.size);
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  get #unsent(): boolean {
    const waits = this.#owesHello || this.#outgoing.size > 0;
    return waits && this.#publisher.status === 'ready';
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      while (this.#unsent) await this.#sendBatch();
    } catch (error) {
      this.#outgoing.repeat();
      this.#options.onFault(error);
      setTimeout(() => void this.#send(), COMMAND_TIMEOUT_MS).unref();
    } finally {
      this.#sending = false;
    }
  }

  async #sendBatch(): Promise<void> {
    const pipeline = this.#publisher.pipeline();
    const greets = this.#owesHello;
    this.#owesHello = false;
    if (greets) pipeline.publish(this.#channel, encodeHello(this.#instance));
    for (const { channel, text } of this.#outgoing.take(BATCH_MAX)) pipeline.publish(channel, text);
    try {
      for (const [error] of (await pipeline.exec()) ?? []) {
        if (error !== null) throw error;
      }
    } catch (error) {
      this.#owesHello ||= greets;
      throw error;
    }
    this.#outgoing.confirm();
  }

  /** Subscribes to news while somebody here listens. */
  #readNews(): void {
    if (this.#closed || this.#isReader === this.#fanOut.isHeard) return;
    this.#isReader = this.#fanOut.isHeard;
    if (this.#subscriber.status !== 'ready') return;
    if (this.#isReader) void this.#listenTo(this.#newsChannel);
    else void this.#leave(this.#newsChannel);
  }

  async #leave(channel: string): Promise<void> {
    this.#confirmed.delete(channel);
    try {
      await this.#subscriber.unsubscribe(channel);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #listenTo(channel: string): Promise<void> {
    try {
      await this.#subscriber.subscribe(channel);
    } catch (error) {
      return this.#failed(error);
    }
    if (this.#closed || this.#subscriber.status !== 'ready') return;
    if (channel === this.#channel || this.#isReader) this.#confirmed.add(channel);
    this.#owesHello = true;
    void this.#send();
  }

  #toAll(text: string): Outgoing {
    return { channel: this.#channel, text };
  }

  #mayBeHeard(): void {
    this.#hasPeers = true;
    this.#hasReaders = true;
  }

  #failed(error: unknown): void {
    if (!this.#closed) this.#options.onFault(error);
  }

  #checkSubscriber(): void {
    void this.#countPeers();
    if (this.#subscriber.status !== 'ready') return;
    this.#subscriber.ping().catch((error: unknown) => this.#failed(error));
  }

  /** If the count is not available, or may leave this process or a new one out, there may be peers. */
  async #countPeers(): Promise<void> {
    if (this.#publisher.status !== 'ready' || !this.#confirmed.has(this.#channel)) return;
    const isReader = this.#confirmed.has(this.#newsChannel);
    const hellos = this.#hellos;
    try {
      const channels = [this.#channel, this.#newsChannel];
      const [, all, , readers] = await this.#publisher.pubsub('NUMSUB', ...channels);
      if (hellos !== this.#hellos || isReader !== this.#isReader) return this.#mayBeHeard();
      this.#hasPeers = Number(all) !== 1;
      this.#hasReaders = Number(readers) > (isReader ? 1 : 0);
    } catch (error) {
      this.#mayBeHeard();
      this.#failed(error);
    }
  }

  #receive(text: string): void {
    if (text.startsWith(this.#ownStart)) return;
    this.#hasPeers = true;
    const message = decodeNews(text);
    if (message === 'hello') {
      this.#hellos += 1;
      return this.#mayBeHeard();
    }
    if (typeof message === 'string') {
      this.#options.onBadMessage(message);
      return;
    }
    if ('nudge' in message) return this.#nudges.send([message]);
    if (this.#seen.isNew(message.from, message.sequence)) this.#fanOut.send([message.news]);
  }

  #connect(connectionName: string, options: ConnectOptions): Redis {
    const client = new Redis(this.#options.url, {
      connectionName,
      // What is subscribed to again is confirmed, and others are greeted.
      autoResubscribe: false,
      retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times - 1, 10), RETRY_MS_MAX),
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      ...options,
    });
    client.on('error', this.#options.onFault);
    return client;
  }
}

interface Outgoing {
  readonly channel: string;
  readonly text: string;
}

interface ConnectOptions {
  readonly enableOfflineQueue?: boolean;
  readonly maxRetriesPerRequest: number | null;
  readonly commandTimeout?: number;
  readonly socketTimeout?: number;
}
