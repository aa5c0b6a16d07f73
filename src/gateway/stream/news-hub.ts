// The gateway's subscriptions to news: one per account however many clients follow it, so that a message reaches this
// process once.
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import type { NewsNotice, NewsPage, SequencedNews } from '../../engine/interface/news-api.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Sequence } from '../../values/sequence.ts';
import type { ReportError } from '../wire/http-faults.ts';

export interface NewsFollower {
  readonly notify: (news: SequencedNews) => void;
  /** News before `from` may be missing, because it can no longer be read. */
  readonly lost: (from: Sequence) => void;
}

export interface NewsHubOptions {
  readonly news: EngineApi['news'];
  readonly report: ReportError;
}

interface Followed {
  readonly followers: Set<NewsFollower>;
  /** Resolves when nothing that becomes durable from then on is missed; rejects if the ledger cannot be read. */
  readonly begun: Promise<void>;
  readonly leave: () => void;
}

/** One loss is announced for every account. */
interface Loss {
  readonly from: Sequence;
  readonly accounts: Set<AccountId>;
  readonly told: Set<NewsFollower>;
}

export class NewsHub {
  readonly #parts: NewsHubOptions;
  readonly #followed = new Map<AccountId, Followed>();
  #told: Sequence = 0n;
  #loss: Loss | undefined;

  constructor(parts: NewsHubOptions) {
    this.#parts = parts;
  }

  /** Every message up to and including this number has been sent to the followers of its account. */
  get told(): Sequence {
    return this.#told;
  }

  /** Resolves when nothing that becomes durable from then on is missed; rejects if the ledger cannot be read. */
  async follow(account: AccountId, follower: NewsFollower): Promise<void> {
    const followed = this.#followed.get(account) ?? this.#begin(account);
    followed.followers.add(follower);
    try {
      await followed.begun;
    } catch (error) {
      this.leave(account, follower);
      throw error;
    }
  }

  leave(account: AccountId, follower: NewsFollower): void {
    const followed = this.#followed.get(account);
    if (followed?.followers.delete(follower) !== true || followed.followers.size > 0) return;
    this.#followed.delete(account);
    followed.leave();
  }

  /** The next messages after `after`; `undefined` if they are no longer stored. */
  page(after: Sequence, accounts: readonly AccountId[]): Promise<NewsPage | undefined> {
    return this.#parts.news.page({ after, accounts });
  }

  #begin(account: AccountId): Followed {
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    const followers = new Set<NewsFollower>();
    const leave = this.#parts.news.follow(account, (notice) => {
      if (notice.kind === 'failed') reject(new Error(notice.reason));
      else this.#receive(account, followers, notice);
      if (notice.kind === 'begun') resolve();
    });
    const followed = { followers, begun, leave };
    this.#followed.set(account, followed);
    return followed;
  }

  #receive(
    account: AccountId,
    followers: ReadonlySet<NewsFollower>,
    notice: Exclude<NewsNotice, { readonly kind: 'failed' }>,
  ): void {
    this.#told = notice.kind === 'news' ? notice.news.sequence : notice.from;
    if (notice.kind === 'lost') return this.#lose(account, followers, notice.from);
    this.#loss = undefined;
    if (notice.kind === 'begun') return;
    for (const follower of followers) this.#guarded(() => follower.notify(notice.news));
  }

  /** A client that follows several accounts is notified once. */
  #lose(account: AccountId, followers: ReadonlySet<NewsFollower>, from: Sequence): void {
    const loss =
      this.#loss?.from === from && !this.#loss.accounts.has(account)
        ? this.#loss
        : { from, accounts: new Set<AccountId>(), told: new Set<NewsFollower>() };
    this.#loss = loss;
    loss.accounts.add(account);
    for (const follower of followers) {
      if (loss.told.has(follower)) continue;
      loss.told.add(follower);
      this.#guarded(() => follower.lost(from));
    }
  }

  /** An exception of one follower must not affect the others. */
  #guarded(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#parts.report(error, 'news');
    }
  }
}
