// The subscriptions of one connection. A channel that is unknown, or that the login does not allow, is left out of the
// answer; a private channel ends with the login that opened it.
import type { Reply } from '../../../ports/trading-desk.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { done } from '../../order-api/method.ts';
import { rawNeedsLogin } from '../../order-api/refusals.ts';
import type { ChannelFamily, OpenChannel } from '../channels/deribit-channel.ts';
import type { Login } from '../method/deribit-login.ts';
import type { NotificationFrames } from './notification-frames.ts';

export interface DeribitSubscriptionsOptions {
  readonly families: readonly ChannelFamily[];
  readonly frames: NotificationFrames;
  readonly send: (frame: Buffer) => void;
  readonly limits: Pick<RidLimits, 'marketsMax' | 'marketsOfStrangersMax'>;
}

export interface SubscriptionWish {
  readonly channels: readonly string[];
  /** Opens private channels too; absent: only public ones. */
  readonly login?: Login | undefined;
  /** Whether the connection has logged in: then it may have raw channels and more markets. */
  readonly isKnown: boolean;
  readonly label?: string | undefined;
}

interface Opened extends OpenChannel {
  /** Of the private channels of a login; absent for channels that are public. */
  readonly login: Login | undefined;
}

/** Channels of one connection: five requests of the largest size. */
const CHANNELS_MAX = 2_500;

export class DeribitSubscriptions {
  readonly #parts: DeribitSubscriptionsOptions;
  readonly #opened = new Map<string, Opened>();
  #markets = 0;

  constructor(parts: DeribitSubscriptionsOptions) {
    this.#parts = parts;
  }

  subscribe(wish: SubscriptionWish): Reply<readonly string[]> {
    const { families } = this.#parts;
    if (!wish.isKnown) {
      const raw = wish.channels.find((name) => families.some((family) => family.isRaw(name)));
      if (raw !== undefined) return rawNeedsLogin(raw);
    }
    const granted = new Set(wish.channels.filter((name) => this.#isGranted(name, wish)));
    return done([...granted]);
  }

  unsubscribe(names: readonly string[]): readonly string[] {
    return [...new Set(names)].filter((name) => this.#left(name));
  }

  /** Closes the private channels whose login `isInForce` no longer accepts. */
  prune(isInForce: (login: Login) => boolean): void {
    for (const [name, { login }] of [...this.#opened]) {
      if (login !== undefined && !isInForce(login)) this.#left(name);
    }
  }

  close(): void {
    for (const name of [...this.#opened.keys()]) this.#left(name);
  }

  #left(name: string): boolean {
    const opened = this.#opened.get(name);
    if (opened === undefined) return false;
    this.#opened.delete(name);
    this.#markets -= opened.markets;
    opened.leave();
    return true;
  }

  /** Subscribing to the same channel again keeps the subscription, unless it was another account's. */
  #isGranted(name: string, wish: SubscriptionWish): boolean {
    const before = this.#opened.get(name);
    if (before !== undefined) {
      const isOther = before.login !== undefined && wish.login?.account !== before.login.account;
      if (!isOther) return true;
      if (wish.login === undefined) return false;
      this.#left(name);
    }
    if (this.#opened.size >= CHANNELS_MAX) return false;
    const opened = this.#open(name, wish);
    if (opened === undefined) return false;
    this.#opened.set(name, opened);
    this.#markets += opened.markets;
    return true;
  }

  #open(name: string, { login, label, isKnown }: SubscriptionWish): Opened | undefined {
    const { families, frames, send, limits } = this.#parts;
    const params = { channel: name, ...(label === undefined || label === '' ? {} : { label }) };
    const head = `{"jsonrpc":"2.0","method":"subscription","params":${JSON.stringify(params).slice(0, -1)},"data":`;
    const notify = (data: string): void => send(frames.frameOf(head, data, '}}'));
    // What a channel publishes while it is opened follows the answer to the request.
    let isAnswered = false;
    const publish = (data: string): void => {
      if (isAnswered) notify(data);
      else queueMicrotask(() => notify(data));
    };
    for (const family of families) {
      const opened = family.open(name, { login: undefined, publish });
      const own = opened ?? (login && family.open(name, { login, publish }));
      if (own === undefined) continue;
      queueMicrotask(() => {
        isAnswered = true;
      });
      const marketsMax = isKnown ? limits.marketsMax : limits.marketsOfStrangersMax;
      if (this.#markets + own.markets > marketsMax) {
        own.leave();
        return undefined;
      }
      return { ...own, login: opened === undefined ? login : undefined };
    }
    return undefined;
  }
}
