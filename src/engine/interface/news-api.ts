// The news of portfolios: every message once and in order per account, and the messages after a sequence to catch up.
import type { PortfolioNews } from '../../ports/event-bus.ts';
import type { AccountId } from '../../values/ids.ts';
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

export interface NewsApi {
  follow(account: AccountId, listener: (notice: NewsNotice) => void): Unsubscribe;
  /** The next messages after `after`; `undefined` if they are no longer stored. */
  page(query: {
    readonly after: Sequence;
    readonly accounts: readonly AccountId[];
  }): Promise<NewsPage | undefined>;
}
