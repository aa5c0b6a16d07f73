// The news of portfolios: every message once and in order per account, and the messages after a sequence to catch up.
import type { PortfolioNews } from '../../ports/event-bus.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { Sequence } from '../../values/sequence.ts';
import type { Unsubscribe } from './plain-interface.ts';

export interface SequencedNews extends PortfolioNews {
  readonly sequence: Sequence;
}

/** Groups of messages in order; everything up to and including `end` is in the page or before it. */
export type NewsPage = readonly {
  readonly end: Sequence;
  readonly news: readonly SequencedNews[];
}[];

export type NewsNotice =
  /** First: every message after `from` follows. What arrives before may be incomplete. */
  | { readonly kind: 'begun'; readonly from: Sequence }
  /** Instead of `begun`: the ledger could not be read, and nothing follows. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'news'; readonly news: SequencedNews }
  /** Messages up to `from` may be missing, because they can no longer be read. */
  | { readonly kind: 'lost'; readonly from: Sequence };

/** A message of the past, without the record of its moment. */
export type PastNews = Omit<PortfolioNews, 'portfolio' | 'account' | 'record'>;

export interface HistoryQuery {
  readonly portfolio: PortfolioId;
  /** Only what happened after this version; 0: from the submit on. */
  readonly after: number;
  /** At most this many events are read; not every event is a message. */
  readonly limit: number;
}

export interface HistoryPage {
  readonly account: AccountId;
  readonly news: readonly PastNews[];
  /** The version read up to: the next page begins after it. */
  readonly end: number;
  /** Whether nothing more was stored. */
  readonly isComplete: boolean;
}

/** Resolves with `undefined` for an unknown portfolio; rejects with the ledger's error while it is unavailable. */
export type ReadHistory = (query: HistoryQuery) => Promise<HistoryPage | undefined>;

export interface NewsApi {
  follow(account: AccountId, listener: (notice: NewsNotice) => void): Unsubscribe;
  /** The next messages after `after`; `undefined` if they are no longer stored. */
  page(query: {
    readonly after: Sequence;
    readonly accounts: readonly AccountId[];
  }): Promise<NewsPage | undefined>;
}
