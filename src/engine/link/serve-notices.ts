// Serves what venues publish about the accounts of this daemon to the other daemons, whose clients may follow any account.
// A daemon that begins to own accounts announces a gap: what was published while their owner changed was sent by nobody.
import type { RfqNews } from '../../ports/block-rfq.ts';
import type { AnswerFollow } from '../../ports/deployment/engine-peers.ts';
import { accountOfNotice, type VenueNotice } from '../../ports/trading-desk.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { OpenVenue, OrderOperations } from '../order-entry/order-operations.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import { argsOf, noticeText } from './call-codec.ts';
import { accountOfNews, accountsInShards } from './notice-accounts.ts';

export interface ServeNoticesOptions {
  /** Those of this daemon. */
  readonly orders: Pick<OrderOperations, 'accounts' | 'venues'>;
  readonly ownership: Pick<Ownership, 'owns' | 'onGain'>;
  readonly onFault: (error: unknown) => void;
}

/** Each takes the name of a venue. */
export const ORDER_NOTICES = 'orders.follow';
export const RFQ_NEWS = 'rfqs.follow';

/** The first that a follower gets: from now on it is notified. */
export interface Begun {
  readonly kind: 'begun';
}

type Publish = (notice: Begun | VenueNotice | RfqNews) => void;

interface Follower {
  readonly venue: VenueName;
  /** These accounts of the venue are owned here from now on. */
  gained(accounts: readonly AccountId[]): void;
}

interface Served {
  /** Publishes what concerns accounts that are owned here, until the returned function is called. */
  begin(venue: OpenVenue, publish: Publish): () => void;
  gap(accounts: readonly AccountId[]): VenueNotice | RfqNews;
}

export function serveNotices({ orders, ownership, onFault }: ServeNoticesOptions): AnswerFollow {
  const followers = new Set<Follower>();
  ownership.onGain((shards) => {
    const gainedOf = accountsInShards(orders.accounts(), shards);
    for (const follower of followers) {
      const accounts = gainedOf(follower.venue);
      if (accounts.length > 0) follower.gained(accounts);
    }
  });
  const isOwned = (account: AccountId): boolean => ownsAccount(ownership, account);
  const served = new Map<string, Served>([
    [ORDER_NOTICES, ordersServed(isOwned)],
    [RFQ_NEWS, rfqsServed(isOwned)],
  ]);
  return ({ method, text }, notify) => {
    try {
      const [name] = argsOf(text);
      const venue = orders.venues().find((one) => one.name === name);
      const serving = served.get(method);
      if (venue === undefined || serving === undefined) {
        throw new Error(`another daemon wants to follow ${method} of ${name}, which is not here`);
      }
      const publish: Publish = (notice) => notify(noticeText(notice));
      const leave = serving.begin(venue, publish);
      const follower: Follower = {
        venue: venue.name,
        gained: (accounts) => publish(serving.gap(accounts)),
      };
      followers.add(follower);
      publish({ kind: 'begun' });
      return () => {
        followers.delete(follower);
        leave();
      };
    } catch (error) {
      onFault(error);
      return () => undefined;
    }
  };
}

const ordersServed = (isOwned: (account: AccountId) => boolean): Served => ({
  begin: (venue, publish) =>
    venue.subscribe((notice) => {
      if (notice.kind !== 'reconnected') {
        if (isOwned(accountOfNotice(notice))) publish(notice);
        return;
      }
      const accounts = notice.accounts.filter(isOwned);
      if (accounts.length > 0) publish({ kind: 'reconnected', accounts });
    }),
  gap: (accounts) => ({ kind: 'reconnected', accounts }),
});

const rfqsServed = (isOwned: (account: AccountId) => boolean): Served => ({
  begin: ({ rfqs }, publish) =>
    rfqs?.listen((news) => {
      const account = accountOfNews(news);
      // The public tape comes to every daemon itself.
      const isMeant = account === undefined ? news.kind === 'reconnected' : isOwned(account);
      if (isMeant) publish(news);
    }) ?? (() => undefined),
  gap: () => ({ kind: 'reconnected' }),
});
