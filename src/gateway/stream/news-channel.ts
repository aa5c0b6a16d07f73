// The `trade-news` channel of one connection: every message once and in order, from the sequence at which the
// client left off, if it gives one.
import type { NewsFeed } from '../../engine/news/news-feed.ts';
import type { SequencedNews } from '../../engine/news/news-sequencer.ts';
import type { AccountId } from '../../values/ids.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { resyncFrame } from './news-frame.ts';
import { NewsSubscription, type ResyncReason } from './news-subscription.ts';
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

export interface NewsChannelParts {
  readonly feed: NewsFeed;
  readonly outlet: Outlet;
  /** Serialises a message; many connections request the same message in a row. */
  readonly frameText: (news: SequencedNews) => string;
  readonly missedMax: number;
  readonly report: ReportError;
}

export class NewsChannel implements StreamChannel {
  readonly #parts: NewsChannelParts;
  /** `all` means every account of the key. */
  readonly #accounts = new Set<AccountId | typeof ALL>();
  #subscription: NewsSubscription | undefined;
  #isClosed = false;

  constructor(parts: NewsChannelParts) {
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
    this.#accounts.add(accountId ?? ALL);
    return granted(String(known.sequence));
  }

  unsubscribe(accountId?: AccountId): void {
    if (accountId === undefined) this.#accounts.clear();
    else this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#leave();
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  async #open(account: AccountId | typeof ALL, after: Wish['after']): Promise<Granted> {
    this.#accounts.add(account);
    let subscription: NewsSubscription;
    try {
      subscription = await this.#follow();
    } catch (error) {
      this.#accounts.clear();
      this.#parts.report(error, CHANNEL);
      return { answer: refusedChannel(CHANNEL, 'the ledger is not available; try again') };
    }
    if (this.#isClosed) subscription.leave();
    else this.#subscription = subscription;
    return {
      ...granted(String(after ?? subscription.sequence)),
      begin: () => void subscription.begin(after).catch(this.#parts.outlet.giveUp),
    };
  }

  async #follow(): Promise<NewsSubscription> {
    const { feed, outlet, frameText, missedMax } = this.#parts;
    return await NewsSubscription.open({
      feed,
      missedMax,
      reader: {
        wants: (account) => this.#wants(account),
        tell: (news) => outlet.send(frameText(news)),
        resync: (from, why: ResyncReason) => outlet.send(JSON.stringify(resyncFrame(from, why))),
        room: outlet.room,
      },
    });
  }

  #wants(account: AccountId): boolean {
    if (!this.#accounts.has(ALL) && !this.#accounts.has(account)) return false;
    return this.#parts.outlet.key.accounts.includes(account);
  }

  #leave(): void {
    this.#subscription?.leave();
    this.#subscription = undefined;
  }
}

const granted = (sequence: string): Granted => ({
  answer: { channel: CHANNEL, success: true, errorMsg: null, sequence },
});
