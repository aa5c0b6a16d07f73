// One reader of the news. It first gets what it missed since its last number, then the live news, each once and in
// order. The number of missed messages is limited; beyond that the reader has to read the state again.

import type { NewsFeed, NewsFollower, NewsPage } from '../../engine/news/news-feed.ts';
import { positionOf, type Sequence } from '../../engine/news/news-sequence.ts';
import type { SequencedNews } from '../../engine/news/news-sequencer.ts';
import type { AccountId } from '../../values/ids.ts';

/** Why a reader must read the state again: the missed news is `forgotten`, or there is `too_much` of it. */
export type ResyncReason = 'forgotten' | 'too_much';

export interface NewsReader {
  readonly wants: (account: AccountId) => boolean;
  readonly tell: (news: SequencedNews) => void;
  /** News after `from` follows; news before it may be missing. */
  readonly resync: (from: Sequence, why: ResyncReason) => void;
  /** Resolves when the reader can take more; called only while it catches up. */
  readonly room: () => Promise<void>;
}

export interface NewsSubscriptionParts {
  readonly feed: NewsFeed;
  readonly reader: NewsReader;
  /** The maximum number of missed messages that are sent again. */
  readonly missedMax: number;
}

export class NewsSubscription {
  readonly #parts: NewsSubscriptionParts;
  readonly #follower: NewsFollower;
  #last: Sequence;
  #isLive = false;
  #isOver = false;
  #missed = 0;

  /** Resolves when nothing that becomes durable from then on is missed. */
  static async open(parts: NewsSubscriptionParts): Promise<NewsSubscription> {
    const subscription = new NewsSubscription(parts);
    await parts.feed.follow(subscription.#follower);
    subscription.#last = parts.feed.told;
    return subscription;
  }

  private constructor(parts: NewsSubscriptionParts) {
    this.#parts = parts;
    this.#last = parts.feed.told;
    this.#follower = {
      wants: parts.reader.wants,
      tell: (news) => {
        if (this.#isLive) this.#tell(news);
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

  /** Delivers the news after `after`, by default after the opening; resolves when the reader is up to date. */
  async begin(after?: Sequence): Promise<void> {
    const { feed } = this.#parts;
    if (after !== undefined) {
      this.#last = after;
      // Done even if nothing is new, so that a number that was never assigned is detected.
      await this.#catchUp();
    }
    while (!this.#isOver && this.#last < feed.told) await this.#catchUp();
    this.#isLive = !this.#isOver;
  }

  leave(): void {
    this.#isOver = true;
    this.#isLive = false;
    this.#parts.feed.leave(this.#follower);
  }

  async #catchUp(): Promise<void> {
    const { feed, reader } = this.#parts;
    const page = await feed.pageFrom(positionOf(this.#last), reader.wants);
    if (this.#isOver) return;
    if (page === undefined) this.#resync(feed.told, 'forgotten');
    else await this.#retell(page);
  }

  async #retell(page: NewsPage): Promise<void> {
    const { feed, reader, missedMax } = this.#parts;
    for (const { end, news } of page) {
      for (const one of news) {
        if (one.sequence <= this.#last) continue;
        if (this.#missed === missedMax) return this.#resync(feed.told, 'too_much');
        this.#missed += 1;
        await reader.room();
        if (this.#isOver) return;
        this.#tell(one);
      }
      if (end > this.#last) this.#last = end;
    }
  }

  #tell(news: SequencedNews): void {
    if (news.sequence <= this.#last) return;
    this.#last = news.sequence;
    this.#parts.reader.tell(news);
  }

  #resync(from: Sequence, why: ResyncReason): void {
    this.#last = from;
    this.#parts.reader.resync(from, why);
  }
}
