// The `trade-news` channel of one connection: every message once and in order, from the sequence at which the
// client left off, if it gives one.

import type { SequencedNews } from '../../engine/interface/news-api.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import type { AccountId } from '../../values/ids.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { resyncFrame } from './news-frame.ts';
import type { NewsHub } from './news-hub.ts';
import { type NewsReader, NewsSubscription } from './news-subscription.ts';
import {
  foreignAccount,
  type Granted,
  type Outlet,
  refusedChannel,
  type StreamChannel,
  type Wish,
} from './stream-channel.ts';

const CHANNEL = 'trade-news';
const ALL = 'all';

export interface NewsChannelOptions {
  readonly hub: NewsHub;
  readonly outlet: Outlet;
  /** Serialises a message; many connections request the same message in a row. */
  readonly frameText: (news: SequencedNews) => string;
  readonly missedMax: number;
  readonly report: ReportError;
}

export class NewsChannel implements StreamChannel {
  readonly #parts: NewsChannelOptions;
  /** `all` means every account of the key. */
  readonly #accounts = new Set<AccountId | typeof ALL>();
  #subscription: NewsSubscription | undefined;
  #isClosed = false;

  constructor(parts: NewsChannelOptions) {
    this.#parts = parts;
  }

  async subscribe({ accountId, after }: Wish): Promise<Granted> {
    const foreign = foreignAccount(this.#parts.outlet.key, accountId);
    if (foreign !== undefined) return { answer: refusedChannel(CHANNEL, foreign) };
    const known = this.#subscription;
    if (known === undefined) return await this.#open(accountId ?? ALL, after);
    if (after !== undefined) {
      const message =
        'after: is accepted only before other subscriptions to this channel; un-subscribe first';
      return { answer: refusedChannel(CHANNEL, message) };
    }
    return await this.#add(known, accountId ?? ALL);
  }

  unsubscribe(accountId?: AccountId): void {
    if (accountId === undefined) this.#accounts.clear();
    else this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#leave();
    else void this.#subscription?.want(this.#wanted());
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  async #add(known: NewsSubscription, account: AccountId | typeof ALL): Promise<Granted> {
    this.#accounts.add(account);
    try {
      await known.want(this.#wanted());
    } catch (error) {
      this.#accounts.delete(account);
      return this.#ledgerAway(error);
    }
    return granted(String(known.sequence));
  }

  async #open(account: AccountId | typeof ALL, after: Wish['after']): Promise<Granted> {
    this.#accounts.add(account);
    let subscription: NewsSubscription;
    try {
      subscription = await this.#follow();
    } catch (error) {
      this.#accounts.clear();
      return this.#ledgerAway(error);
    }
    if (this.#isClosed) subscription.leave();
    else this.#subscription = subscription;
    return {
      ...granted(String(after ?? subscription.sequence)),
      begin: () => void subscription.begin(after).catch(this.#parts.outlet.giveUp),
    };
  }

  async #follow(): Promise<NewsSubscription> {
    const { hub, outlet, frameText, missedMax } = this.#parts;
    const reader: NewsReader = {
      notify: (news) => outlet.send(frameText(news)),
      resync: (from, why) => outlet.send(JSON.stringify(resyncFrame(from, why))),
      room: outlet.room,
    };
    return await NewsSubscription.open({ hub, missedMax, reader }, this.#wanted());
  }

  #wanted(): readonly AccountId[] {
    const { accounts } = this.#parts.outlet.key;
    return this.#accounts.has(ALL) ? accounts : accounts.filter((one) => this.#accounts.has(one));
  }

  #ledgerAway(error: unknown): Granted {
    throwProgrammingError(error);
    this.#parts.report(error, CHANNEL);
    return { answer: refusedChannel(CHANNEL, 'the ledger is not available; try again') };
  }

  #leave(): void {
    this.#subscription?.leave();
    this.#subscription = undefined;
  }
}

const granted = (sequence: string): Granted => ({
  answer: { channel: CHANNEL, success: true, errorMsg: null, sequence },
});
