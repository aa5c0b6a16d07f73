// The news feed as gateways see it: subscriptions of accounts, and pages.
import type { NewsApi, NewsNotice } from '../interface/news-api.ts';
import type { NewsFeed, NewsFollower } from './news-feed.ts';
import { positionOf } from './news-sequence.ts';

export const serveNews = (feed: NewsFeed): NewsApi => ({
  follow: (account, listener) => {
    let isLeft = false;
    const notify = (notice: NewsNotice): void => {
      if (!isLeft) listener(notice);
    };
    const follower: NewsFollower = {
      wants: (one) => one === account,
      notify: (news) => notify({ kind: 'news', news }),
      lost: (from) => notify({ kind: 'lost', from }),
    };
    feed.follow(follower).then(
      () => notify({ kind: 'begun', from: feed.told }),
      // Unexamined: a mistake of the program was reported by the feed.
      (error: unknown) => notify({ kind: 'failed', reason: String(error) }),
    );
    return () => {
      isLeft = true;
      feed.leave(follower);
    };
  },
  page: ({ after, accounts }) => {
    const wanted = new Set(accounts);
    return feed.pageFrom(positionOf(after), (account) => wanted.has(account));
  },
});
