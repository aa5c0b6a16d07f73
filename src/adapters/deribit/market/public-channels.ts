// Subscriptions to public channels over a connection that may break. A channel is subscribed to while it has a listener,
// and again after every reconnect. Calls are few, because each costs a tenth of the venue's burst: one at a time, with
// all changes that gathered meanwhile. The venue leaves a channel out of its answer without an error: such a channel is
// reported once and tried again with growing pauses.
//
// To be measured (docs/deribit.md): whether a channel may be subscribed to twice; after a call whose outcome is unknown
// it is unsubscribed from first. An error about a whole call is assumed to be caused by some of its channels: the call
// is repeated in halves, until one channel alone is refused.
import type { Clock } from '../../../ports/clock.ts';
import { MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import { Backoff, type BackoffRule } from '../../../values/backoff.ts';
import { later } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import { type Outcome, type SendRequest, whyFailed } from '../outcome.ts';

export interface PublicChannelsOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly request: SendRequest;
  readonly onFault: (error: unknown) => void;
}

type Receive = (data: unknown) => void;

/** Changes within this time go out in one call. */
const GATHER_MS = 20;
const CHANNELS_MAX = 500;
/** Of the names in one call; the venue takes requests of 32 kB. */
const NAMES_LENGTH_MAX = 28_000;
const RETRY: BackoffRule = { minMs: 1_000, maxMs: 300_000, heldMs: 0 };
const SHOWN_MAX = 5;

export class PublicChannels {
  readonly #parts: PublicChannelsOptions;
  readonly #listeners = new Map<string, Set<{ readonly receive: Receive }>>();
  /** Granted on the current connection, or perhaps granted. */
  readonly #held = new Set<string>();
  /** To be unsubscribed from before they are subscribed to again. */
  readonly #renewed = new Set<string>();
  /** Not granted: waiting for the next attempt. */
  readonly #resting = new Set<string>();
  readonly #refused = new Map<string, Backoff>();
  #isUp = false;
  /** Counts connections, so that answers of an earlier one are ignored. */
  #connection = 0;
  #isScheduled = false;
  #isWorking = false;
  /** The most channels of the next call. */
  #callMax = CHANNELS_MAX;

  constructor(parts: PublicChannelsOptions) {
    this.#parts = parts;
  }

  /** Subscribes a listener until the returned function is called. */
  listen(channel: string, receive: Receive): () => void {
    const entry = { receive };
    const known = this.#listeners.get(channel);
    // Left a moment ago and still held: a newcomer must have the first message too.
    if (known === undefined && this.#held.has(channel)) this.#renewed.add(channel);
    const listeners = known ?? new Set();
    this.#listeners.set(channel, listeners.add(entry));
    this.#schedule();
    return () => {
      listeners.delete(entry);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#refused.delete(channel);
      this.#resting.delete(channel);
      this.#schedule();
    };
  }

  /** Ends the subscription and begins it again, for channels that begin with a snapshot; not of a channel that is not held. */
  renew(channel: string): void {
    if (!this.#held.has(channel)) return;
    this.#renewed.add(channel);
    this.#schedule();
  }

  isHeld(channel: string): boolean {
    return this.#held.has(channel) && !this.#renewed.has(channel);
  }

  receive(channel: string, data: unknown): void {
    for (const { receive } of this.#listeners.get(channel) ?? []) receive(data);
  }

  up(): void {
    this.#connection += 1;
    this.#isUp = true;
    this.#schedule();
  }

  down(): void {
    this.#isUp = false;
    this.#connection += 1;
    this.#held.clear();
    this.#renewed.clear();
    this.#resting.clear();
  }

  #schedule(): void {
    if (!this.#isUp || this.#isScheduled || this.#isWorking) return;
    this.#isScheduled = true;
    const { clock, onFault } = this.#parts;
    clock.at(later(clock.now(), GATHER_MS), () => {
      this.#isScheduled = false;
      this.#isWorking = true;
      this.#work()
        .catch(onFault)
        .finally(() => {
          this.#isWorking = false;
          if (this.#leaving().length + this.#joining().length > 0) this.#schedule();
        });
    });
  }

  async #work(): Promise<void> {
    while (this.#isUp) {
      const leaving = this.#batch(this.#leaving(), CHANNELS_MAX);
      const joining = this.#batch(this.#joining(), this.#callMax);
      if (leaving.length > 0) await this.#leave(leaving);
      else if (joining.length > 0) await this.#join(joining);
      else return;
    }
  }

  #leaving(): readonly string[] {
    return [...this.#held].filter(
      (one) => !this.#resting.has(one) && (!this.#listeners.has(one) || this.#renewed.has(one)),
    );
  }

  #joining(): readonly string[] {
    return [...this.#listeners.keys()].filter(
      (one) => !this.#held.has(one) && !this.#resting.has(one),
    );
  }

  #batch(channels: readonly string[], most: number): readonly string[] {
    let length = 0;
    const first = channels.slice(0, most);
    const fitting = first.findIndex((one) => {
      length += one.length + 3;
      return length > NAMES_LENGTH_MAX;
    });
    return fitting < 0 ? first : first.slice(0, fitting);
  }

  async #leave(channels: readonly string[]): Promise<void> {
    const connection = this.#connection;
    const outcome = await this.#parts.request('public/unsubscribe', { channels });
    if (connection !== this.#connection) return;
    // Not a byte was sent: they are still held.
    if (outcome.kind === 'unsent') return this.#rest(channels);
    for (const channel of channels) {
      this.#held.delete(channel);
      this.#renewed.delete(channel);
    }
  }

  async #join(channels: readonly string[]): Promise<void> {
    const connection = this.#connection;
    const outcome = await this.#parts.request('public/subscribe', { channels });
    if (connection !== this.#connection) return;
    if (outcome.kind === 'result') return this.#accept(channels, outcome.value);
    if (outcome.kind === 'error' && channels.length > 1) {
      this.#callMax = Math.ceil(channels.length / 2);
      return;
    }
    if (outcome.kind === 'unknown') {
      for (const channel of channels) this.#renewed.add(channel);
      for (const channel of channels) this.#held.add(channel);
    }
    this.#refuse(channels, outcome);
  }

  #accept(channels: readonly string[], granted: unknown): void {
    this.#callMax = Math.min(CHANNELS_MAX, 2 * this.#callMax);
    const isList = Array.isArray(granted);
    if (!isList) {
      this.#parts.onFault(new MalformedMessage('the answer to public/subscribe is not a list'));
    }
    const held = new Set<unknown>(isList ? granted : []);
    for (const channel of channels) {
      if (!held.has(channel)) continue;
      this.#held.add(channel);
      this.#refused.delete(channel);
    }
    this.#refuse(channels.filter((one) => !held.has(one)));
  }

  #refuse(channels: readonly string[], outcome?: Exclude<Outcome, { kind: 'result' }>): void {
    const news = channels.filter((one) => this.#listeners.has(one) && !this.#refused.has(one));
    for (const channel of news) this.#refused.set(channel, this.#backoff(channel));
    this.#rest(channels);
    if (news.length === 0) return;
    const shown = news.slice(0, SHOWN_MAX).join(', ');
    const others = news.length > SHOWN_MAX ? ` and ${news.length - SHOWN_MAX} others` : '';
    const why = outcome === undefined ? 'left out of the answer' : whyFailed(outcome);
    this.#parts.onFault(new Error(`not subscribed to ${shown}${others}: ${why}`));
  }

  /** The shortest pause of theirs, so that they are tried in one call. */
  #rest(channels: readonly string[]): void {
    if (channels.length === 0) return;
    const { clock } = this.#parts;
    const connection = this.#connection;
    const pauses = channels.map((one) => this.#refused.get(one)?.nextMs() ?? RETRY.minMs);
    for (const channel of channels) this.#resting.add(channel);
    clock.at(later(clock.now(), Math.min(...pauses)), () => {
      if (connection !== this.#connection) return;
      for (const channel of channels) this.#resting.delete(channel);
      this.#schedule();
    });
  }

  #backoff(channel: string): Backoff {
    return new Backoff(RETRY, this.#parts.rng.split(channel));
  }
}
