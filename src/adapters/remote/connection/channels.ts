// Subscriptions to public channels over a connection that may be interrupted. A channel is subscribed to
// while it has a listener, and again after every reconnect.

import { z } from 'zod';
import type { Clock } from '../../../ports/clock.ts';
import { later } from '../../../values/instant.ts';
import { type Ask, MalformedAnswer, readAs } from '../outcome.ts';

export interface ChannelsOptions {
  readonly clock: Clock;
  readonly ask: Ask;
  readonly onFault: (error: unknown) => void;
}

type Listener = (data: unknown) => void;

const RETRY_MS = 1_000;
/** The most channels that the venue accepts in one request. */
const PER_REQUEST_MAX = 500;
const granted = z.array(z.string());

export class Channels {
  readonly #parts: ChannelsOptions;
  readonly #listeners = new Map<string, Set<{ readonly receive: Listener }>>();
  /** Channels requested on the current connection. */
  readonly #asked = new Set<string>();
  /** The last message of each channel on the current connection. */
  readonly #last = new Map<string, unknown>();
  #isUp = false;

  constructor(parts: ChannelsOptions) {
    this.#parts = parts;
  }

  /** Subscribes a listener until the returned function is called. */
  listen(channel: string, receive: Listener): () => void {
    const entry = { receive };
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(entry));
    this.#settle();
    return () => {
      listeners.delete(entry);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#settle();
    };
  }

  /** For channels whose messages are complete snapshots; `undefined` before the first message. */
  lastOf(channel: string): unknown {
    return this.#last.get(channel);
  }

  receive(channel: string, data: unknown): void {
    if (this.#asked.has(channel)) this.#last.set(channel, data);
    for (const { receive } of this.#listeners.get(channel) ?? []) receive(data);
  }

  up(): void {
    this.#isUp = true;
    this.#settle();
  }

  down(): void {
    this.#isUp = false;
    this.#asked.clear();
    this.#last.clear();
  }

  /** Subscribes to wanted channels that are missing, and unsubscribes from those without listeners. */
  #settle(): void {
    if (!this.#isUp) return;
    const missing = [...this.#listeners.keys()].filter((channel) => !this.#asked.has(channel));
    const idle = [...this.#asked].filter((channel) => !this.#listeners.has(channel));
    for (const channel of missing) this.#asked.add(channel);
    for (const channel of idle) {
      this.#asked.delete(channel);
      this.#last.delete(channel);
    }
    for (let from = 0; from < missing.length; from += PER_REQUEST_MAX) {
      void this.#subscribe(missing.slice(from, from + PER_REQUEST_MAX));
    }
    for (let from = 0; from < idle.length; from += PER_REQUEST_MAX) {
      const channels = idle.slice(from, from + PER_REQUEST_MAX);
      void this.#parts.ask('public/unsubscribe', { channels });
    }
  }

  async #subscribe(channels: readonly string[]): Promise<void> {
    const { ask, clock, onFault } = this.#parts;
    const outcome = await ask('public/subscribe', { channels });
    if (outcome.kind === 'result') {
      const read = readAs(granted, outcome.value, 'the answer to public/subscribe');
      if ('fault' in read) return onFault(read.fault);
      const refused = channels.filter((channel) => !read.value.includes(channel));
      if (refused.length === 0) return;
      // The instrument may have expired; a repeated request would be refused too.
      return onFault(new MalformedAnswer(`not granted: ${refused.slice(0, 5).join(', ')}`));
    }
    for (const channel of channels) this.#asked.delete(channel);
    if (this.#isUp) clock.at(later(clock.now(), RETRY_MS), () => this.#settle());
  }
}
