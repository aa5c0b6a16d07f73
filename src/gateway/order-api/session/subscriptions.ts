// The subscriptions of one connection. A channel that is not available is left out of the answer, and their
// number is bounded, so that no client costs too much.
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type KeyNeed, satisfies } from '../../auth/key-needs.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { type Channel, isRaw, needOf, parseChannel } from '../channels/channel.ts';
import type { ChannelSource, Opened } from '../channels/channel-source.ts';
import { done } from '../method.ts';
import { rawNeedsLogin } from '../refusals.ts';
import type { Subscribing } from './session.ts';

export interface SubscriptionsOptions {
  readonly source: ChannelSource;
  readonly send: (text: string) => void;
  readonly limits: Pick<RidLimits, 'channelsMax' | 'marketsMax' | 'marketsOfStrangersMax'>;
  /** Of authenticated clients. */
  readonly key: ApiKey | undefined;
}

export class Subscriptions {
  readonly #parts: SubscriptionsOptions;
  readonly #opened = new Map<string, Opened>();
  #markets = 0;

  constructor(parts: SubscriptionsOptions) {
    this.#parts = parts;
  }

  subscribe(wish: Subscribing): Reply<readonly string[]> {
    if (this.#parts.key === undefined) {
      const raw = wish.channels.find((name) => {
        const channel = parseChannel(name);
        return channel !== undefined && isRaw(channel);
      });
      if (raw !== undefined) return rawNeedsLogin(raw);
    }
    return done(wish.channels.filter((name) => this.#isGranted(name, wish)));
  }

  /** Returns the channels that had been subscribed to; user channels are those of the account. */
  unsubscribe(names: readonly string[], account?: AccountId): readonly string[] {
    return names.filter((name) => this.#left(keyOf(name, account)));
  }

  close(): void {
    for (const key of [...this.#opened.keys()]) this.#left(key);
  }

  #left(key: string): boolean {
    const opened = this.#opened.get(key);
    if (opened === undefined) return false;
    this.#opened.delete(key);
    this.#markets -= opened.markets;
    opened.leave();
    return true;
  }

  /** Subscribing to the same channel again keeps the existing subscription. */
  #isGranted(name: string, wish: Subscribing): boolean {
    const key = keyOf(name, wish.account);
    if (this.#opened.has(key)) return true;
    const channel = parseChannel(name);
    if (channel === undefined || this.#opened.size >= this.#parts.limits.channelsMax) return false;
    const opened = this.#open(channel, name, wish);
    if (opened === undefined) return false;
    this.#opened.set(key, opened);
    this.#markets += opened.markets;
    return true;
  }

  #open(channel: Channel, name: string, wish: Subscribing): Opened | undefined {
    const { account, label, after } = wish;
    const { source, send, limits, key } = this.#parts;
    const marketsMax = key === undefined ? limits.marketsOfStrangersMax : limits.marketsMax;
    const need = needOf(channel);
    if (need !== undefined && (account === undefined || !isAllowed(key, need))) return undefined;
    const cost = source.cost(channel);
    if (cost === undefined || this.#markets + cost > marketsMax) return undefined;
    const whose = need === undefined ? {} : { accountId: account };
    const params = { channel: name, ...whose, ...(label === undefined ? {} : { label }) };
    const head = JSON.stringify({ method: 'subscription', params }).slice(0, -2);
    return source.open(channel, {
      account,
      after,
      publish: (data, number) => {
        const sequence = number === undefined ? '' : `,"sequence":"${number}"`;
        send(`${head}${sequence},"data":${JSON.stringify(data)}}}`);
      },
      onMissing: (number, reason) => {
        const from = { ...params, sequence: String(number), reason };
        send(JSON.stringify({ method: 'resync', params: from }));
      },
      onGap: () => send(JSON.stringify({ method: 'gap', params })),
      onFault: source.onFault,
    });
  }
}

const isAllowed = (key: ApiKey | undefined, need: KeyNeed): boolean =>
  key !== undefined && satisfies(key, need);

/** The same channel may be subscribed to for several accounts. */
function keyOf(name: string, account: AccountId | undefined): string {
  const channel = parseChannel(name);
  const isOwn = channel !== undefined && needOf(channel) !== undefined;
  return isOwn ? `${name}@${account ?? ''}` : name;
}
