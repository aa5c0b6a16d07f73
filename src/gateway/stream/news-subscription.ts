// One reader of the news. It first gets what it missed since its last number, then the live news, each once and in
// order. The number of missed messages is limited; beyond that the reader has to read the state again.
import type { NewsPage, SequencedNews } from '../../engine/interface/news-api.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Sequence } from '../../values/sequence.ts';
import type { NewsFollower, NewsHub } from './news-hub.ts';

/** Why a reader must read the state again: the missed news is `forgotten`, or there is `too_much` of it. */
export type ResyncReason = 'forgotten' | 'too_much';

export interface NewsReader {
  readonly notify: (news: SequencedNews) => void;
  /** News after `from` follows; news before it may be missing. */
  readonly resync: (from: Sequence, why: ResyncReason) => void;
  /** Resolves when the reader can take more; called only while it catches up. */
  readonly room: () => Promise<void>;
}

export interface NewsSubscriptionOptions {
  readonly hub: NewsHub;
  readonly reader: NewsReader;
  /** The maximum number of missed messages that are sent again. */
  readonly missedMax: number;
}

export class NewsSubscription {
  readonly #parts: NewsSubscriptionOptions;
  readonly #follower: NewsFollower;
  #accounts: readonly AccountId[] = [];
  #last: Sequence = 0n;
  #isLive = false;
  #isOver = false;
  #missed = 0;

  /** Resolves when nothing that becomes durable from then on is missed. */
  static async open(
    parts: NewsSubscriptionOptions,
    accounts: readonly AccountId[],
  ): Promise<NewsSubscription> {
    const subscription = new NewsSubscription(parts);
    await subscription.want(accounts);
    subscription.#last = parts.hub.told;
    return subscription;
  }

  private constructor(parts: NewsSubscriptionOptions) {
    this.#parts = parts;
    this.#follower = {
      notify: (news) => {
        if (this.#isLive) this.#deliver(news);
      },
      lost: (from) => {
        if (this.#isLive) this.#resync(from, 'forgotten');
      },
    };
  }

  /** The last number delivered: the next message has a higher one. */
  get sequence(): Sequence {
    return this.#last;
  }

  /** The accounts from now on. Resolves when nothing of them that becomes durable from then on is missed. */
  async want(accounts: readonly AccountId[]): Promise<void> {
    const { hub } = this.#parts;
    const before = this.#accounts;
    this.#accounts = accounts;
    for (const one of before) if (!accounts.includes(one)) hub.leave(one, this.#follower);
    const fresh = accounts.filter((one) => !before.includes(one));
    try {
      await Promise.all(fresh.map((one) => hub.follow(one, this.#follower)));
    } catch (error) {
      for (const one of fresh) hub.leave(one, this.#follower);
      this.#accounts = this.#accounts.filter((one) => !fresh.includes(one));
      throw error;
    }
    if (this.#isOver) this.leave();
  }

  /** Delivers the news after `after`, by default after the opening; resolves when the reader is up to date. */
  async begin(after?: Sequence): Promise<void> {
    const { hub } = this.#parts;
    if (after !== undefined) {
      this.#last = after;
      // Done even if nothing is new, so that a number that was never assigned is detected.
      await this.#catchUp();
    }
    while (!this.#isOver && this.#last < hub.told) await this.#catchUp();
    this.#isLive = !this.#isOver;
  }

  leave(): void {
    this.#isOver = true;
    this.#isLive = false;
    for (const account of this.#accounts) this.#parts.hub.leave(account, this.#follower);
  }

  async #catchUp(): Promise<void> {
    const { hub } = this.#parts;
    const page = await hub.page(this.#last, this.#accounts);
    if (this.#isOver) return;
    if (page === undefined) this.#resync(hub.told, 'forgotten');
    else await this.#deliverMissed(page);
  }

  async #deliverMissed(page: NewsPage): Promise<void> {
    const { hub, reader, missedMax } = this.#parts;
    for (const { end, news } of page) {
      for (const one of news) {
        if (one.sequence <= this.#last) continue;
        if (this.#missed === missedMax) return this.#resync(hub.told, 'too_much');
        this.#missed += 1;
        await reader.room();
        if (this.#isOver) return;
        this.#deliver(one);
      }
      if (end > this.#last) this.#last = end;
    }
  }

  #deliver(news: SequencedNews): void {
    if (news.sequence <= this.#last) return;
    this.#last = news.sequence;
    this.#parts.reader.notify(news);
  }

  #resync(from: Sequence, why: ResyncReason): void {
    this.#last = from;
    this.#parts.reader.resync(from, why);
  }
}
